-- zh: 分在第几轮：每一轮平均有多少分，首出的人赢下多少次。
-- en: Points by the number of the trick in its hand, and how often the leader wins it.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- chart: x=trick y=points colour=game kind=line
SELECT
    l.game,
    t.trick,
    count(*) AS tricks,
    round(avg(t.points), 2) AS points,
    round(avg((t.winner = t.leader)::INTEGER), 4) AS leader_wins,
    round(avg(t.plays), 2) AS plays
FROM tricks t
JOIN logs l ON l.log_id = t.log_id
WHERE t.winner IS NOT NULL
  AND (:game IS NULL OR l.game = :game)
GROUP BY l.game, t.trick
ORDER BY l.game, t.trick
