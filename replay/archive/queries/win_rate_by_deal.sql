-- zh: 牌好就赢吗（最近若干份牌谱，硬牌不算）：按发到几张王、几个炸弹（四张以上）的胜率。
-- en: Do good cards win? Hands but 硬牌 by jokers and sets of four or more dealt to a seat: how often it won.
-- group: hands
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- param: matches integer = 300 | 最近多少份牌谱 | of the latest so many logs
-- chart: x=bombs_dealt y=win_rate colour=jokers kind=bar
WITH latest AS (
    SELECT log_id, game
    FROM logs
    WHERE game IN ('dagong', 'chibi_dagun')
      AND (:game IS NULL OR game = :game)
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
),
-- Materialized, for to count the cards of all seats takes long.
dealt AS MATERIALIZED (
    SELECT l.game, s.won, s.delta, s.dealt_counts
    FROM hands h
    JOIN latest l ON l.log_id = h.log_id
    JOIN seats s ON s.log_id = h.log_id AND s.hand = h.hand
    WHERE h.mode = 'friend' AND s.won IS NOT NULL
)
SELECT
    game,
    dealt_counts[53] + dealt_counts[54] AS jokers,
    len(list_filter(
        range(13), lambda r: list_sum(dealt_counts[4 * r + 1 : 4 * r + 4]) >= 4
    )) AS bombs_dealt,
    count(*) AS seats,
    round(avg(won::INTEGER), 4) AS win_rate,
    round(avg(delta), 4) AS coins_per_hand
FROM dealt
GROUP BY ALL
ORDER BY game, jokers, bombs_dealt
