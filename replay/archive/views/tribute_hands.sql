-- One row for each hand of 四副滚子 in which tribute was due: what was owed, paid and returned.
SELECT
    h.hand_id,
    h.log_id,
    h.hand,
    p.event,
    h.level,
    h.started_at,
    p.seat AS payer,
    p.receiver,
    l.player_ids[p.seat + 1] AS payer_id,
    l.player_ids[p.receiver + 1] AS receiver_id,
    h.due_for_score,
    h.due_for_jokers,
    p.n_cards AS paid,
    p.cards AS paid_cards,
    len(regexp_extract_all(p.cards, '[RB]j'))::UTINYINT AS jokers_paid,
    r.cards AS returned_cards,
    len(regexp_extract_all(r.cards, '[5TK][dchs]'))::UTINYINT AS point_cards_returned,
    h.result,
    h.score
FROM hands h
JOIN logs l ON l.log_id = h.log_id
LEFT JOIN tributes p ON p.log_id = h.log_id AND p.hand = h.hand AND p.kind = 'paid'
LEFT JOIN tributes r ON r.log_id = h.log_id AND r.hand = h.hand AND r.kind = 'returned'
WHERE h.due_for_score + h.due_for_jokers > 0
