-- 炒地皮: who makes trump and wins: by kind of show, how often it stood and its seat's side won.
SELECT d.kind, d.rung,
       count(*) AS shows,
       count(*) FILTER (WHERE d.last) AS stood,
       round(100 * avg(CASE WHEN s.won THEN 1 ELSE 0 END) FILTER (WHERE d.last), 1)
           AS won_percent_where_it_stood
FROM (
    SELECT *, row_number() OVER (PARTITION BY hand_id ORDER BY event DESC) = 1 AS last
    FROM declarations
) d
JOIN seats s ON s.hand_id = d.hand_id AND s.seat = d.seat
WHERE s.won IS NOT NULL
GROUP BY d.kind, d.rung
ORDER BY d.kind, d.rung
