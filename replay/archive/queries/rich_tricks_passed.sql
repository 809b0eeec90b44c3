-- zh: 分多的轮里谁不出：每次不出都可打开看他当时能不能压。
-- en: Tricks rich in points and who passed in them: each pass opens the board, to see what he held.
-- group: plays
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: points integer = 40 | 至少几分 | points in the trick at least
-- param: n integer = 20 | 行数 | rows at most
WITH rich AS MATERIALIZED (
    SELECT t.log_id, t.hand, t.trick, t.points, t.winner, l.game, l.player_ids, l.player_names
    FROM tricks t
    JOIN logs l ON l.log_id = t.log_id
    WHERE t.points >= :points AND t.passes > 0
      AND (:game IS NULL OR l.game = :game)
      AND (:player IS NULL OR list_contains(l.player_ids || l.player_names, :player))
    ORDER BY t.points DESC, t.log_id, t.hand, t.trick
    LIMIT 3 * :n
)
SELECT
    p.hand_id, p.event, r.game, p.hand, p.trick, r.points, p.seat,
    r.player_ids[p.seat + 1] AS player_id, p.cards_left, r.winner
FROM plays p
JOIN rich r ON p.log_id = r.log_id AND p.hand = r.hand AND p.trick = r.trick
-- Few logs: their blocks alone are read.
WHERE p.log_id IN (SELECT log_id FROM rich)
  AND p.passed
  AND (:player IS NULL OR :player IN (r.player_ids[p.seat + 1], r.player_names[p.seat + 1]))
ORDER BY r.points DESC, p.log_id, p.hand, p.event
LIMIT :n
