-- zh: 四副滚子翻牌定庄：按底牌位置、座位、先后，翻了几张，几次坐庄。
-- en: 四副滚子: 翻牌, by place in the bottom, by seat and by turn: how many cards flipped, how many won.
-- group: gunzi
-- Six jokers, and the hand was dealt anew: each deal has its own first seat.
WITH dealt AS (
    SELECT t.*, h.dealer,
           (row_number() OVER (PARTITION BY t.hand_id ORDER BY t.event) - 1) // 6 AS deal
    FROM turned_cards t
    JOIN hands h USING (hand_id)
    WHERE t.kind = 'flipped' AND h.dealer IS NOT NULL
),
flipped AS (
    SELECT *,
           seat = dealer AND event = max(event) OVER (PARTITION BY hand_id, seat) AS won,
           (seat + 4 - first(seat) OVER deal) % 4 + 1 AS turn
    FROM dealt
    WINDOW deal AS (PARTITION BY hand_id, deal ORDER BY event)
)
SELECT
    CASE WHEN place IS NOT NULL THEN 'place'
         WHEN seat IS NOT NULL THEN 'seat'
         ELSE 'turn' END AS counted_by,
    coalesce(place, seat, turn) AS number,
    count(*) AS flipped,
    count(*) FILTER (WHERE card IN ('Bj', 'Rj')) AS jokers,
    count(*) FILTER (WHERE won) AS won,
    round(100 * avg(won::INTEGER), 1) AS won_percent
FROM flipped
GROUP BY GROUPING SETS ((place), (seat), (turn))
ORDER BY counted_by, number
