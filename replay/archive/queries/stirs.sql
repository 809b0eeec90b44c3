-- zh: 炒地皮抄底：一局抄几次，多常见，庄家方胜率和抓分多少。
-- en: 炒地皮: how often the bottom is stirred (抄底) in a hand, and who wins then.
-- group: trumps
-- param: level choice(2 3 4 5 6 7 8 9 T J Q K A) = | 级别（T = 打10） | level (T is 10)
-- chart: x=stirs y=hands kind=bar
WITH stirred AS (
    SELECT log_id, hand, count(*) AS stirs FROM declarations WHERE kind = 'stirred' GROUP BY ALL
)
SELECT
    coalesce(s.stirs, 0) AS stirs,
    count(*) AS hands,
    round(count(*) / sum(count(*)) OVER (), 4) AS share,
    round(avg(list_contains(h.winners, h.dealer)::INTEGER), 4) AS dealers_won,
    round(avg((h.declarer % 2 = h.dealer_side)::INTEGER), 4) AS last_shown_by_dealers,
    round(avg(h.score), 1) AS attackers_score
FROM hands h
LEFT JOIN stirred s ON s.log_id = h.log_id AND s.hand = h.hand
WHERE h.game = 'chaodipi' AND h.mode = 'level' AND h.score IS NOT NULL
  AND (:level IS NULL OR h.level = :level)
GROUP BY stirs
ORDER BY stirs
