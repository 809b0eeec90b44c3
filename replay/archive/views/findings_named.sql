-- One row for each finding, with the game, the log and the player that it is about.
SELECT
    coalesce(f.hand_id, h.hand_id) AS hand_id,
    f.log_id,
    f.hand,
    f.event,
    l.game,
    f.kind,
    f.rule,
    f.zh,
    f.en,
    f.expected,
    f.logged,
    f.proof,
    f.trick,
    f.seat,
    l.player_ids[f.seat + 1] AS player_id,
    l.player_names[f.seat + 1] AS player_name,
    f.finding,
    f.byte_offset,
    l.producer,
    l.path
FROM findings f
JOIN logs l ON l.log_id = f.log_id
LEFT JOIN hands h ON f.hand_id IS NULL AND h.log_id = f.log_id AND h.hand = f.hand
