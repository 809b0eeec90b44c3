-- zh: 每局怎样结束（绑、清、光头、硬牌、升级……）：局数、比例、番数、平均长度。
-- en: How hands end (绑, 清, 光头, 硬牌, 升级 …): number, share, fan (番), average length in plays and seconds.
-- group: hands
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: since date = | 起始日期 | from this day on
-- param: until date = | 截止日期 | up to this day
-- param: zone number = 8 | 时区（东，日期按它算） | hours ahead of UTC, of the days too
-- chart: x=result y=share colour=game kind=bar
SELECT
    game,
    result,
    count(*) AS hands,
    round(count(*) / sum(count(*)) OVER (PARTITION BY game), 4) AS share,
    min(fan) AS least_fan,
    max(fan) AS most_fan,
    round(avg(plays), 1) AS plays,
    round(avg(duration_ms) / 1000, 1) AS seconds
FROM hands
WHERE result IS NOT NULL
  AND (:game IS NULL OR game = :game)
  AND (:since IS NULL
       OR started_at >= CAST(:since AS TIMESTAMP) - to_minutes(CAST(60 * :zone AS INTEGER)))
  AND (:until IS NULL
       OR started_at < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY - to_minutes(CAST(60 * :zone AS INTEGER)))
GROUP BY game, result
ORDER BY game, hands DESC, result
