-- zh: 发牌公平吗：按座位看胜率、抓分、得分、王和奖励，各座应当差不多。
-- en: Is the deal fair? Wins, points, coins, jokers and bonuses by seat: all should be about equal.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: since date = | 起始日期 | from this day on
-- param: until date = | 截止日期 | up to this day
-- chart: x=seat y=win_rate colour=game kind=bar
SELECT
    game,
    seat,
    count(*) AS hands,
    round(avg(won::INTEGER), 4) AS win_rate,
    round(avg(captured), 2) AS points_per_hand,
    round(avg(delta), 4) AS coins_per_hand,
    round(avg(jokers), 4) AS jokers_dealt,
    count(*) FILTER (WHERE bonus > 0) AS bonus_deals
FROM player_results
WHERE TRUE
  AND (:game IS NULL OR game = :game)
  AND (:since IS NULL OR started_at >= CAST(:since AS TIMESTAMP))
  AND (:until IS NULL OR started_at < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY)
GROUP BY game, seat
ORDER BY game, seat
