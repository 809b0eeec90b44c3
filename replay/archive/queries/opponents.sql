-- zh: 对手：某人和谁对着打了几局，胜率多少（默认取局数最多的人）。
-- en: Head to head: a player, by default whoever played most, against each other: hands, how often he won.
-- group: players
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=opponent_id y=win_rate colour=game kind=bar
WITH mine AS (
    SELECT
        l.log_id, l.game, l.player_ids, m.player_id,
        list_position(l.player_ids, m.player_id) - 1 AS seat
    FROM (SELECT player_meant(:player, :game) AS player_id) m
    JOIN logs l ON list_contains(l.player_ids, m.player_id)
    WHERE :game IS NULL OR l.game = :game
),
decided AS (
    SELECT
        m.game, m.player_id, m.player_ids, m.seat, h.dealer, h.partner, h.soloist,
        count(*) AS hands,
        count(*) FILTER (WHERE list_contains(h.winners, m.seat)) AS won
    FROM mine m
    JOIN hands h ON h.log_id = m.log_id
    WHERE len(h.winners) > 0
    GROUP BY ALL
),
met AS (
    SELECT d.game, d.player_id, d.player_ids[o.seat + 1] AS opponent_id, d.hands, d.won
    FROM decided d
    JOIN (SELECT unnest(range(4)) AS seat) o
        ON o.seat <> d.seat
        AND CASE WHEN d.soloist IS NULL
                 THEN (d.seat IN (d.dealer, d.partner)) <> (o.seat IN (d.dealer, d.partner))
                 ELSE d.soloist IN (d.seat, o.seat) END
)
SELECT
    game, player_id, opponent_id,
    sum(hands) AS hands,
    round(sum(won) / sum(hands), 4) AS win_rate
FROM met
GROUP BY game, player_id, opponent_id
ORDER BY hands DESC, game, opponent_id
LIMIT :n
