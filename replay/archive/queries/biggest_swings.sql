-- zh: 输赢最大的局：分数（金币、游戏得分）变动最多的是哪些。
-- en: The hands in which most coins, in 炒地皮 游戏得分, changed hands.
SELECT h.game, h.hand_id, l.path, h.hand, h.mode, h.result, h.fan, max(s.delta) AS coins
FROM hands h
JOIN seats s USING (hand_id)
JOIN logs l ON l.log_id = h.log_id
WHERE h.result IS NOT NULL AND s.delta IS NOT NULL
GROUP BY ALL
ORDER BY coins DESC, h.hand_id
LIMIT 20
