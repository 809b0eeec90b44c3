-- zh: 逃跑：谁、什么时候、扣了多少分。
-- en: Escapes (逃跑): who left, when, and what it cost him.
-- group: called
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: n integer = 100 | 行数 | rows at most
SELECT hand_id, log_id, hand, game, started_at, seat, player_id, role, delta
FROM player_results
WHERE result = 'escaped' AND delta < 0
  AND (:player IS NULL OR :player IN (player_id, player_name))
ORDER BY started_at DESC, hand_id, seat
LIMIT :n
