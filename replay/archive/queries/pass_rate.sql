-- zh: 每人的不出率，按出牌前剩几张（每五张一档）。
-- en: How often each player passes when he has to answer, by game and by how many cards he has left.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- chart: x=cards_left_from y=pass_rate colour=player_id kind=line
WITH acts AS (
    SELECT
        log_id,
        seat,
        (cards_left // 5) * 5 AS cards_left_from,
        count(*) AS acts,
        count(*) FILTER (WHERE passed) AS passes
    FROM plays
    WHERE NOT is_lead
      AND log_id IN (
        SELECT log_id FROM logs
        WHERE game IN ('dagong', 'chibi_dagun')
          AND (:game IS NULL OR game = :game)
          AND (:player IS NULL OR list_contains(player_ids, :player))
      )
    GROUP BY log_id, seat, cards_left_from
)
SELECT
    l.game,
    l.player_ids[a.seat + 1] AS player_id,
    a.cards_left_from,
    sum(a.acts) AS acts,
    round(sum(a.passes) / sum(a.acts), 4) AS pass_rate
FROM acts a
JOIN logs l ON l.log_id = a.log_id
WHERE :player IS NULL OR l.player_ids[a.seat + 1] = :player
GROUP BY ALL
ORDER BY ALL
