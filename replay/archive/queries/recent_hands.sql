-- zh: 最近的局：谁坐庄、谁一家、怎样结束。
-- en: The latest hands in words: who dealt, who was whose partner, how they ended.
-- group: hands
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: n integer = 20 | 行数 | rows at most
SELECT hand_id, hand, game, started_at, players, dealer, partner, soloist, level, trump, result,
       fan, score, winners, path
FROM hand_summaries
WHERE (:player IS NULL OR list_contains(player_ids || players, :player))
  AND (:game IS NULL OR game = :game)
ORDER BY started_at DESC, hand_id
LIMIT :n
