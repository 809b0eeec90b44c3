-- zh: 问题一览：每处问题在哪局哪一手，应当怎样，牌谱怎样写。
-- en: Every finding with its place: what was expected, and what the log says.
-- group: findings
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: rule text = | 规则编号 | rule id
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: n integer = 100 | 行数 | rows at most
SELECT hand_id, event, game, hand, trick, kind, rule, player_id, zh, en, expected, logged, proof,
       path
FROM findings_named
WHERE (:rule IS NULL OR rule = :rule)
  AND (:game IS NULL OR game = :game)
  AND (:player IS NULL OR :player IN (player_id, player_name))
ORDER BY log_id, finding
LIMIT :n
