-- zh: 中止的局：哪些、为什么、打了多久。
-- en: Hands that were aborted: which, why, and how far they were played.
-- group: hands
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: n integer = 100 | 行数 | rows at most
SELECT hand_id, hand, game, started_at, aborted, plays, round(duration_ms / 60000, 1) AS minutes,
       players, path
FROM hand_summaries
WHERE aborted IS NOT NULL
  AND (:game IS NULL OR game = :game)
ORDER BY started_at DESC, hand_id
LIMIT :n
