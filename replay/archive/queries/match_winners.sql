-- zh: 升级的比赛谁赢得多：每人、每对搭档打完几场、赢几场；副本只算一次。
-- en: Who wins matches with levels, by player and by pair: matches that ended, matches won; copies count once.
-- group: matches
-- param: game choice(chaodipi gunzi) = | 游戏 | game
-- param: by choice(player pair) = | 按人或按对 | by player or by pair
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=who y=won colour=game kind=bar
WITH ended AS (
    SELECT DISTINCT ON (l.file_id) h.game, h.winners, l.player_ids
    FROM hands h
    JOIN logs l ON l.log_id = h.log_id
    WHERE h.result IN ('match_won', 'match_to_dealers', 'match_to_attackers')
      AND (:game IS NULL OR h.game = :game)
    ORDER BY l.file_id, h.log_id, h.hand DESC
),
sides AS (
    SELECT e.game, 'pair' AS "by",
           list_sort([e.player_ids[s.side + 1], e.player_ids[s.side + 3]]) AS players,
           list_contains(e.winners, s.side) AS won
    FROM ended e
    CROSS JOIN (SELECT unnest(range(2)) AS side) s
),
told AS (
    FROM sides
    UNION ALL
    SELECT game, 'player', [unnest(players)], won FROM sides
)
SELECT
    game, "by", array_to_string(players, ' + ') AS who,
    count(*) AS matches,
    count(*) FILTER (WHERE won) AS won,
    round(avg(won::INTEGER), 4) AS win_rate
FROM told
WHERE :by IS NULL OR "by" = :by
GROUP BY game, "by", who
ORDER BY won DESC, matches, game, "by", who
LIMIT :n
