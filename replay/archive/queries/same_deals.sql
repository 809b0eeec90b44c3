-- zh: 发牌一模一样的局：四家的牌都相同，却是两局。
-- en: Equal deals: hands in which each seat was dealt the same cards in the same order as in another.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
WITH deals AS (
    SELECT log_id, hand, bit_xor(hash(seat, dealt)) AS deal
    FROM seats
    WHERE dealt <> ''
    GROUP BY log_id, hand
),
again AS (
    SELECT deal, count(*) AS times FROM deals GROUP BY deal HAVING count(*) > 1
)
SELECT
    h.hand_id, dense_rank() OVER (ORDER BY a.deal) AS deal, a.times, h.game, h.hand, h.started_at,
    l.player_names AS players, l.path
FROM again a
JOIN deals d ON d.deal = a.deal
JOIN hands h ON h.log_id = d.log_id AND h.hand = d.hand
JOIN logs l ON l.log_id = h.log_id
WHERE TRUE
  AND (:game IS NULL OR l.game = :game)
ORDER BY deal, h.log_id, h.hand
