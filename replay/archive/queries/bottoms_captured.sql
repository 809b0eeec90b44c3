-- zh: 抠底：按游戏和倍数，抠了多少次、底里多少分、算成多少分。
-- en: Bottoms that the attackers captured (抠底), by game and factor: how often, and what they made.
-- group: trumps
-- param: game choice(chaodipi gunzi) = | 游戏 | game
-- chart: x=factor y=hands colour=game kind=bar
SELECT
    game,
    factor,
    count(*) AS hands,
    round(avg(bottom_points), 1) AS points_in_the_bottom,
    round(avg(bottom_points * factor), 1) AS points_they_made,
    count(*) FILTER (WHERE score >= enough AND score - bottom_points * factor < enough)
        AS hands_they_turned
FROM (SELECT *, CASE game WHEN 'chaodipi' THEN 80 WHEN 'gunzi' THEN 120 END AS enough FROM hands)
WHERE mode = 'level' AND factor > 0
  AND (:game IS NULL OR game = :game)
GROUP BY game, factor
ORDER BY game, factor
