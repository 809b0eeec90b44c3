-- Bombs by type and size: how often played, and how often nothing beat them.
SELECT
    p.kind,
    p.size,
    count(*) AS played,
    round(avg((t.winner = p.seat AND b.event IS NULL)::INTEGER), 4) AS unbeaten
FROM plays p
JOIN tricks t ON t.hand_id = p.hand_id AND t.trick = p.trick
LEFT JOIN plays b ON b.hand_id = p.hand_id AND b.to_beat = p.event AND NOT b.passed
WHERE p.is_bomb
GROUP BY p.kind, p.size
ORDER BY played DESC, p.kind, p.size;
