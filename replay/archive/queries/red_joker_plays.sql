-- zh: 大王的下落：怎么出的、压在什么上、有没有被压（最近的比赛在前）。
-- en: Plays that contain a 大王, latest matches first: with what, on what, and whether it was beaten.
-- group: plays
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: matches integer = 300 | 最近多少份牌谱 | of the latest so many logs
-- param: n integer = 100 | 行数 | rows at most
WITH latest AS (
    SELECT log_id, game, player_ids, player_names, created AS created_at
    FROM logs
    WHERE game IS NOT NULL
      AND (:game IS NULL OR game = :game)
      AND (:player IS NULL OR list_contains(player_ids || player_names, :player))
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
),
-- Materialized: else each join below looks through the plays of all logs again.
played AS MATERIALIZED (
    SELECT l.game, l.created_at, l.player_ids[p.seat + 1] AS player_id,
           l.player_names[p.seat + 1] AS player_name, p.hand_id, p.log_id, p.hand, p.trick, p.event,
           p.seat, coalesce(p.led, p.cards) AS cards, p.kind, p.wilds, p.to_beat, p.passed
    FROM plays p
    JOIN latest l ON l.log_id = p.log_id
),
red AS MATERIALIZED (
    SELECT *
    FROM played
    WHERE cards LIKE '%Rj%' AND (:player IS NULL OR :player IN (player_id, player_name))
    ORDER BY created_at DESC, log_id DESC, hand DESC, event
    LIMIT :n
),
told AS (
    SELECT
        r.log_id, r.hand, r.event,
        max(p.cards) FILTER (WHERE p.event = r.to_beat) AS laid_on,
        bool_or(p.to_beat = r.event AND NOT p.passed) AS is_answered
    FROM red r
    JOIN played p ON p.log_id = r.log_id AND p.hand = r.hand AND p.trick = r.trick
    GROUP BY r.log_id, r.hand, r.event
)
SELECT
    r.hand_id, r.event, r.game, r.hand, r.seat, r.cards, r.kind, r.wilds, d.laid_on,
    CASE WHEN r.game IN ('dagong', 'chibi_dagun') THEN coalesce(d.is_answered, FALSE)
         ELSE t.winner <> r.seat END AS beaten
FROM red r
JOIN told d ON d.log_id = r.log_id AND d.hand = r.hand AND d.event = r.event
LEFT JOIN tricks t ON t.log_id = r.log_id AND t.hand = r.hand AND t.trick = r.trick
ORDER BY r.created_at DESC, r.log_id DESC, r.hand DESC, r.event
