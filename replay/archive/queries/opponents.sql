-- zh: 对手：和谁对着打了几局，胜率多少，一共得多少。
-- en: Head to head: who played against whom, how many hands, how often he won, and what it brought.
-- param: player text = | 玩家编号 | player id
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=opponent_id y=win_rate colour=game kind=bar
WITH met AS (
    SELECT
        game, log_id, seat, player_id, partner_seat, soloist,
        count(*) AS hands, count(won) AS decided,
        count(*) FILTER (WHERE won) AS won, sum(delta) AS coins
    FROM player_results
    WHERE mode IS NOT NULL
  AND (:game IS NULL OR game = :game)
  AND (:player IS NULL OR player_id = :player)
    GROUP BY game, log_id, seat, player_id, partner_seat, soloist
)
SELECT
    m.game,
    m.player_id,
    l.player_ids[o.seat + 1] AS opponent_id,
    sum(m.hands) AS hands,
    round(sum(m.won) / nullif(sum(m.decided), 0), 4) AS win_rate,
    sum(m.coins) AS coins
FROM met m
JOIN (SELECT unnest(range(4)) AS seat) o
    ON o.seat <> m.seat
    AND (o.seat <> m.partner_seat OR m.partner_seat IS NULL)
    AND (m.soloist IS NULL OR m.soloist IN (m.seat, o.seat))
JOIN logs l ON l.log_id = m.log_id
GROUP BY ALL
ORDER BY hands DESC, m.game, m.player_id, opponent_id
LIMIT :n
