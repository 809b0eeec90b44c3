-- zh: 叫牌点数与庄家胜率，分明鸡与否。
-- en: How often the dealer's side wins, by the rank of the called card (叫牌) and whether it was shown (明鸡).
SELECT
    h.game,
    h.called[:-2] AS called_rank,
    h.revealed_at IS NOT NULL AS revealed,
    count(*) AS hands,
    round(avg(s.won::INTEGER), 4) AS dealer_wins
FROM hands h
JOIN seats s ON s.hand_id = h.hand_id AND s.seat = h.dealer
WHERE h.mode = 'friend' AND h.result IS NOT NULL
GROUP BY ALL
ORDER BY ALL
