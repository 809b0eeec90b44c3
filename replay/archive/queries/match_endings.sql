-- zh: 升级的比赛怎样结束：谁赢、靠什么、打了几局。
-- en: How matches with levels end, by who won them and by what: number, hands played, attackers' score.
-- group: matches
-- param: game choice(chaodipi gunzi) = | 游戏 | game
-- param: since date = | 起始日期 | from this day on
-- param: until date = | 截止日期 | up to this day
-- param: zone number = 8 | 时区（东，日期按它算） | hours ahead of UTC, of the days too
-- chart: x=result y=matches colour=effect kind=bar
SELECT
    game,
    result,
    effect,
    count(DISTINCT file_id) AS matches,
    round(avg(hand_no), 1) AS hands_played,
    round(avg(score), 1) AS attackers_score
FROM hands
JOIN (SELECT log_id, file_id FROM logs) copy USING (log_id)
WHERE result IN ('match_won', 'escaped', 'match_to_dealers', 'match_to_attackers')
  AND (:game IS NULL OR game = :game)
  AND (:since IS NULL
       OR started_at >= CAST(:since AS TIMESTAMP) - to_minutes(CAST(60 * :zone AS INTEGER)))
  AND (:until IS NULL
       OR started_at < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY - to_minutes(CAST(60 * :zone AS INTEGER)))
GROUP BY game, result, effect
ORDER BY game, matches DESC, result, effect
