-- zh: 明鸡的早晚（最近若干份牌谱）：对家在一局的第几个五分之一（按出牌和不出数）亮明，或没亮，庄家方胜率多少。
-- en: 明鸡: in which fifth of the hand, by plays and passes, the partner was shown, or never, and how often the dealer's side won.
-- group: called
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- param: matches integer = 300 | 最近多少份牌谱 | of the latest so many logs
-- chart: x=fifth y=dealers_won colour=game kind=bar
WITH latest AS (
    SELECT log_id
    FROM logs
    WHERE game IN ('dagong', 'chibi_dagun')
      AND (:game IS NULL OR game = :game)
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
),
called AS (
    SELECT h.game, h.log_id, h.hand, h.winners, h.dealer, h.revealed_at, h.plays + h.passes AS acts
    FROM hands h
    JOIN latest l ON l.log_id = h.log_id
    WHERE h.mode = 'friend' AND h.result IS NOT NULL
),
-- Materialized: else the plays of all logs are looked through for each of these hands.
acted AS MATERIALIZED (
    SELECT p.log_id, p.hand, p.event
    FROM plays p
    JOIN latest l ON l.log_id = p.log_id
),
shown AS (
    SELECT c.log_id, c.hand, count(*) AS act
    FROM called c
    JOIN acted p ON p.log_id = c.log_id AND p.hand = c.hand AND p.event <= c.revealed_at
    GROUP BY c.log_id, c.hand
)
SELECT
    c.game,
    (s.act - 1) * 5 // c.acts + 1 AS fifth,
    count(*) AS hands,
    round(avg(list_contains(c.winners, c.dealer)::INTEGER), 4) AS dealers_won
FROM called c
LEFT JOIN shown s ON s.log_id = c.log_id AND s.hand = c.hand
GROUP BY c.game, fifth
ORDER BY c.game, fifth
