-- One row for each finding, with the game, the log and the player that it is about.
SELECT
    f.hand_id,
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
