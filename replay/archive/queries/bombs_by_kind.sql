-- zh: 各种炸弹打出过多少次，有多少次没人再压，那一轮有多少分。
-- en: Bombs by game, type and size: how often played, how often nothing beat them, points in the trick.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- chart: x=kind y=played colour=game kind=bar
SELECT
    game,
    kind,
    size,
    count(*) AS played,
    round(avg(stood::INTEGER), 4) AS unbeaten,
    round(avg(trick_points), 1) AS points_in_the_trick
FROM bombs
WHERE TRUE
  AND (:game IS NULL OR game = :game)
  AND (:player IS NULL OR player_id = :player)
GROUP BY game, kind, size
ORDER BY game, played DESC, kind, size
