-- zh: 手气曲线：某人每天几局、赢几局、得多少分、累计多少（默认取局数最多的人）。
-- en: The days of a player, by default of whoever played most: hands, wins, coins, and coins so far.
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
    WHERE player_id = coalesce((
        SELECT player_id
        FROM (SELECT unnest(player_ids) AS player_id, unnest(player_names) AS player_name FROM logs)
        WHERE :player IN (player_id, player_name)
        ORDER BY player_id <> :player, player_id
        LIMIT 1
    ), :player, (
        SELECT player_id
        FROM (
            SELECT unnest(player_ids) AS player_id, hands
            FROM logs
            WHERE (:game IS NULL OR game = :game)
        )
        GROUP BY player_id
        ORDER BY sum(hands) DESC, player_id
        LIMIT 1
    ))
  AND (:game IS NULL OR game = :game)
    GROUP BY game, player_id, day
)
SELECT *, sum(coins) OVER (PARTITION BY game ORDER BY day) AS coins_so_far
FROM days
ORDER BY game, day
