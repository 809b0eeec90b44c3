-- zh: 硬牌：每人硬了几局、赢了多少、得了多少。
-- en: 硬牌 by game and player: how often it was dared, how often it was won, and what it brought.
SELECT
    h.game,
    s.player_id,
    count(*) AS solo_hands,
    round(avg(s.won::INTEGER), 4) AS won,
    sum(s.delta) AS coins
FROM hands h
JOIN seats s ON s.hand_id = h.hand_id AND s.seat = h.soloist
WHERE h.result IS NOT NULL
GROUP BY h.game, s.player_id
ORDER BY h.game, solo_hands DESC, s.player_id
