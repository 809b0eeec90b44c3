-- Plays that contain a 大王: with what, as what, against what, and whether it was beaten.
SELECT p.hand_id, p.event, p.seat, p.cards, p.kind, p.wilds, b.cards AS laid_on, n.event IS NOT NULL AS beaten
FROM plays p
LEFT JOIN plays b ON b.hand_id = p.hand_id AND b.event = p.to_beat
LEFT JOIN plays n ON n.hand_id = p.hand_id AND n.to_beat = p.event AND NOT n.passed
WHERE p.cards LIKE '%Rj%'
ORDER BY p.hand_id, p.event
LIMIT 100;
