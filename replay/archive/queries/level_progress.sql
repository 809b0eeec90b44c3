-- zh: 升级过程：一场比赛逐局双方级别的变化和原因。
-- en: A match with levels, hand by hand: the levels of both sides before and after, and what moved them.
-- param: log integer = | 牌谱编号 | log_id of the match
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: n integer = 1000 | 行数 | rows at most
-- chart: x=hand y=step_0 kind=line
SELECT
    a.hand_id, a.log_id, a.game, a.hand, a.hand_no, a.trump, a.dealer, a.score, a.result, a.effect,
    a.level_before || ' > ' || a.level_after AS side_0,
    b.level_before || ' > ' || b.level_after AS side_1,
    a.step_after AS step_0,
    b.step_after AS step_1
FROM level_progress a
JOIN level_progress b ON b.log_id = a.log_id AND b.hand = a.hand AND b.side = 1
WHERE a.side = 0
  AND (:log IS NULL OR a.log_id = :log)
  AND (:game IS NULL OR a.game = :game)
ORDER BY a.log_id, a.hand
LIMIT :n
