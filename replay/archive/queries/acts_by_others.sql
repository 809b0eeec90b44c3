-- zh: 托管和超时（最近若干份牌谱）：每人有多少手是超时、托管、机器人或服务器代出的。
-- en: Who lets others play: acts by time-out, 托管, bot and server, and their share, by player.
-- group: players
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: matches integer = 300 | 最近多少份牌谱 | of the latest so many logs
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=player_id y=share colour=game kind=bar
WITH latest AS (
    SELECT log_id, game, player_ids, player_names
    FROM logs
    WHERE game IS NOT NULL
      AND (:game IS NULL OR game = :game)
      AND (:player IS NULL OR list_contains(player_ids || player_names, :player))
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
)
SELECT
    l.game,
    l.player_ids[p.seat + 1] AS player_id,
    count(*) AS acts,
    count(*) FILTER (WHERE p.made_by = 'timeout') AS timeout,
    count(*) FILTER (WHERE p.made_by = 'trustee') AS trustee,
    count(*) FILTER (WHERE p.made_by IN ('bot', 'server')) AS bot_or_server,
    round(avg((p.made_by <> 'player')::INTEGER), 4) AS share
FROM plays p
JOIN latest l ON l.log_id = p.log_id
WHERE :player IS NULL OR :player IN (l.player_ids[p.seat + 1], l.player_names[p.seat + 1])
GROUP BY ALL
ORDER BY share DESC, l.game, player_id
LIMIT :n
