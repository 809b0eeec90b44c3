-- zh: 思考时间（最近若干份牌谱）：每人首出和跟牌的中位数、最长几秒，多少次超过十秒，多少次不是本人出的。
-- en: How long each player thinks (seconds, median and longest), leading and following, and who acts for him.
-- group: players
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: matches integer = 300 | 最近多少份牌谱 | of the latest so many logs
-- chart: x=player_id y=median_seconds colour=leading kind=bar
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
    p.is_lead AS leading,
    count(*) AS acts,
    round(median(p.dt) / 1000, 2) AS median_seconds,
    round(max(p.dt) / 1000, 2) AS longest_seconds,
    round(avg((p.dt >= 10000)::INTEGER), 4) AS over_ten_seconds,
    round(avg((p.made_by <> 'player')::INTEGER), 4) AS not_by_player
FROM plays p
JOIN latest l ON l.log_id = p.log_id
WHERE :player IS NULL OR :player IN (l.player_ids[p.seat + 1], l.player_names[p.seat + 1])
GROUP BY ALL
ORDER BY ALL
