-- One row for each bomb that was played: who played it, on what, and whether nothing beat it.
SELECT
    h.hand_id,
    p.log_id,
    p.hand,
    p.event,
    h.game,
    p.trick,
    p.seat,
    l.player_ids[p.seat + 1] AS player_id,
    l.player_names[p.seat + 1] AS player_name,
    p.kind,
    p.size,
    p.rank,
    p.cards,
    p.wilds,
    p.is_lead,
    p.to_beat,
    p.cards_left,
    b.event AS beaten_by,
    b.event IS NULL AS stood,
    t.points AS trick_points,
    t.bombs AS trick_bombs
FROM plays p
JOIN hands h ON h.log_id = p.log_id AND h.hand = p.hand
JOIN logs l ON l.log_id = p.log_id
JOIN tricks t ON t.log_id = p.log_id AND t.hand = p.hand AND t.trick = p.trick
LEFT JOIN plays b
    ON b.log_id = p.log_id AND b.hand = p.hand AND b.to_beat = p.event AND b.is_bomb
WHERE p.is_bomb
