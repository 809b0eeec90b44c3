-- zh: 手气曲线：某人每天几局、赢几局、得多少分、累计多少（默认取局数最多的人）。
-- en: The days of a player, by default of whoever played most: hands, wins, coins, and coins so far.
-- group: players
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: zone number = 8 | 时区（东） | hours ahead of UTC
-- chart: x=day y=coins_so_far colour=game kind=line
WITH days AS (
    SELECT
        game,
        player_id,
        CAST(started_at + to_minutes(CAST(60 * :zone AS INTEGER)) AS DATE) AS day,
        count(*) AS hands,
        count(*) FILTER (WHERE won) AS won,
        sum(delta) AS coins
    FROM player_results
    WHERE player_id = player_meant(:player, :game)
      AND (:game IS NULL OR game = :game)
    GROUP BY game, player_id, day
)
SELECT *, sum(coins) OVER (PARTITION BY game ORDER BY day) AS coins_so_far
FROM days
ORDER BY game, day
