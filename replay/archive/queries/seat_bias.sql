-- zh: 发牌公平吗（最近若干份牌谱）：按座位看胜率、抓分、得分、王和奖励，各座应当差不多。
-- en: Is the deal fair? Wins, points, coins, jokers and bonuses by seat: all should be about equal.
-- group: hands
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: matches integer = 10000 | 最近多少份牌谱 | of the latest so many logs
-- chart: x=seat y=win_rate colour=game kind=bar
WITH latest AS (
    SELECT log_id, game, player_ids
    FROM logs
    WHERE game IS NOT NULL
      AND (:game IS NULL OR game = :game)
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
),
paid AS (
    SELECT DISTINCT s.log_id, s.hand
    FROM seats s
    JOIN latest l ON l.log_id = s.log_id
    WHERE s.bonus <> 0
),
-- Materialized, for to count the cards of all seats takes long.
there AS MATERIALIZED (
    SELECT s.log_id, s.seat, s.dealt_counts
    FROM paid p
    JOIN seats s ON s.log_id = p.log_id AND s.hand = p.hand
),
dealt AS (
    SELECT l.game, t.seat, count(*) AS bonus_deals
    FROM there t
    JOIN latest l ON l.log_id = t.log_id
    WHERE t.dealt_counts[53] + t.dealt_counts[54] = 4
       OR list_max(list_transform(
              range(13), lambda r: list_sum(t.dealt_counts[4 * r + 1 : 4 * r + 4])
          )) >= 7
    GROUP BY l.game, t.seat
)
SELECT
    l.game,
    s.seat,
    count(*) AS hands,
    round(avg(s.won::INTEGER), 4) AS win_rate,
    round(avg(s.captured), 2) AS points_per_hand,
    round(avg(s.delta), 4) AS coins_per_hand,
    round(avg(s.dealt_counts[53] + s.dealt_counts[54]), 4) AS jokers_dealt,
    coalesce(any_value(d.bonus_deals), 0) AS bonus_deals
FROM seats s
JOIN latest l ON l.log_id = s.log_id
LEFT JOIN dealt d ON d.game = l.game AND d.seat = s.seat
WHERE s.won IS NOT NULL
GROUP BY l.game, s.seat
ORDER BY l.game, s.seat
