-- zh: 各种炸弹打出过多少次（最近若干份牌谱），有多少次没人再压，那一轮有多少分。
-- en: Bombs by game, type and size: how often played, how often nothing beat them, points in the trick.
-- group: plays
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: matches integer = 300 | 最近多少份牌谱 | of the latest so many logs
-- chart: x=kind y=played colour=game kind=bar
WITH latest AS (
    SELECT log_id, game, player_ids, player_names
    FROM logs
    WHERE game IN ('dagong', 'chibi_dagun')
      AND (:game IS NULL OR game = :game)
      AND (:player IS NULL OR list_contains(player_ids || player_names, :player))
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
),
bombs AS (
    SELECT l.game, p.log_id, p.hand, p.trick, p.event, p.kind, p.size, p.to_beat
    FROM plays p
    JOIN latest l ON l.log_id = p.log_id
    WHERE p.is_bomb AND (:player IS NULL OR :player IN (l.player_ids[p.seat + 1], l.player_names[p.seat + 1]))
),
answers AS (
    SELECT p.log_id, p.hand, p.to_beat
    FROM plays p
    JOIN latest l ON l.log_id = p.log_id
    WHERE p.is_bomb AND p.to_beat IS NOT NULL
)
SELECT
    b.game,
    b.kind,
    b.size,
    count(*) AS played,
    round(avg((a.to_beat IS NULL)::INTEGER), 4) AS unbeaten,
    round(avg(t.points), 1) AS points_in_the_trick
FROM bombs b
JOIN tricks t ON t.log_id = b.log_id AND t.hand = b.hand AND t.trick = b.trick
LEFT JOIN answers a ON a.log_id = b.log_id AND a.hand = b.hand AND a.to_beat = b.event
GROUP BY b.game, b.kind, b.size
ORDER BY b.game, played DESC, b.kind, b.size
