-- zh: 思考时间：每人首出和跟牌平均、最长几秒，多少次超过十秒，多少次不是本人出的。
-- en: How long each player thinks (seconds, mean and longest), leading and following, and who acts for him.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: n integer = 1000 | 行数 | rows at most
-- chart: x=player_id y=mean_seconds colour=leading kind=bar
WITH acts AS (
    SELECT
        log_id, seat, is_lead,
        count(*) AS acts,
        sum(dt) AS thought,
        max(dt) AS longest,
        count(*) FILTER (WHERE dt >= 10000) AS slow,
        count(*) FILTER (WHERE made_by <> 'player') AS others
    FROM plays
    WHERE :player IS NULL
       OR log_id IN (SELECT log_id FROM logs WHERE list_contains(player_ids, :player))
    GROUP BY log_id, seat, is_lead
)
SELECT
    l.game,
    l.player_ids[a.seat + 1] AS player_id,
    a.is_lead AS leading,
    sum(a.acts) AS acts,
    round(sum(a.thought) / sum(a.acts) / 1000, 2) AS mean_seconds,
    round(max(a.longest) / 1000, 2) AS longest_seconds,
    round(sum(a.slow) / sum(a.acts), 4) AS over_ten_seconds,
    round(sum(a.others) / sum(a.acts), 4) AS not_by_player
FROM acts a
JOIN logs l ON l.log_id = a.log_id
WHERE (:player IS NULL OR l.player_ids[a.seat + 1] = :player)
  AND (:game IS NULL OR l.game = :game)
GROUP BY ALL
ORDER BY ALL
LIMIT :n
