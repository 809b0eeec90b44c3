-- zh: 没能核对到底的局：被哪一处挡住。
-- en: Hands that could not be judged to the end, and what stands in the way.
-- group: findings
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: n integer = 100 | 行数 | rows at most
SELECT
    h.hand_id, f.told.event, h.game, h.hand, h.started_at, f.told.rule, f.told.zh, f.told.en,
    h.facts, h.aborted, l.path
FROM hands h
JOIN logs l ON l.log_id = h.log_id
-- A violation blocks; only where there is none, what is wrong with the bytes stands in the way.
LEFT JOIN (
    SELECT log_id, hand,
           arg_max(
               struct_pack(event := event, rule := rule, zh := zh, en := en),
               struct_pack(a := kind = 'violation', b := finding)
           ) AS told
    FROM findings
    WHERE kind IN ('violation', 'format', 'integrity')
    GROUP BY log_id, hand
) f ON f.log_id = h.log_id AND f.hand = h.hand
WHERE NOT h.verified
  AND (:game IS NULL OR h.game = :game)
ORDER BY h.log_id, h.hand
LIMIT :n
