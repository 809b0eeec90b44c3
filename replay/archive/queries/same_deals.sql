-- zh: 发牌一模一样的局：一个座位拿到的牌连次序都相同，却是两局。
-- en: Equal deals: hands in which a seat was dealt the same cards in the same order as in another.
-- group: hands
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: seat integer = 0 | 看哪个座位 | seat that is compared
-- param: n integer = 100 | 行数 | rows at most
WITH deals AS (
    SELECT s.log_id, s.hand, hash(s.dealt) AS deal
    FROM seats s
    JOIN logs l ON l.log_id = s.log_id
    WHERE s.seat = :seat AND s.dealt <> ''
      AND (:game IS NULL OR l.game = :game)
),
again AS (
    SELECT deal, count(*) AS times
    FROM deals
    GROUP BY deal
    HAVING count(*) > 1
    ORDER BY times DESC, deal
    LIMIT :n
),
found AS (
    SELECT d.log_id, d.hand, d.deal, a.times
    FROM again a
    JOIN deals d ON d.deal = a.deal
    ORDER BY a.times DESC, d.deal, d.log_id, d.hand
    LIMIT :n
)
SELECT h.hand_id, h.log_id, h.hand, h.game, h.started_at,
       dense_rank() OVER (ORDER BY f.deal) AS deal, f.times, l.player_names AS players, l.path
FROM found f
JOIN hands h ON h.log_id = f.log_id AND h.hand = f.hand
JOIN logs l ON l.log_id = f.log_id
ORDER BY f.times DESC, f.deal, f.log_id, f.hand
