-- One row for each log that could be read: a match, or the part of one that the log holds.
SELECT
    l.log_id,
    l.game,
    l.path,
    l.created,
    before.log_id AS continues,
    l.player_ids,
    l.player_names,
    l.producer,
    h.started_at,
    h.ended_at,
    h.duration_ms,
    l.hands,
    h.settled,
    l.aborted,
    l.in_progress,
    h.plays,
    h.ended_by,
    h.effect,
    h.winners,
    h.last_hand AS hand_id,
    l.findings,
    l.unverified
FROM logs l
LEFT JOIN (
    SELECT
        log_id,
        min(started_at) AS started_at,
        max(started_at + to_milliseconds(duration_ms)) AS ended_at,
        sum(duration_ms)::BIGINT AS duration_ms,
        count(result)::INTEGER AS settled,
        sum(plays)::BIGINT AS plays,
        max(result) FILTER (WHERE ends_match) AS ended_by,
        max(effect) FILTER (WHERE ends_match) AS effect,
        max(winners) FILTER (WHERE ends_match) AS winners,
        arg_max(hand_id, hand) AS last_hand
    FROM (
        SELECT
            *,
            result IN ('match_won', 'escaped', 'match_to_dealers', 'match_to_attackers')
                AS ends_match
        FROM hands
    )
    GROUP BY log_id
) h ON h.log_id = l.log_id
LEFT JOIN (
    SELECT head_leaf, min(log_id) AS log_id FROM logs GROUP BY head_leaf
) before ON before.head_leaf = l.previous_head
WHERE l.error IS NULL
