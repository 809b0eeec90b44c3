-- One row for each play and each pass: who acted, in which role, in which game.
SELECT
    h.hand_id,
    p.log_id,
    p.hand,
    p.event,
    h.game,
    h.started_at,
    p.trick,
    p.seat,
    l.player_ids[p.seat + 1] AS player_id,
    l.player_names[p.seat + 1] AS player_name,
    CASE
        WHEN h.mode IS NULL THEN 'player'
        WHEN h.soloist = p.seat THEN 'soloist'
        WHEN h.dealer = p.seat THEN 'dealer'
        WHEN h.soloist IS NOT NULL THEN 'opponent'
        WHEN h.partner = p.seat THEN 'partner'
        WHEN h.mode = 'friend' THEN 'opponent'
        ELSE 'attacker'
    END AS role,
    p.made_by,
    p.dt,
    p.passed,
    p.cards,
    p.codes,
    p.n_cards,
    p.led,
    p.kind,
    p.size,
    p.rank,
    p.wilds,
    p.declared,
    p.is_bomb,
    p.is_lead,
    p.to_beat,
    p.cards_left,
    p.points
FROM plays p
JOIN hands h ON h.log_id = p.log_id AND h.hand = p.hand
JOIN logs l ON l.log_id = p.log_id
