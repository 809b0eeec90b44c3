-- zh: 癞子的用法：配成什么牌型、用几张、有没有声明、有没有人压。
-- en: Wild jokers (癞子): in which types they are used, how many, who declares, and how often nothing beat them.
SELECT
    h.game,
    p.kind,
    p.size,
    count(*) AS plays,
    sum(length(p.wilds)) AS jokers,
    round(avg(p.declared::INTEGER), 4) AS declared,
    round(avg((t.winner = p.seat AND b.event IS NULL)::INTEGER), 4) AS unbeaten
FROM plays p
JOIN hands h USING (hand_id)
JOIN tricks t ON t.hand_id = p.hand_id AND t.trick = p.trick
LEFT JOIN plays b ON b.hand_id = p.hand_id AND b.to_beat = p.event AND NOT b.passed
WHERE p.wilds IS NOT NULL
GROUP BY h.game, p.kind, p.size
ORDER BY h.game, plays DESC, p.kind, p.size
