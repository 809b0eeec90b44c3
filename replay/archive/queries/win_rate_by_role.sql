-- zh: 各角色（庄家、对家、闲家、硬牌、抓分方）的胜率和每局得分。
-- en: How often each role wins, and what it brings a hand: dealer, partner, opponent, soloist, attacker.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: since date = | 起始日期 | from this day on
-- param: until date = | 截止日期 | up to this day
-- chart: x=role y=win_rate colour=game kind=bar
SELECT
    game,
    mode,
    role,
    count(*) AS seats,
    round(avg(won::INTEGER), 4) AS win_rate,
    round(avg(delta), 4) AS coins_per_hand,
    round(avg(captured), 2) AS points_per_hand
FROM player_results
WHERE TRUE
  AND (:game IS NULL OR game = :game)
  AND (:player IS NULL OR player_id = :player)
  AND (:since IS NULL OR started_at >= CAST(:since AS TIMESTAMP))
  AND (:until IS NULL OR started_at < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY)
GROUP BY game, mode, role
ORDER BY game, mode, role
