-- zh: 升级的比赛怎样结束：谁赢、靠什么、打了几局。
-- en: How matches with levels end, by who won them and by what: number, hands played, attackers' score.
SELECT
    game,
    result,
    effect,
    count(*) AS matches,
    round(avg(hand_no), 1) AS hands_played,
    round(avg(score), 1) AS attackers_score
FROM hands
WHERE result IN ('match_won', 'escaped', 'match_to_dealers', 'match_to_attackers')
GROUP BY game, result, effect
ORDER BY game, matches DESC, result, effect
