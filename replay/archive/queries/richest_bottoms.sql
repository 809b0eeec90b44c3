-- zh: 扣分最多的底牌：谁扣的、多少分、有没有被抠。
-- en: The burials with most points (扣分): who buried, what, and whether the bottom was captured.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: n integer = 20 | 行数 | rows at most
WITH rich AS (
    SELECT b.*, l.game, l.player_ids[b.seat + 1] AS player_id
    FROM burials b
    JOIN logs l ON l.log_id = b.log_id
    WHERE (:player IS NULL OR l.player_ids[b.seat + 1] = :player)
      AND (:game IS NULL OR l.game = :game)
    ORDER BY b.points DESC, b.log_id, b.hand, b.event
    LIMIT :n
)
SELECT r.hand_id, r.event, r.game, r.hand, r.seat, r.player_id, r.seat = h.dealer AS by_dealer,
       r.cards, r.points, h.factor > 0 AS captured, h.factor, h.score
FROM rich r
JOIN hands h ON h.log_id = r.log_id AND h.hand = r.hand
ORDER BY r.points DESC, r.log_id, r.hand, r.event
