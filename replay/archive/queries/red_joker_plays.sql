-- zh: 大王的下落：怎么出的、压在什么上、有没有被压。
-- en: Plays that contain a 大王: with what, as what, behind what, and whether it was beaten.
SELECT h.game, p.hand_id, p.event, p.seat, p.cards, p.kind, p.wilds, b.cards AS laid_on,
       CASE WHEN h.level IS NULL THEN n.event IS NOT NULL ELSE t.winner <> p.seat END AS beaten
FROM plays p
JOIN hands h USING (hand_id)
LEFT JOIN tricks t ON t.hand_id = p.hand_id AND t.trick = p.trick
LEFT JOIN plays b ON b.hand_id = p.hand_id AND b.event = p.to_beat
LEFT JOIN plays n ON n.hand_id = p.hand_id AND n.to_beat = p.event AND NOT n.passed
WHERE p.cards LIKE '%Rj%'
ORDER BY p.hand_id, p.event
LIMIT 100
