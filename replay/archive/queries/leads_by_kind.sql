-- zh: 首出什么牌：各牌型首出多少次，占多少。
-- en: What is led: types of first plays of a trick, how often, and their share.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- chart: x=kind y=share colour=game kind=bar
WITH led AS (
    SELECT log_id, seat, kind, count(*) AS leads, sum(n_cards) AS cards
    FROM plays
    WHERE is_lead
    GROUP BY log_id, seat, kind
)
SELECT
    l.game,
    d.kind,
    sum(d.leads) AS leads,
    round(sum(d.leads) / sum(sum(d.leads)) OVER (PARTITION BY l.game), 4) AS share,
    round(sum(d.cards) / sum(d.leads), 2) AS cards_per_lead
FROM led d
JOIN logs l ON l.log_id = d.log_id
WHERE TRUE
  AND (:game IS NULL OR l.game = :game)
  AND (:player IS NULL OR l.player_ids[d.seat + 1] = :player)
GROUP BY l.game, d.kind
ORDER BY l.game, leads DESC, d.kind
