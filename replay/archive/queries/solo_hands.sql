-- 硬牌 by player: how often it was dared, how often it was won, and what it brought.
SELECT
    s.player_id,
    count(*) AS solo_hands,
    round(avg(s.won::INTEGER), 4) AS won,
    sum(s.delta) AS coins
FROM hands h
JOIN seats s ON s.hand_id = h.hand_id AND s.seat = h.soloist
WHERE h.result IS NOT NULL
GROUP BY s.player_id
ORDER BY solo_hands DESC, s.player_id;
