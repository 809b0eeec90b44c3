-- zh: 最长的局：手数最多，或用时最久。
-- en: The longest hands, by plays and passes or by time.
-- group: hands
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: order choice(acts time) = acts | 按手数或用时 | by acts or by time
-- param: n integer = 20 | 行数 | rows at most
SELECT hand_id, hand, game, started_at, plays + passes AS acts, tricks, bombs,
       round(duration_ms / 60000, 1) AS minutes, players, result, path
FROM hand_summaries
WHERE TRUE
  AND (:game IS NULL OR game = :game)
ORDER BY CASE WHEN :order = 'time' THEN duration_ms ELSE plays + passes END DESC, hand_id
LIMIT :n
