-- zh: 找相似：打出过某种牌型（类型、点数、大小）的局，在那一手打开。
-- en: Hands in which a play of this type, rank and size was laid: each opens at that play.
-- group: hands
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: kind text = bomb | 牌型（single pair bomb …） | type, such as single, pair, bomb
-- param: rank text = | 点数（3 … A 2 Bj Rj） | rank
-- param: size integer = | 大小（张数、对数） | size
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: n integer = 20 | 行数 | rows at most
WITH alike AS MATERIALIZED (
    SELECT p.log_id, p.hand, p.event
    FROM plays p
    JOIN logs l ON l.log_id = p.log_id
    WHERE p.kind = :kind
      AND (:rank IS NULL OR p.rank = :rank)
      AND (:size IS NULL OR p.size = :size)
      AND (:game IS NULL OR l.game = :game)
      AND (:player IS NULL OR :player IN (l.player_ids[p.seat + 1], l.player_names[p.seat + 1]))
    ORDER BY p.log_id DESC, p.hand DESC, p.event
    LIMIT :n
)
SELECT
    p.hand_id, p.event, l.game, p.hand, p.trick, p.seat,
    l.player_ids[p.seat + 1] AS player_id, p.cards, p.kind, p.size, p.rank, p.cards_left
FROM plays p
JOIN alike a ON a.log_id = p.log_id AND a.hand = p.hand AND a.event = p.event
JOIN logs l ON l.log_id = p.log_id
-- Few logs: their blocks alone are read.
WHERE p.log_id IN (SELECT log_id FROM alike)
ORDER BY p.log_id DESC, p.hand DESC, p.event
