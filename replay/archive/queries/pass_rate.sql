-- How often each player passes, by how many cards he has left.
SELECT
    s.player_id,
    (p.cards_left // 5) * 5 AS cards_left_from,
    count(*) AS acts,
    round(avg(p.passed::INTEGER), 4) AS pass_rate
FROM plays p
JOIN seats s ON s.hand_id = p.hand_id AND s.seat = p.seat
WHERE p.is_lead IS NOT NULL AND NOT p.is_lead
GROUP BY ALL
ORDER BY ALL;
