-- zh: 比赛一览：谁和谁、几局、多久、怎样结束。
-- en: The matches: who played, how many hands, how long, and how it ended.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: since date = | 起始日期 | from this day on
-- param: until date = | 截止日期 | up to this day
-- param: n integer = 100 | 行数 | rows at most
SELECT log_id, hand_id, game, started_at, player_names AS players, hands, settled, aborted,
       round(duration_ms / 60000, 1) AS minutes, ended_by, effect,
       list_transform(winners, lambda seat: player_names[seat + 1]) AS winners, findings, path
FROM matches
WHERE (:player IS NULL OR list_contains(player_ids, :player))
  AND (:game IS NULL OR game = :game)
  AND (:since IS NULL OR started_at >= CAST(:since AS TIMESTAMP))
  AND (:until IS NULL OR started_at < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY)
ORDER BY started_at DESC, log_id
LIMIT :n
