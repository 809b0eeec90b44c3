-- zh: 抓分方得分的分布，每十分一档：多少局、抓分方赢了多少、升几级。
-- en: The attackers' score in tens: how many hands, how often they won, and levels that were risen.
-- group: trumps
-- param: game choice(chaodipi gunzi) = | 游戏 | game
-- param: level choice(2 3 4 5 6 7 8 9 T J Q K A F) = | 级别（T = 打10；四副滚子 3 … T） | level (T is 10; in 四副滚子 3 to T)
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
