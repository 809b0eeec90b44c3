-- zh: 每人的不出率，按剩牌张数。
-- en: How often each player passes, by game and by how many cards he has left.
-- A hand with a level is of a trick-taking game, where nobody passes.
SELECT
    h.game,
    s.player_id,
    (p.cards_left // 5) * 5 AS cards_left_from,
    count(*) AS acts,
    round(avg(p.passed::INTEGER), 4) AS pass_rate
FROM plays p
JOIN hands h USING (hand_id)
JOIN seats s ON s.hand_id = p.hand_id AND s.seat = p.seat
WHERE p.is_lead IS NOT NULL AND NOT p.is_lead AND h.level IS NULL
GROUP BY ALL
ORDER BY ALL
