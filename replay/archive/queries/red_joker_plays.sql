-- zh: 大王的下落：怎么出的、压在什么上、有没有被压。
-- en: Plays that contain a 大王, latest logs first: with what, on what, and whether it was beaten.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: n integer = 100 | 行数 | rows at most
WITH red AS (
    SELECT p.log_id, p.hand, p.hand_id, p.event, p.trick, p.seat, p.cards, p.kind, p.wilds,
           p.to_beat, l.game
    FROM plays p
    JOIN logs l ON l.log_id = p.log_id
    WHERE p.cards LIKE '%Rj%'
  AND (:game IS NULL OR l.game = :game)
      AND (:player IS NULL OR l.player_ids[p.seat + 1] = :player)
    ORDER BY p.log_id DESC, p.hand, p.event
    LIMIT :n
)
SELECT r.hand_id, r.event, r.game, r.hand, r.seat, r.cards, r.kind, r.wilds, b.cards AS laid_on,
       CASE WHEN r.game IN ('dagong', 'chibi_dagun') THEN n.event IS NOT NULL
            ELSE t.winner <> r.seat END AS beaten
FROM red r
LEFT JOIN tricks t ON t.log_id = r.log_id AND t.hand = r.hand AND t.trick = r.trick
LEFT JOIN plays b ON b.log_id = r.log_id AND b.hand = r.hand AND b.event = r.to_beat
LEFT JOIN plays n
    ON n.log_id = r.log_id AND n.hand = r.hand AND n.to_beat = r.event AND NOT n.passed
ORDER BY r.log_id DESC, r.hand, r.event
