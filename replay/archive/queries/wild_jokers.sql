-- zh: 癞子的用法（最近若干份牌谱）：配成什么牌型、用几张、有没有声明、有没有人压。
-- en: Wild jokers (癞子): in which types they are used, how many, who declares, and how often nothing beat them.
-- group: plays
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: matches integer = 300 | 最近多少份牌谱 | of the latest so many logs
-- chart: x=kind y=plays colour=size kind=bar
WITH latest AS (
    SELECT log_id, game, player_ids, player_names
    FROM logs
    WHERE game = 'chibi_dagun'
      AND (:player IS NULL OR list_contains(player_ids || player_names, :player))
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
),
wild AS (
    SELECT l.game, p.log_id, p.hand, p.trick, p.event, p.seat, p.kind, p.size, p.wilds, p.declared
    FROM plays p
    JOIN latest l ON l.log_id = p.log_id
    WHERE p.wilds IS NOT NULL AND (:player IS NULL OR :player IN (l.player_ids[p.seat + 1], l.player_names[p.seat + 1]))
),
answers AS (
    SELECT p.log_id, p.hand, p.to_beat
    FROM plays p
    JOIN latest l ON l.log_id = p.log_id
    WHERE p.to_beat IS NOT NULL AND NOT p.passed
)
SELECT
    w.game,
    w.kind,
    w.size,
    count(*) AS plays,
    sum(length(w.wilds)) AS jokers,
    round(avg(w.declared::INTEGER), 4) AS declared,
    round(avg((a.to_beat IS NULL)::INTEGER), 4) AS unbeaten
FROM wild w
LEFT JOIN answers a ON a.log_id = w.log_id AND a.hand = w.hand AND a.to_beat = w.event
GROUP BY w.game, w.kind, w.size
ORDER BY w.game, plays DESC, w.kind, w.size
