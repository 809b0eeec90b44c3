-- zh: 搭档榜（最近若干份牌谱）：每对搭档（找朋友或固定）同家几局、胜率、两人共得多少。
-- en: All pairs, found (找朋友) or fixed: hands on one side, how often they won, and what both won together.
-- group: players
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: least integer = 1 | 至少几局 | hands at least
-- param: matches integer = 1000 | 最近多少份牌谱 | of the latest so many logs
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=pair y=win_rate colour=game kind=bar
WITH latest AS (
    SELECT log_id, game, player_ids
    FROM logs
    WHERE game IS NOT NULL
      AND (:game IS NULL OR game = :game)
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
),
sides AS (
    SELECT l.game, l.player_ids, s.log_id, s.hand, s.side,
           min(s.seat) AS one, max(s.seat) AS other, bool_and(s.won) AS won, sum(s.delta) AS coins
    FROM seats s
    JOIN latest l ON l.log_id = s.log_id
    WHERE s.won IS NOT NULL
    GROUP BY ALL
    HAVING count(*) = 2
)
SELECT
    game,
    array_to_string(list_sort([player_ids[one + 1], player_ids[other + 1]]), ' + ') AS pair,
    count(*) AS hands,
    round(avg(won::INTEGER), 4) AS win_rate,
    sum(coins) AS coins
FROM sides
GROUP BY game, pair
HAVING count(*) >= :least
ORDER BY win_rate DESC, hands DESC, game, pair
LIMIT :n
