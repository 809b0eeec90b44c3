-- zh: 亮主、反主的人赢不赢：按亮法和级别，亮过多少次、站住多少次。
-- en: Who makes trump (亮主) and wins: by kind of show and rung, how often it stood and its side won.
SELECT d.game, d.kind, d.rung,
       count(*) AS shows,
       count(*) FILTER (WHERE d.last) AS stood,
       round(100 * avg(s.won::INTEGER) FILTER (WHERE d.last), 1) AS won_percent_where_it_stood
FROM (
    SELECT d.*, h.game,
           row_number() OVER (PARTITION BY d.hand_id ORDER BY d.event DESC) = 1 AS last
    FROM declarations d
    JOIN hands h USING (hand_id)
) d
JOIN seats s ON s.hand_id = d.hand_id AND s.seat = d.seat
WHERE s.won IS NOT NULL
GROUP BY d.game, d.kind, d.rung
ORDER BY d.game, d.kind, d.rung
