-- zh: 战绩榜：每人每种游戏的局数、胜率、得分、一游率。
-- en: What each player has won, by game: hands, share of hands won, coins, how often first out (一游).
-- group: players
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: since date = | 比赛开始日期从 | matches begun from this day on
-- param: until date = | 比赛开始日期到 | matches begun up to this day
-- param: zone number = 8 | 时区（东，日期按它算） | hours ahead of UTC, of the days too
-- param: n integer = 1000 | 行数 | rows at most
-- chart: x=player_id y=coins colour=game kind=bar
SELECT
    l.game,
    s.player_id,
    arg_max(s.player_name, s.log_id) AS player_name,
    count(*) AS hands,
    round(avg(s.won::INTEGER), 4) AS win_rate,
    sum(s.delta) AS coins,
    round(avg(
        CASE WHEN l.game IN ('dagong', 'chibi_dagun')
             THEN (s.place IS NOT DISTINCT FROM 1)::INTEGER END
    ), 4) AS first_out
FROM seats s
JOIN logs l ON l.log_id = s.log_id
WHERE (s.level_after IS NOT NULL OR s.delta IS NOT NULL)
  AND (:game IS NULL OR l.game = :game)
  AND (:player IS NULL OR :player IN (s.player_id, s.player_name))
  AND (:since IS NULL
       OR l.created >= CAST(:since AS TIMESTAMP) - to_minutes(CAST(60 * :zone AS INTEGER)))
  AND (:until IS NULL
       OR l.created < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY - to_minutes(CAST(60 * :zone AS INTEGER)))
GROUP BY l.game, s.player_id
ORDER BY l.game, coins DESC, win_rate DESC, s.player_id
LIMIT :n
