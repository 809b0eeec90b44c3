-- zh: 想得最久的那些手（最近若干份牌谱）：谁、想了几秒、出了什么。
-- en: The acts that took longest: who, how many seconds, and what he did.
-- group: hands
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: matches integer = 300 | 最近多少份牌谱 | of the latest so many logs
-- param: n integer = 20 | 行数 | rows at most
WITH latest AS (
    SELECT log_id, game, player_ids, player_names
    FROM logs
    WHERE game IS NOT NULL
      AND (:game IS NULL OR game = :game)
      AND (:player IS NULL OR list_contains(player_ids || player_names, :player))
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
),
slow AS (
    SELECT p.dt, p.log_id, p.hand, p.event
    FROM plays p
    JOIN latest l ON l.log_id = p.log_id
    WHERE :player IS NULL OR :player IN (l.player_ids[p.seat + 1], l.player_names[p.seat + 1])
    ORDER BY p.dt DESC, p.log_id, p.hand, p.event
    LIMIT :n
)
SELECT
    p.hand_id, p.event, l.game, p.hand, p.trick, p.seat,
    l.player_ids[p.seat + 1] AS player_id, round(p.dt / 1000, 1) AS seconds, p.made_by, p.cards
FROM slow s
JOIN plays p ON p.log_id = s.log_id AND p.hand = s.hand AND p.event = s.event
JOIN logs l ON l.log_id = s.log_id
ORDER BY p.dt DESC, p.log_id, p.hand, p.event
