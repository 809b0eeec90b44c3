-- One row for each burial in a bottom, with what became of that bottom.
SELECT
    b.hand_id,
    b.log_id,
    b.hand,
    b.event,
    h.game,
    b.seat,
    l.player_ids[b.seat + 1] AS player_id,
    l.player_names[b.seat + 1] AS player_name,
    b.seat = h.dealer AS by_dealer,
    b.taken,
    b.cards,
    b.points,
    len(regexp_extract_all(b.cards, 'Rj'))::UTINYINT AS red_jokers,
    len(regexp_extract_all(b.cards, 'Bj'))::UTINYINT AS black_jokers,
    h.trump,
    h.level,
    o.event IS NULL AS stood,
    CASE WHEN o.event IS NULL THEN h.factor > 0 END AS captured,
    CASE WHEN o.event IS NULL THEN h.factor END AS factor,
    CASE WHEN o.event IS NULL THEN h.bottom_points END AS bottom_points,
    h.score,
    h.risen
FROM burials b
JOIN hands h ON h.log_id = b.log_id AND h.hand = b.hand
JOIN logs l ON l.log_id = b.log_id
LEFT JOIN (
    SELECT hand_id, log_id, hand, max(event) AS event FROM burials GROUP BY ALL
) o ON h.game = 'chaodipi' AND o.hand_id = b.hand_id AND o.log_id = b.log_id AND o.hand = b.hand
    AND o.event > b.event
