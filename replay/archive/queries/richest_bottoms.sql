-- zh: 扣分最多的底牌：谁扣的、多少分、有没有被抠。
-- en: The burials with most points (扣分): who buried, what, and whether the bottom was captured.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: n integer = 20 | 行数 | rows at most
SELECT hand_id, event, game, hand, seat, player_id, by_dealer, cards, points, captured, factor,
       score
FROM bottoms
WHERE TRUE
  AND (:game IS NULL OR game = :game)
  AND (:player IS NULL OR player_id = :player)
ORDER BY points DESC, hand_id, event
LIMIT :n
