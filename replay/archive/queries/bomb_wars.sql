-- zh: 炸弹最多的轮：每轮几个炸弹、多少分，从 first_event 打开。
-- en: The tricks with the most bombs, with the points in them: open the hand at first_event.
SELECT t.hand_id, l.path, t.hand, t.trick, t.first_event, t.bombs, t.points, t.plays, t.winner
FROM tricks t
JOIN logs l USING (log_id)
WHERE t.bombs > 1
ORDER BY t.bombs DESC, t.points DESC, t.hand_id, t.trick
LIMIT 20
