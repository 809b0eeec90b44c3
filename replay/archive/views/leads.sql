-- One row for each lead, the first play of a trick: what was led, and whether it won.
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
    p.cards,
    p.kind,
    p.size,
    p.rank,
    p.is_bomb,
    p.cards_left,
    t.winner,
    t.winner = p.seat AS won,
    t.points AS trick_points,
    t.plays,
    t.bombs
FROM plays p
JOIN hands h ON h.log_id = p.log_id AND h.hand = p.hand
JOIN logs l ON l.log_id = p.log_id
JOIN tricks t ON t.log_id = p.log_id AND t.hand = p.hand AND t.trick = p.trick
WHERE p.is_lead
