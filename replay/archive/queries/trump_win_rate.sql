-- 炒地皮: how often the dealer side holds, by trump suit; none is 无主.
SELECT coalesce(trump, '-') AS trump,
       count(*) AS hands,
       round(100 * avg(CASE WHEN result IN ('held', 'match_won') THEN 1 ELSE 0 END), 1)
           AS held_percent,
       round(avg(score), 1) AS attackers_score
FROM hands
WHERE game = 'chaodipi' AND result IN ('held', 'taken', 'match_won') AND mode = 'level'
GROUP BY trump
ORDER BY hands DESC
