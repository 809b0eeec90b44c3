-- zh: 输赢最大的局：分数（金币、游戏得分）变动最多的是哪些。
-- en: The hands in which one seat won most coins, in 炒地皮 游戏得分.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: n integer = 20 | 行数 | rows at most
WITH won AS (
    SELECT s.log_id, s.hand, s.delta
    FROM seats s
    JOIN logs l ON l.log_id = s.log_id
    WHERE s.delta > 0
      AND (:game IS NULL OR l.game = :game)
      AND (:player IS NULL OR s.player_id = :player)
    ORDER BY s.delta DESC, s.log_id, s.hand
    LIMIT 4 * :n
)
SELECT h.hand_id, h.hand, h.game, h.started_at, h.mode, h.result, h.fan, max(w.delta) AS coins
FROM won w
JOIN hands h ON h.log_id = w.log_id AND h.hand = w.hand
GROUP BY ALL
ORDER BY coins DESC, h.hand_id
LIMIT :n
