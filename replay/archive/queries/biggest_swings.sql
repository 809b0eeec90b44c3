-- zh: 输赢最大的局：一个座位的分数（金币、游戏得分）变动最多的是哪些、是谁。
-- en: The hands in which a seat won or lost most (coins, in 炒地皮 游戏得分), and who it was.
-- group: hands
-- param: game choice(chaodipi chibi_dagun dagong) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: n integer = 20 | 行数 | rows at most
-- A hand has four seats at most among the first; of two that are equal the winner is told.
WITH most AS (
    SELECT s.log_id, s.hand, s.seat, s.player_id, s.delta
    FROM seats s
    JOIN logs l ON l.log_id = s.log_id
    WHERE s.delta IS NOT NULL
      AND (:game IS NULL OR l.game = :game)
      AND (:player IS NULL OR :player IN (s.player_id, s.player_name))
    ORDER BY abs(s.delta) DESC, s.log_id, s.hand, s.delta DESC, s.seat
    LIMIT 4 * :n
),
one AS (
    SELECT log_id, hand,
           arg_max(most, struct_pack(a := abs(delta), b := delta, c := 3 - seat)) AS told
    FROM most
    GROUP BY log_id, hand
)
SELECT h.hand_id, h.hand, h.game, h.started_at, o.told.seat, o.told.player_id,
       o.told.delta AS coins, h.mode, h.result, h.fan
FROM one o
JOIN hands h ON h.log_id = o.log_id AND h.hand = o.hand
ORDER BY abs(o.told.delta) DESC, h.log_id, h.hand
LIMIT :n
