-- zh: 发牌公平吗：按座位看分数、王、奖励和胜率。
-- en: Is the deal fair? Points, jokers, bonuses and wins by seat: all seats should be about equal.
SELECT
    h.game,
    s.seat,
    count(*) AS hands,
    round(avg(s.won::INTEGER), 4) AS win_rate,
    round(avg(s.captured), 2) AS points_per_hand,
    round(avg(s.delta), 4) AS coins_per_hand,
    round(avg(s.dealt_counts[53] + s.dealt_counts[54]), 4) AS jokers_dealt,
    sum((s.bonus > 0)::INTEGER) AS bonus_deals
FROM seats s
JOIN hands h USING (hand_id)
WHERE h.result IS NOT NULL
GROUP BY h.game, s.seat
ORDER BY h.game, s.seat
