-- zh: 炒地皮甩牌失败：甩什么、实出什么、谁压得住（最近的牌谱在前）。
-- en: 炒地皮: throws (甩牌) that failed: what was tried, what was led after all, and who beat it, latest logs first.
-- group: trumps
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: n integer = 20 | 行数 | rows at most
SELECT
    t.hand_id, t.event, t.hand, t.trick, t.seat, l.player_ids[t.seat + 1] AS player_id,
    t.cards, t.led,
    list_transform(t.beaten_by, lambda seat: l.player_names[seat + 1]) AS beaten_by
FROM throws t
JOIN logs l ON l.log_id = t.log_id
WHERE NOT t.stands
  AND (:player IS NULL OR :player IN (l.player_ids[t.seat + 1], l.player_names[t.seat + 1]))
ORDER BY l.created DESC, t.log_id DESC, t.hand DESC, t.event DESC
LIMIT :n
