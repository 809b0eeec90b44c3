-- zh: 发到奖励牌型（天炸、7喜、8喜）的局：是谁、赢了没有、手牌。
-- en: Hands in which a bonus was dealt (天炸, 7喜, 8喜): who got it, whether he won, and the cards.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: n integer = 100 | 行数 | rows at most
SELECT hand_id, hand, game, seat, player_id, bonus, won, dealt
FROM player_results
WHERE bonus > 0
  AND (:game IS NULL OR game = :game)
  AND (:player IS NULL OR player_id = :player)
ORDER BY bonus DESC, hand_id, seat
LIMIT :n
