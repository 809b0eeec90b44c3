-- One row for each time that cards were shown for a trump: by whom, whether it stood and won.
SELECT
    d.hand_id,
    d.log_id,
    d.hand,
    d.event,
    h.game,
    d.kind,
    d.seat,
    l.player_ids[d.seat + 1] AS player_id,
    l.player_names[d.seat + 1] AS player_name,
    d.seat % 2 = h.dealer_side AS by_dealers,
    d.cards,
    d.rung,
    d.trump,
    d.after,
    d.event = last.event AS stood,
    h.level,
    CASE WHEN len(h.winners) > 0 THEN list_contains(h.winners, d.seat) END AS won,
    h.score
FROM declarations d
JOIN hands h ON h.log_id = d.log_id AND h.hand = d.hand
JOIN logs l ON l.log_id = d.log_id
JOIN (
    SELECT hand_id, log_id, hand, max(event) AS event FROM declarations GROUP BY ALL
) last ON last.hand_id = d.hand_id AND last.log_id = d.log_id AND last.hand = d.hand
