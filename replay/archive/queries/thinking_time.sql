-- zh: 思考时间：每人首出和跟牌的中位数与最长（秒），多少不是本人出的。
-- en: How long each player thinks (seconds, median and longest), leading and following, and who acts for him.
SELECT
    h.game,
    s.player_id,
    p.is_lead AS leading,
    count(*) AS acts,
    round(median(p.dt) / 1000, 2) AS median_seconds,
    round(max(p.dt) / 1000, 2) AS longest_seconds,
    round(avg((p.made_by <> 'player')::INTEGER), 4) AS not_by_player
FROM plays p
JOIN hands h USING (hand_id)
JOIN seats s ON s.hand_id = p.hand_id AND s.seat = p.seat
GROUP BY ALL
ORDER BY ALL
