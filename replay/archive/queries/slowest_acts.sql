-- zh: 想得最久的那些手：谁、想了几秒、出了什么。
-- en: The acts that took longest: who, how many seconds, and what he did.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: n integer = 20 | 行数 | rows at most
SELECT
    p.hand_id, p.event, l.game, p.hand, p.trick, p.seat,
    l.player_ids[p.seat + 1] AS player_id, round(p.dt / 1000, 1) AS seconds, p.made_by, p.cards
FROM plays p
JOIN logs l ON l.log_id = p.log_id
WHERE (:player IS NULL OR l.player_ids[p.seat + 1] = :player)
  AND (:game IS NULL OR l.game = :game)
ORDER BY p.dt DESC, p.log_id, p.hand, p.event
LIMIT :n
