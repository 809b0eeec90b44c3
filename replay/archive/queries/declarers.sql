-- zh: 亮主、反主的人赢不赢：按亮法和级别，亮过多少次、站住多少次。
-- en: Who makes trump (亮主) and wins: by kind of show and rung, how often it stood and its side won.
-- group: trumps
-- param: game choice(chaodipi gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- chart: x=rung y=shows colour=kind kind=bar
SELECT
    game,
    kind,
    rung,
    count(*) AS shows,
    count(*) FILTER (WHERE stood) AS stood,
    round(100 * avg(won::INTEGER) FILTER (WHERE stood), 1) AS won_percent_where_it_stood
FROM shows
WHERE won IS NOT NULL
  AND (:game IS NULL OR game = :game)
  AND (:player IS NULL OR :player IN (player_id, player_name))
GROUP BY game, kind, rung
ORDER BY game, kind, rung
