-- Is the deal fair? Points, jokers, bonuses and wins by seat: all seats should be about equal.
SELECT
    seat,
    count(*) AS hands,
    round(avg(won::INTEGER), 4) AS win_rate,
    round(avg(delta), 4) AS coins_per_hand,
    round(avg(dealt_counts[53] + dealt_counts[54]), 4) AS jokers_dealt,
    sum((bonus > 0)::INTEGER) AS bonus_deals
FROM seats
WHERE delta IS NOT NULL
GROUP BY seat
ORDER BY seat;
