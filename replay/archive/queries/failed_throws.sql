-- zh: 炒地皮甩牌：每人甩了几次，失败几次，收回多少张。
-- en: 炒地皮: throws (甩牌) by player: how many failed, and how many cards they had to take back.
SELECT s.player_id, any_value(s.player_name) AS player,
       count(*) AS throws,
       count(*) FILTER (WHERE NOT t.stands) AS failed,
       round(100 * avg(CASE WHEN t.stands THEN 0 ELSE 1 END), 1) AS failed_percent,
       sum(length(t.cards) - length(t.led)) // 3 AS cards_taken_back
FROM throws t
JOIN seats s ON s.hand_id = t.hand_id AND s.seat = t.seat
GROUP BY s.player_id
ORDER BY failed DESC, s.player_id
