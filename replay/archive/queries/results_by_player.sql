-- zh: 战绩榜：每人每种游戏的局数、胜率、得分、一游率。
-- en: What each player has won, by game: hands, share of hands won, coins, how often first out (一游).
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: since date = | 起始日期 | from this day on
-- param: until date = | 截止日期 | up to this day
-- param: n integer = 1000 | 行数 | rows at most
-- chart: x=player_id y=coins colour=game kind=bar
SELECT
    game,
    player_id,
    arg_max(player_name, log_id) AS player_name,
    count(*) AS hands,
    round(avg(won::INTEGER), 4) AS win_rate,
    sum(delta) AS coins,
    round(avg((place = 1)::INTEGER), 4) AS first_out
FROM player_results
WHERE TRUE
  AND (:game IS NULL OR game = :game)
  AND (:player IS NULL OR player_id = :player)
  AND (:since IS NULL OR started_at >= CAST(:since AS TIMESTAMP))
  AND (:until IS NULL OR started_at < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY)
GROUP BY game, player_id
ORDER BY game, coins DESC, win_rate DESC, player_id
LIMIT :n
