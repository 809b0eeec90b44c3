-- zh: 一局的每一手：谁、出什么、想了几秒、还剩几张（默认最新一局）。
-- en: One hand act by act, by default the latest: who, what, after how many seconds, cards left.
-- group: hands
-- param: hand text = | 局编号 | hand_id
WITH wanted AS (
    SELECT log_id, hand
    FROM hands
    WHERE (:hand IS NULL OR hand_id = :hand)
    ORDER BY started_at DESC, log_id DESC, hand DESC
    LIMIT 1
)
SELECT p.hand_id, p.event, p.trick, p.seat, l.player_names[p.seat + 1] AS player,
       p.cards, p.kind, p.points, round(p.dt / 1000, 1) AS seconds, p.made_by, p.cards_left
FROM plays p
JOIN wanted w ON w.log_id = p.log_id AND w.hand = p.hand
JOIN logs l ON l.log_id = p.log_id
ORDER BY p.event
