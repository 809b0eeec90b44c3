-- zh: 四副滚子扣王：扣了几张王，保住还是被抠，升几级、进贡几张。
-- en: 四副滚子: jokers buried (扣王) and what became of them: held, captured, levels and tribute they made.
WITH buried AS (
    SELECT b.hand_id,
           sum(len(regexp_extract_all(b.cards, 'Rj')) - len(regexp_extract_all(b.picked, 'Rj')))
               AS red,
           sum(len(regexp_extract_all(b.cards, 'Bj')) - len(regexp_extract_all(b.picked, 'Bj')))
               AS black,
           sum(len(regexp_extract_all(b.cards, 'j'))) FILTER (WHERE b.by_other) AS by_others
    FROM (
        SELECT b.*, b.seat <> h.dealer AS by_other,
               CASE WHEN b.seat <> h.dealer THEN b.taken ELSE '' END AS picked
        FROM burials b
        JOIN hands h USING (hand_id)
        WHERE h.game = 'gunzi'
    ) b
    GROUP BY b.hand_id
),
settled AS (
    SELECT *, CASE WHEN lead(hand_no) OVER log = hand_no + 1
                   THEN lead(due_for_jokers) OVER log END AS made_due
    FROM hands
    WHERE game = 'gunzi' AND result IS NOT NULL
    WINDOW log AS (PARTITION BY log_id ORDER BY hand)
)
SELECT
    b.red,
    b.black,
    h.bottom_fate,
    count(*) AS hands,
    sum(coalesce(b.by_others, 0)) AS buried_by_others,
    round(avg(d.won::INTEGER), 4) AS dealers_won,
    round(avg(h.risen), 2) AS levels_risen,
    round(avg(h.made_due), 2) AS tribute_for_them,
    count(*) FILTER (WHERE h.effect = 'three_jokers') AS matches_won_by_them
FROM buried b
JOIN settled h USING (hand_id)
JOIN seats d ON d.hand_id = h.hand_id AND d.seat = h.dealer
WHERE b.red + b.black > 0
GROUP BY b.red, b.black, h.bottom_fate
ORDER BY b.red, b.black, h.bottom_fate
