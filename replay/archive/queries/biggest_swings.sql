-- zh: 输赢最大的局：分数（金币、游戏得分）变动最多的是哪些。
-- en: The hands in which most coins, in 炒地皮 游戏得分, were won by one seat.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: n integer = 20 | 行数 | rows at most
SELECT hand_id, hand, game, started_at, max(delta) AS coins, any_value(mode) AS mode,
       any_value(result) AS result, any_value(fan) AS fan
FROM player_results
WHERE delta IS NOT NULL
  AND (:game IS NULL OR game = :game)
  AND (:player IS NULL OR player_id = :player)
GROUP BY hand_id, hand, game, started_at
ORDER BY coins DESC, hand_id
LIMIT :n
