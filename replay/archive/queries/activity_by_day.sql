-- zh: 每天打了几局、几场。
-- en: Hands and matches a day.
-- group: players
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: since date = | 起始日期 | from this day on
-- param: until date = | 截止日期 | up to this day
-- param: zone number = 8 | 时区（东） | hours ahead of UTC
-- chart: x=day y=hands colour=game kind=line
WITH days AS (
    SELECT
        CAST(started_at + to_minutes(CAST(60 * :zone AS INTEGER)) AS DATE) AS day,
        game,
        log_id,
        count(*) AS hands
    FROM hands
    WHERE started_at IS NOT NULL
      AND (:game IS NULL OR game = :game)
      AND (:since IS NULL
       OR started_at >= CAST(:since AS TIMESTAMP) - to_minutes(CAST(60 * :zone AS INTEGER)))
      AND (:until IS NULL
       OR started_at < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY - to_minutes(CAST(60 * :zone AS INTEGER)))
    GROUP BY day, game, log_id
)
SELECT d.day, d.game, sum(d.hands) AS hands, count(DISTINCT l.file_id) AS matches
FROM days d
JOIN logs l ON l.log_id = d.log_id
GROUP BY d.day, d.game
ORDER BY d.day, d.game
