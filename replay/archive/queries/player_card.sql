-- zh: 玩家名片：每种游戏、每个角色打了几局，胜率、得分、抓分、一游率、发到几张王。
-- en: A player by game and role: hands, share won, coins, points captured, how often first out, jokers dealt.
-- param: player text = | 玩家编号 | player id
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: since date = | 起始日期 | from this day on
-- param: until date = | 截止日期 | up to this day
-- chart: x=role y=win_rate colour=game kind=bar
SELECT
    game,
    player_id,
    max(player_name) AS player,
    role,
    count(*) AS hands,
    round(avg(won::INTEGER), 4) AS win_rate,
    sum(delta) AS coins,
    round(avg(delta), 2) AS coins_per_hand,
    round(avg(captured), 1) AS points_per_hand,
    round(avg((place = 1)::INTEGER), 4) AS first_out,
    round(avg(jokers), 2) AS jokers_per_hand
FROM player_results
WHERE TRUE
  AND (:player IS NULL OR player_id = :player)
  AND (:game IS NULL OR game = :game)
  AND (:since IS NULL OR started_at >= CAST(:since AS TIMESTAMP))
  AND (:until IS NULL OR started_at < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY)
GROUP BY game, player_id, role
ORDER BY game, player_id, role
