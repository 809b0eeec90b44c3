-- zh: 一局多久：按分钟数分布。
-- en: How long a hand takes: how many hands by whole minutes.
-- group: hands
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: since date = | 起始日期 | from this day on
-- param: until date = | 截止日期 | up to this day
-- param: zone number = 8 | 时区（东，日期按它算） | hours ahead of UTC, of the days too
-- chart: x=minutes y=hands colour=game kind=bar
SELECT
    game,
    duration_ms // 60000 AS minutes,
    count(*) AS hands,
    round(count(*) / sum(count(*)) OVER (PARTITION BY game), 4) AS share
FROM hands
WHERE result IS NOT NULL
  AND (:game IS NULL OR game = :game)
  AND (:since IS NULL
       OR started_at >= CAST(:since AS TIMESTAMP) - to_minutes(CAST(60 * :zone AS INTEGER)))
  AND (:until IS NULL
       OR started_at < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY - to_minutes(CAST(60 * :zone AS INTEGER)))
GROUP BY game, minutes
ORDER BY game, minutes
