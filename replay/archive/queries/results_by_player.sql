-- zh: 战绩：每人每种游戏的局数、胜率、得分、一游率。
-- en: What each player has won, by game: hands, share of hands won, coins, how often first out (一游).
SELECT
    h.game,
    s.player_id,
    arg_max(s.player_name, s.log_id) AS player_name,
    count(*) AS hands,
    round(avg(s.won::INTEGER), 4) AS win_rate,
    sum(s.delta) AS coins,
    round(avg((s.place = 1)::INTEGER), 4) AS first_out
FROM seats s
JOIN hands h USING (hand_id)
WHERE h.result IS NOT NULL
GROUP BY h.game, s.player_id
ORDER BY h.game, coins DESC, win_rate DESC, s.player_id
