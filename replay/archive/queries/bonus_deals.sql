-- zh: 发到奖励牌型（天炸、7喜、8喜）的局：是谁、赢了没有、手牌。
-- en: Hands in which a bonus was dealt (天炸, 7喜, 8喜): who got it, whether he won, and the cards.
SELECT hand_id, hand, seat, player_id, bonus, won, dealt
FROM seats
WHERE bonus > 0
ORDER BY bonus DESC, hand_id, seat
