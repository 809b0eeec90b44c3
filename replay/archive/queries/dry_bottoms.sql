-- zh: 四副滚子干锅：按主花色，多少次干锅，结果如何。
-- en: 四副滚子: how often the bottom is dry (干锅), by trump suit, and what comes of it.
-- group: gunzi
-- param: level choice(3 4 5 6 7 8 9 T) = | 级别（T = 打10） | level (T is 10)
-- chart: x=trump y=percent_of_trump colour=dry kind=bar
SELECT
    trump,
    bottom_is_dry AS dry,
    count(*) AS hands,
    round(100 * count(*) / sum(count(*)) OVER (PARTITION BY trump), 1) AS percent_of_trump,
    round(avg((bottom_fate = 'captured')::INTEGER), 4) AS captured,
    round(avg(score), 1) AS attackers_score,
    round(avg(risen), 2) AS levels_risen
FROM hands
WHERE bottom_is_dry IS NOT NULL
  AND (:level IS NULL OR level = :level)
GROUP BY trump, bottom_is_dry
ORDER BY trump, dry
