-- One row for each player and hand that was settled: what a statistic of results wants.
SELECT
    s.hand_id,
    s.log_id,
    s.hand,
    h.game,
    h.started_at,
    h.duration_ms,
    s.seat,
    s.player_id,
    s.player_name,
    s.role,
    s.side,
    s.seat = h.dealer AS is_dealer,
    s.role = 'soloist' AS is_soloist,
    CASE
        WHEN h.mode IN ('level', 'flag') THEN (s.seat + 2) % 4
        WHEN h.mode <> 'friend' THEN NULL
        WHEN s.seat = h.dealer THEN h.partner
        WHEN s.seat = h.partner THEN h.dealer
        ELSE 6 - h.dealer - h.partner - s.seat
    END::UTINYINT AS partner_seat,
    h.soloist,
    h.mode,
    h.result,
    h.fan,
    h.effect,
    h.level,
    h.trump,
    s.won,
    s.delta,
    s.bonus,
    s.place,
    s.captured,
    s.final,
    h.score,
    s.level_before,
    s.level_after,
    s.balance_before,
    s.balance_after,
    s.cards_left,
    s.dealt,
    (s.dealt_counts[53] + s.dealt_counts[54])::UTINYINT AS jokers,
    h.findings
FROM seats s
JOIN hands h ON h.log_id = s.log_id AND h.hand = s.hand
WHERE h.result IS NOT NULL
