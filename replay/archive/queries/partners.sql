-- zh: 搭档：和谁一家打了几局，胜率多少，一共得多少。
-- en: Partners: who played with whom, how many hands, how often they won, and what it brought.
-- param: player text = | 玩家编号 | player id
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=partner_id y=win_rate colour=game kind=bar
WITH pairs AS (
    SELECT
        game, log_id, player_id, partner_seat,
        count(*) AS hands, count(won) AS decided,
        count(*) FILTER (WHERE won) AS won, sum(delta) AS coins
    FROM player_results
    WHERE partner_seat IS NOT NULL
  AND (:game IS NULL OR game = :game)
  AND (:player IS NULL OR player_id = :player)
    GROUP BY game, log_id, player_id, partner_seat
)
SELECT
    p.game,
    p.player_id,
    l.player_ids[p.partner_seat + 1] AS partner_id,
    sum(p.hands) AS hands,
    round(sum(p.won) / nullif(sum(p.decided), 0), 4) AS win_rate,
    sum(p.coins) AS coins
FROM pairs p
JOIN logs l ON l.log_id = p.log_id
GROUP BY ALL
ORDER BY hands DESC, p.game, p.player_id, partner_id
LIMIT :n
