-- zh: 各种炸弹打出过多少次，有多少次没人再压。
-- en: Bombs by game, type and size: how often played, and how often nothing beat them.
SELECT
    h.game,
    p.kind,
    p.size,
    count(*) AS played,
    round(avg((t.winner = p.seat AND b.event IS NULL)::INTEGER), 4) AS unbeaten
FROM plays p
JOIN hands h USING (hand_id)
JOIN tricks t ON t.hand_id = p.hand_id AND t.trick = p.trick
LEFT JOIN plays b ON b.hand_id = p.hand_id AND b.to_beat = p.event AND NOT b.passed
WHERE p.is_bomb
GROUP BY h.game, p.kind, p.size
ORDER BY h.game, played DESC, p.kind, p.size
