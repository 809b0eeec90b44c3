-- zh: 炒地皮甩牌：每人甩了几次，失败几次，收回多少张。
-- en: 炒地皮: throws (甩牌) by player: how many failed, and how many cards they had to take back.
-- group: trumps
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- chart: x=player_id y=failed kind=bar
SELECT
    l.player_ids[t.seat + 1] AS player_id,
    max(l.player_names[t.seat + 1]) AS player,
    count(*) AS throws,
    count(*) FILTER (WHERE NOT t.stands) AS failed,
    round(100 * avg((NOT t.stands)::INTEGER), 1) AS failed_percent,
    CAST(sum(length(t.cards) - length(t.led)) // 3 AS BIGINT) AS cards_taken_back
FROM throws t
JOIN logs l ON l.log_id = t.log_id
WHERE :player IS NULL OR :player IN (l.player_ids[t.seat + 1], l.player_names[t.seat + 1])
GROUP BY l.player_ids[t.seat + 1]
ORDER BY failed DESC, player_id
