-- zh: 升级过程：一场比赛逐局双方级别的变化和原因。
-- en: A match with levels, hand by hand: the levels of both sides before and after, and what moved them.
SELECT h.log_id, h.game, h.hand, h.level, h.trump, h.dealer, h.score, h.result, h.effect,
       a.level_before || ' > ' || a.level_after AS side_0,
       b.level_before || ' > ' || b.level_after AS side_1
FROM hands h
JOIN seats a ON a.hand_id = h.hand_id AND a.seat = 0
JOIN seats b ON b.hand_id = h.hand_id AND b.seat = 1
WHERE h.level IS NOT NULL AND h.result IS NOT NULL
ORDER BY h.log_id, h.hand
