-- zh: 搭档：和谁一家打了几局，胜率多少。
-- en: Partners: who played with whom, how many hands, and how often they won.
-- param: player text = | 玩家编号 | player id
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=partner_id y=win_rate colour=game kind=bar
WITH decided AS (
    SELECT
        h.log_id, h.dealer, h.partner,
        count(*) AS hands,
        count(*) FILTER (WHERE list_contains(h.winners, h.dealer)) AS won
    FROM hands h
    JOIN logs l ON l.log_id = h.log_id
    WHERE len(h.winners) > 0 AND h.partner IS NOT NULL
  AND (:game IS NULL OR l.game = :game)
      AND (:player IS NULL OR list_contains(l.player_ids, :player))
    GROUP BY h.log_id, h.dealer, h.partner
),
pairs AS (
    SELECT
        d.log_id, s.seat, d.hands,
        s.seat IN (d.dealer, d.partner) AS is_dealers,
        CASE
            WHEN s.seat = d.dealer THEN d.partner
            WHEN s.seat = d.partner THEN d.dealer
            ELSE 6 - d.dealer - d.partner - s.seat
        END AS partner,
        CASE WHEN is_dealers THEN d.won ELSE d.hands - d.won END AS won
    FROM decided d
    CROSS JOIN (SELECT unnest(range(4)) AS seat) s
)
SELECT
    l.game,
    l.player_ids[p.seat + 1] AS player_id,
    l.player_ids[p.partner + 1] AS partner_id,
    sum(p.hands) AS hands,
    round(sum(p.won) / sum(p.hands), 4) AS win_rate
FROM pairs p
JOIN logs l ON l.log_id = p.log_id
WHERE :player IS NULL OR l.player_ids[p.seat + 1] = :player
GROUP BY ALL
ORDER BY hands DESC, l.game, player_id, partner_id
LIMIT :n
