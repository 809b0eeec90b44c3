-- zh: 炒地皮扛旗：打了几局，过了几局，被抓下几局，抓多少分。
-- en: 扛旗 in 炒地皮: how many hands were played for it, how many passed, and the attackers' score.
-- group: trumps
-- chart: x=result y=hands kind=bar
SELECT
    result,
    count(*) AS hands,
    round(count(*) / sum(count(*)) OVER (), 4) AS share,
    round(avg(score), 1) AS attackers_score,
    min(score) AS least,
    max(score) AS most
FROM hands
WHERE mode = 'flag' AND result IS NOT NULL
GROUP BY result
ORDER BY hands DESC, result
