-- zh: 搭档：某人和谁一家打了几局，胜率多少（默认取局数最多的人）。
-- en: Partners of a player, by default of whoever played most: hands together, and how often they won.
-- group: players
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=partner_id y=win_rate colour=game kind=bar
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
together AS (
    SELECT
        game, player_id, hands, won,
        player_ids[1 + CASE
            WHEN seat = dealer THEN partner
            WHEN seat = partner THEN dealer
            ELSE 6 - dealer - partner - seat
        END] AS partner_id
    FROM decided
    WHERE partner IS NOT NULL
)
SELECT
    game, player_id, partner_id,
    sum(hands) AS hands,
    round(sum(won) / sum(hands), 4) AS win_rate
FROM together
GROUP BY game, player_id, partner_id
ORDER BY hands DESC, game, partner_id
LIMIT :n
