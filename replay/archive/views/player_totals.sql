-- One row for each game and player: the sums of all hands that were settled.
SELECT
    h.game,
    s.player_id,
    arg_max(s.player_name, s.log_id) AS player_name,
    count(*) AS hands,
    count(*) FILTER (WHERE s.won) AS won,
    avg(s.won::INTEGER) AS win_rate,
    sum(s.delta)::BIGINT AS coins,
    max(s.delta) AS best,
    min(s.delta) AS worst,
    sum(s.bonus)::BIGINT AS bonuses,
    count(*) FILTER (WHERE s.place = 1) AS first_out,
    count(*) FILTER (WHERE s.seat = h.dealer) AS as_dealer,
    count(*) FILTER (WHERE s.role = 'soloist') AS as_soloist,
    sum(s.captured)::BIGINT AS captured,
    min(h.started_at) AS first_hand,
    max(h.started_at) AS last_hand
FROM seats s
JOIN hands h ON h.log_id = s.log_id AND h.hand = s.hand
WHERE h.result IS NOT NULL
GROUP BY h.game, s.player_id
