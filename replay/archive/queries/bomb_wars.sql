-- zh: 炸弹大战：炸弹最多的轮，有多少分，谁赢了。
-- en: The tricks with the most bombs, with the points in them and who won.
-- group: plays
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- param: bombs integer = 4 | 至少几个炸弹 | bombs at least
-- param: n integer = 20 | 行数 | rows at most
SELECT
    t.hand_id, t.first_event AS event, l.game, t.hand, t.trick, t.bombs, t.points, t.plays,
    t.winner, l.player_names[t.winner + 1] AS won_by, l.path
FROM tricks t
JOIN logs l ON l.log_id = t.log_id
WHERE t.bombs >= :bombs
  AND (:game IS NULL OR l.game = :game)
ORDER BY t.bombs DESC, t.points DESC, t.log_id, t.hand, t.trick
LIMIT :n
