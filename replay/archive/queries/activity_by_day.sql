-- zh: 每天打了几局、几场。
-- en: Hands and matches a day.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: since date = | 起始日期 | from this day on
-- param: until date = | 截止日期 | up to this day
-- param: zone number = 8 | 时区（东） | hours ahead of UTC
-- chart: x=day y=hands colour=game kind=line
SELECT
    CAST(started_at + to_minutes(CAST(60 * :zone AS INTEGER)) AS DATE) AS day,
    game,
    count(*) AS hands,
    count(DISTINCT log_id) AS matches
FROM hands
WHERE started_at IS NOT NULL
  AND (:game IS NULL OR game = :game)
  AND (:since IS NULL OR started_at >= CAST(:since AS TIMESTAMP))
  AND (:until IS NULL OR started_at < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY)
GROUP BY day, game
ORDER BY day, game
