-- What each player has won: hands, share of hands won, coins, and how often first out (一游).
SELECT
    player_id,
    arg_max(player_name, log_id) AS player_name,
    count(*) AS hands,
    round(avg(won::INTEGER), 4) AS win_rate,
    sum(delta) AS coins,
    round(avg((place = 1)::INTEGER), 4) AS first_out
FROM seats
WHERE delta IS NOT NULL
GROUP BY player_id
ORDER BY coins DESC, player_id;
