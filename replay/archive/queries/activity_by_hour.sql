-- zh: 一天里什么时候打牌：按星期和钟点的局数。
-- en: When people play: hands by day of the week (1 = Monday) and hour.
-- group: players
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: zone number = 8 | 时区（东） | hours ahead of UTC
-- chart: x=hour y=hands colour=weekday kind=line
SELECT
    isodow(started_at + to_minutes(CAST(60 * :zone AS INTEGER))) AS weekday,
    hour(started_at + to_minutes(CAST(60 * :zone AS INTEGER))) AS hour,
    count(*) AS hands
FROM hands
WHERE started_at IS NOT NULL
  AND (:game IS NULL OR game = :game)
GROUP BY weekday, hour
ORDER BY weekday, hour
