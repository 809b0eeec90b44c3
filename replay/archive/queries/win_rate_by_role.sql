-- zh: 各角色（庄家、对家、闲家、硬牌、抓分方）的胜率和每局得分。
-- en: How often each role wins, and what it brings a hand: dealer, partner, opponent, soloist, attacker.
-- group: hands
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: since date = | 比赛开始日期从 | matches begun from this day on
-- param: until date = | 比赛开始日期到 | matches begun up to this day
-- param: zone number = 8 | 时区（东，日期按它算） | hours ahead of UTC, of the days too
-- chart: x=role y=win_rate colour=game kind=bar
SELECT
    l.game,
    s.role,
    count(*) AS seats,
    round(avg(s.won::INTEGER), 4) AS win_rate,
    round(avg(s.delta), 4) AS coins_per_hand,
    round(avg(s.captured), 2) AS points_per_hand
FROM seats s
JOIN logs l ON l.log_id = s.log_id
WHERE s.won IS NOT NULL
  AND (:game IS NULL OR l.game = :game)
  AND (:player IS NULL OR :player IN (s.player_id, s.player_name))
  AND (:since IS NULL
       OR l.created >= CAST(:since AS TIMESTAMP) - to_minutes(CAST(60 * :zone AS INTEGER)))
  AND (:until IS NULL
       OR l.created < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY - to_minutes(CAST(60 * :zone AS INTEGER)))
GROUP BY l.game, s.role
ORDER BY l.game, s.role
