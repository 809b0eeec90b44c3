-- zh: 复盘：某人的局，输得最多的在前（或最近的在前）；默认取局数最多的人。
-- en: The hands of a player in the order of review, what he lost most first or the latest first.
-- group: players
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: order choice(worst latest) = worst | 顺序（最差、最近） | worst or latest first
-- param: n integer = 20 | 行数 | rows at most
SELECT hand_id, hand, game, started_at, player_id, role, mode, result, won, delta, place, score,
       findings
FROM player_results
WHERE player_id = player_meant(:player, :game)
  AND (:game IS NULL OR game = :game)
ORDER BY
    CASE WHEN :order = 'worst' THEN coalesce(delta, CASE WHEN won THEN 1 ELSE -1 END) END,
    started_at DESC, hand_id, seat
LIMIT :n
