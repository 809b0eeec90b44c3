-- One row for each 硬牌, a hand of one against three, that was settled: who dared, with what.
SELECT
    h.hand_id,
    h.log_id,
    h.hand,
    h.game,
    h.started_at,
    s.seat,
    s.player_id,
    s.player_name,
    s.seat = h.dealer AS is_dealer,
    s.won,
    s.delta,
    s.bonus,
    s.cards_left,
    s.dealt,
    (s.dealt_counts[53] + s.dealt_counts[54])::UTINYINT AS jokers,
    len(list_filter(
        list_transform(
            range(13), lambda r: list_sum(s.dealt_counts[4 * r + 1 : 4 * r + 4])
        ),
        lambda n: n >= 4
    ))::UTINYINT AS bombs_dealt,
    h.plays,
    h.bombs,
    h.tricks
FROM hands h
JOIN seats s
    ON s.log_id = h.log_id AND s.hand = h.hand AND s.seat = h.soloist AND s.role = 'soloist'
WHERE h.mode = 'solo' AND h.result IS NOT NULL
