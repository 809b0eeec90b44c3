-- zh: 四副滚子扣王：扣了几张王，保住还是被抠，庄家胜率、升几级、给下一局带来几张进贡。
-- en: 四副滚子: jokers buried (扣王) and what became of them: held, captured, levels and tribute they made.
-- group: gunzi
-- param: level choice(3 4 5 6 7 8 9 T) = | 级别（T = 打10） | level (T is 10)
WITH settled AS (
    SELECT
        log_id, hand, level, dealer, winners, effect, risen, bottom_fate,
        CASE WHEN lead(hand_no) OVER log = hand_no + 1
             THEN lead(due_for_jokers) OVER log END AS made_due
    FROM hands
    WHERE game = 'gunzi' AND result IS NOT NULL
    WINDOW log AS (PARTITION BY log_id ORDER BY hand)
),
lain AS (
    SELECT
        b.log_id, b.hand, b.seat <> h.dealer AS by_other,
        (length(b.cards) - length(replace(b.cards, 'Rj', ''))) // 2 AS red,
        (length(b.cards) - length(replace(b.cards, 'Bj', ''))) // 2 AS black,
        (length(b.taken) - length(replace(b.taken, 'Rj', ''))) // 2 AS red_taken,
        (length(b.taken) - length(replace(b.taken, 'Bj', ''))) // 2 AS black_taken
    FROM burials b
    JOIN settled h ON h.log_id = b.log_id AND h.hand = b.hand
),
buried AS (
    SELECT
        log_id, hand,
        sum(red - CASE WHEN by_other THEN red_taken ELSE 0 END) AS red,
        sum(black - CASE WHEN by_other THEN black_taken ELSE 0 END) AS black,
        sum(lain.red + lain.black) FILTER (WHERE by_other) AS by_others
    FROM lain
    GROUP BY log_id, hand
)
SELECT
    b.red,
    b.black,
    h.bottom_fate,
    count(*) AS hands,
    sum(coalesce(b.by_others, 0)) AS buried_by_others,
    round(avg(list_contains(h.winners, h.dealer)::INTEGER), 4) AS dealers_won,
    round(avg(h.risen), 2) AS levels_risen,
    round(avg(h.made_due), 2) AS tribute_for_them,
    count(*) FILTER (WHERE h.effect = 'three_jokers') AS matches_won_by_them
FROM buried b
JOIN settled h ON h.log_id = b.log_id AND h.hand = b.hand
WHERE b.red + b.black > 0
  AND (:level IS NULL OR h.level = :level)
GROUP BY b.red, b.black, h.bottom_fate
ORDER BY b.red, b.black, h.bottom_fate
