-- zh: 玩家名片：每种游戏、每个角色打了几局，胜率、得分、抓分、一游率、发到几张王。
-- en: A player by game and role: hands, share won, coins, points captured, how often first out, jokers dealt.
-- param: player text = | 玩家编号 | player id
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: since date = | 比赛开始日期从 | matches begun from this day on
-- param: until date = | 比赛开始日期到 | matches begun up to this day
-- param: n integer = 1000 | 行数 | rows at most
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
    round(avg((s.place = 1)::INTEGER), 4) AS first_out,
    round(avg(s.dealt_counts[53] + s.dealt_counts[54]), 2) AS jokers_per_hand
FROM seats s
JOIN logs l ON l.log_id = s.log_id
WHERE s.won IS NOT NULL
  AND (:player IS NULL OR s.player_id = :player)
  AND (:game IS NULL OR l.game = :game)
  AND (:since IS NULL OR l.created >= CAST(:since AS TIMESTAMP))
  AND (:until IS NULL OR l.created < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY)
GROUP BY l.game, s.player_id, s.role
ORDER BY l.game, s.player_id, s.role
LIMIT :n
