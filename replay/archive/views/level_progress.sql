-- One row for each hand with a level that was settled, and side: how the level moved, and why.
SELECT
    h.hand_id,
    h.log_id,
    h.hand,
    h.game,
    h.hand_no,
    h.started_at,
    s.seat::UTINYINT AS side,
    s.level_before,
    s.level_after,
    strpos('23456789TJQKAF', s.level_before)::UTINYINT AS step_before,
    strpos('23456789TJQKAF', s.level_after)::UTINYINT AS step_after,
    h.dealer_side = s.seat AS is_dealers,
    s.won,
    h.dealer,
    h.trump,
    h.score,
    h.result,
    h.effect,
    h.risen
FROM hands h
JOIN seats s ON s.log_id = h.log_id AND s.hand = h.hand AND s.seat IN (0, 1)
WHERE h.level IS NOT NULL AND h.result IS NOT NULL
