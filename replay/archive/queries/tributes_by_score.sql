-- zh: 四副滚子进贡：按上一局抓分，应进和实进。
-- en: 四副滚子: tribute (进贡) by the attackers' score of the hand before, in tens: due and paid.
WITH settled AS (
    SELECT *, lead(hand_id) OVER (PARTITION BY log_id ORDER BY hand) AS next_hand
    FROM hands
    WHERE game = 'gunzi' AND result IS NOT NULL
)
SELECT
    (s.score // 10) * 10 AS score_from,
    s.bottom_fate,
    count(*) AS hands,
    round(avg(h.due_for_score), 2) AS due_for_score,
    round(avg(h.due_for_jokers), 2) AS due_for_jokers,
    round(avg(coalesce(t.n_cards, 0)), 2) AS cards_paid
FROM settled s
JOIN hands h ON h.hand_id = s.next_hand AND h.hand_no = s.hand_no + 1
LEFT JOIN tributes t ON t.hand_id = h.hand_id AND t.kind = 'paid'
GROUP BY score_from, s.bottom_fate
ORDER BY score_from, s.bottom_fate
