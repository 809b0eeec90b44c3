-- zh: 升级过程：一场比赛逐局双方级别的变化和原因。
-- en: A match with levels, hand by hand: the levels of both sides before and after, and what moved them.
-- group: matches
-- param: log integer = | 牌谱编号 | log_id of the match
-- param: game choice(chaodipi gunzi) = | 游戏 | game
-- param: n integer = 1000 | 行数 | rows at most
-- chart: x=hand y=step_0 kind=line
WITH settled AS (
    SELECT *
    FROM hands
    WHERE level IS NOT NULL AND result IS NOT NULL
      AND (:log IS NULL OR log_id = :log)
      AND (:game IS NULL OR game = :game)
    ORDER BY log_id, hand
    LIMIT :n
)
SELECT
    h.hand_id, h.log_id, h.game, h.hand, h.hand_no, h.level, h.trump, h.dealer, h.score, h.result,
    h.effect,
    a.level_before || ' > ' || a.level_after AS side_0,
    b.level_before || ' > ' || b.level_after AS side_1,
    strpos('23456789TJQKAF', a.level_after) AS step_0,
    strpos('23456789TJQKAF', b.level_after) AS step_1
FROM settled h
JOIN seats a ON a.log_id = h.log_id AND a.hand = h.hand AND a.seat = 0
JOIN seats b ON b.log_id = h.log_id AND b.hand = h.hand AND b.seat = 1
ORDER BY h.log_id, h.hand
