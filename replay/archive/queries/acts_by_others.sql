-- zh: 托管和超时：每人有多少手是超时、托管、机器人或服务器代出的。
-- en: Who lets others play: acts by time-out, 托管, bot and server, and their share, by player.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=player_id y=share colour=game kind=bar
WITH acts AS (
    SELECT
        log_id, seat,
        count(*) AS acts,
        count(*) FILTER (WHERE made_by = 'timeout') AS timeout,
        count(*) FILTER (WHERE made_by = 'trustee') AS trustee,
        count(*) FILTER (WHERE made_by IN ('bot', 'server')) AS bot_or_server
    FROM plays
    GROUP BY log_id, seat
)
SELECT
    l.game,
    l.player_ids[a.seat + 1] AS player_id,
    sum(a.acts) AS acts,
    sum(a.timeout) AS timeout,
    sum(a.trustee) AS trustee,
    sum(a.bot_or_server) AS bot_or_server,
    round(sum(a.timeout + a.trustee + a.bot_or_server) / sum(a.acts), 4) AS share
FROM acts a
JOIN logs l ON l.log_id = a.log_id
WHERE (:player IS NULL OR l.player_ids[a.seat + 1] = :player)
  AND (:game IS NULL OR l.game = :game)
GROUP BY ALL
ORDER BY share DESC, l.game, player_id
LIMIT :n
