-- 炒地皮: bottoms that the attackers won, by factor: how often, with how many points.
SELECT factor,
       count(*) AS hands,
       round(avg(bottom_points), 1) AS points_in_the_bottom,
       round(avg(bottom_points * factor), 1) AS points_they_made,
       count(*) FILTER (WHERE score >= 80 AND score - bottom_points * factor < 80)
           AS hands_they_turned
FROM hands
WHERE game = 'chaodipi' AND mode = 'level' AND factor > 0
GROUP BY factor
ORDER BY factor
