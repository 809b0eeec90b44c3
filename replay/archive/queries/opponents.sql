-- zh: 对手：和谁对着打了几局，胜率多少。
-- en: Head to head: who played against whom, how many hands, and how often he won.
-- param: player text = | 玩家编号 | player id
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=opponent_id y=win_rate colour=game kind=bar
WITH decided AS (
    SELECT
        h.log_id, h.dealer, h.partner, h.soloist,
        count(*) AS hands,
        count(*) FILTER (WHERE list_contains(h.winners, coalesce(h.soloist, h.dealer))) AS won
    FROM hands h
    JOIN logs l ON l.log_id = h.log_id
    WHERE len(h.winners) > 0
  AND (:game IS NULL OR l.game = :game)
      AND (:player IS NULL OR list_contains(l.player_ids, :player))
    GROUP BY h.log_id, h.dealer, h.partner, h.soloist
),
met AS (
    SELECT
        d.log_id, s.seat, o.seat AS opponent, d.hands,
        CASE WHEN s.seat IN (coalesce(d.soloist, d.dealer), d.partner)
             THEN d.won ELSE d.hands - d.won END AS won
    FROM decided d
    CROSS JOIN (SELECT unnest(range(4)) AS seat) s
    CROSS JOIN (SELECT unnest(range(4)) AS seat) o
    WHERE CASE WHEN d.soloist IS NULL
               THEN (s.seat IN (d.dealer, d.partner)) <> (o.seat IN (d.dealer, d.partner))
               ELSE (s.seat = d.soloist) <> (o.seat = d.soloist) END
)
SELECT
    l.game,
    l.player_ids[m.seat + 1] AS player_id,
    l.player_ids[m.opponent + 1] AS opponent_id,
    sum(m.hands) AS hands,
    round(sum(m.won) / sum(m.hands), 4) AS win_rate
FROM met m
JOIN logs l ON l.log_id = m.log_id
WHERE :player IS NULL OR l.player_ids[m.seat + 1] = :player
GROUP BY ALL
ORDER BY hands DESC, l.game, player_id, opponent_id
LIMIT :n
