-- zh: 扣分最多的底牌：谁扣的、多少分、后来有没有被换掉、有没有被抠。
-- en: The burials with most points (扣分): who buried, what, whether it stood, and whether it was captured.
-- group: trumps
-- param: game choice(chaodipi gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: n integer = 20 | 行数 | rows at most
WITH rich AS (
    SELECT b.*, l.game, l.player_ids[b.seat + 1] AS player_id
    FROM burials b
    JOIN logs l ON l.log_id = b.log_id
    WHERE (:player IS NULL OR :player IN (l.player_ids[b.seat + 1], l.player_names[b.seat + 1]))
      AND (:game IS NULL OR l.game = :game)
    ORDER BY b.points DESC, b.log_id, b.hand, b.event
    LIMIT :n
),
-- In 炒地皮 the next burial takes the place of the one before; in 四副滚子 all lie together.
kept AS (
    SELECT r.log_id, r.hand, r.event,
           CASE WHEN r.game = 'chaodipi' THEN max(b.event) ELSE r.event END AS last
    FROM rich r
    JOIN burials b ON b.log_id = r.log_id AND b.hand = r.hand
    GROUP BY r.log_id, r.hand, r.event, r.game
)
SELECT r.hand_id, r.event, r.game, r.hand, r.seat, r.player_id, r.seat = h.dealer AS by_dealer,
       r.cards, r.points, k.last = r.event AS stood,
       CASE WHEN k.last = r.event THEN h.factor > 0 END AS captured,
       CASE WHEN k.last = r.event THEN h.factor END AS factor, h.score
FROM rich r
JOIN kept k ON k.log_id = r.log_id AND k.hand = r.hand AND k.event = r.event
JOIN hands h ON h.log_id = r.log_id AND h.hand = r.hand
ORDER BY r.points DESC, r.log_id, r.hand, r.event
