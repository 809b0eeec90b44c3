-- zh: 分在第几轮（最近若干份牌谱）：每一轮平均有多少分，首出的人赢下多少次。
-- en: Points by the number of the trick in its hand, and how often the leader wins it.
-- group: plays
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: matches integer = 1000 | 最近多少份牌谱 | of the latest so many logs
-- chart: x=trick y=points colour=game kind=line
WITH latest AS (
    SELECT log_id, game, player_ids
    FROM logs
    WHERE game IS NOT NULL
      AND (:game IS NULL OR game = :game)
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
)
SELECT
    l.game,
    t.trick,
    count(*) AS tricks,
    round(avg(t.points), 2) AS points,
    round(avg((t.winner = t.leader)::INTEGER), 4) AS leader_wins,
    round(avg(t.plays), 2) AS plays
FROM tricks t
JOIN latest l ON l.log_id = t.log_id
WHERE t.winner IS NOT NULL
GROUP BY l.game, t.trick
ORDER BY l.game, t.trick
