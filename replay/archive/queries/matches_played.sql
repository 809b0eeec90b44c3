-- zh: 比赛一览：谁和谁、几局、多久、怎样结束（最近的在前）。
-- en: The matches, latest first: who played, how many hands, how long, and how it ended.
-- group: matches
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: since date = | 比赛开始日期从 | matches begun from this day on
-- param: until date = | 比赛开始日期到 | matches begun up to this day
-- param: zone number = 8 | 时区（东，日期按它算） | hours ahead of UTC, of the days too
-- param: n integer = 100 | 行数 | rows at most
WITH wanted AS (
    SELECT log_id
    FROM logs
    WHERE error IS NULL
      AND (:game IS NULL OR game = :game)
      AND (:player IS NULL OR list_contains(player_ids || player_names, :player))
      AND (:since IS NULL
       OR created >= CAST(:since AS TIMESTAMP) - to_minutes(CAST(60 * :zone AS INTEGER)))
      AND (:until IS NULL
       OR created < CAST(:until AS TIMESTAMP) + INTERVAL 1 DAY - to_minutes(CAST(60 * :zone AS INTEGER)))
    ORDER BY created DESC, log_id
    LIMIT :n
)
SELECT m.log_id, m.hand_id, m.game, m.created, m.player_names AS players, m.hands, m.settled,
       m.aborted, round(m.duration_ms / 60000, 1) AS minutes, m.ended_by, m.effect,
       list_transform(m.winners, lambda seat: m.player_names[seat + 1]) AS winners, m.findings,
       m.path
FROM matches m
JOIN wanted w ON w.log_id = m.log_id
ORDER BY m.created DESC, m.log_id
