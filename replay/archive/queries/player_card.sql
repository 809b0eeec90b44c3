-- zh: 玩家名片：某人每种游戏、每个角色的局数、胜率、得分、一游率、王（默认取局数最多的人）。
-- en: A player by game and role, by default whoever played most: hands, wins, coins, points, jokers dealt.
-- group: players
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: since date = | 比赛开始日期从 | matches begun from this day on
-- param: until date = | 比赛开始日期到 | matches begun up to this day
-- param: zone number = 8 | 时区（东，日期按它算） | hours ahead of UTC, of the days too
-- chart: x=role y=win_rate colour=game kind=bar
SELECT
    l.game,
    s.player_id,
    arg_max(s.player_name, s.log_id) AS player,
    s.role,
    count(*) AS hands,
    round(avg(s.won::INTEGER), 4) AS win_rate,
    sum(s.delta) AS coins,
    round(avg(s.delta), 2) AS coins_per_hand,
    round(avg(s.captured), 1) AS points_per_hand,
    round(avg(
        CASE WHEN l.game IN ('dagong', 'chibi_dagun')
             THEN (s.place IS NOT DISTINCT FROM 1)::INTEGER END
    ), 4) AS first_out,
    round(avg(s.dealt_counts[53] + s.dealt_counts[54]), 2) AS jokers_per_hand
FROM seats s
JOIN logs l ON l.log_id = s.log_id
WHERE s.won IS NOT NULL
  AND s.player_id = player_meant(:player, :game)
  AND (:game IS NULL OR l.game = :game)
  AND (:since IS NULL
       OR l.created >= CAST(:since AS TIMESTAMP) - to_minutes(CAST(60 * :zone AS INTEGER)))
  AND (:until IS NULL
       OR l.created < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY - to_minutes(CAST(60 * :zone AS INTEGER)))
GROUP BY l.game, s.player_id, s.role
ORDER BY l.game, s.role
