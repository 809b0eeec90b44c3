-- zh: 抓分方得分的分布，每十分一档，各档谁坐庄。
-- en: The attackers' score in tens: how many hands, and how often they took the deal.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: level text = | 级别（2 … A F） | level
-- chart: x=score_from y=hands colour=game kind=bar
SELECT
    game,
    CAST(floor(score / 10) * 10 AS INTEGER) AS score_from,
    count(*) AS hands,
    round(avg((NOT list_contains(winners, dealer))::INTEGER), 4) AS attackers_won,
    round(avg(risen), 2) AS levels_risen
FROM hands
WHERE score IS NOT NULL
  AND (:level IS NULL OR level = :level)
  AND (:game IS NULL OR game = :game)
GROUP BY game, score_from
ORDER BY game, score_from
