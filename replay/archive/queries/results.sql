-- zh: 每局怎样结束（绑、清、光头、硬牌、升级……）：局数、比例、番数、平均长度。
-- en: How hands end (绑, 清, 光头, 硬牌, 升级 …): number, share, fan (番), average length in plays and seconds.
SELECT
    game,
    result,
    count(*) AS hands,
    round(count(*) / sum(count(*)) OVER (PARTITION BY game), 4) AS share,
    max(fan) AS fan,
    round(avg(plays), 1) AS plays,
    round(avg(duration_ms) / 1000, 1) AS seconds
FROM hands
WHERE result IS NOT NULL
GROUP BY game, result
ORDER BY game, hands DESC, result
