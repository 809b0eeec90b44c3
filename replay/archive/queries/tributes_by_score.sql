-- zh: 四副滚子进贡：按上一局抓分（每十分一档），应进和实进。
-- en: 四副滚子: tribute (进贡) by the attackers' score of the hand before, in tens: due and paid.
-- group: gunzi
-- chart: x=score_from y=cards_paid colour=bottom_fate kind=bar
WITH settled AS (
    SELECT
        log_id, hand, hand_no, due_for_score, due_for_jokers,
        lag(hand_no) OVER log AS no_before,
        lag(score) OVER log AS score_before,
        lag(bottom_fate) OVER log AS fate_before
    FROM hands
    WHERE game = 'gunzi' AND result IS NOT NULL
    WINDOW log AS (PARTITION BY log_id ORDER BY hand)
)
SELECT
    (s.score_before // 10) * 10 AS score_from,
    s.fate_before AS bottom_fate,
    count(*) AS hands,
    round(avg(s.due_for_score), 2) AS due_for_score,
    round(avg(s.due_for_jokers), 2) AS due_for_jokers,
    round(avg(coalesce(t.n_cards, 0)), 2) AS cards_paid
FROM settled s
LEFT JOIN tributes t ON t.log_id = s.log_id AND t.hand = s.hand AND t.kind = 'paid'
WHERE s.hand_no = s.no_before + 1
GROUP BY score_from, s.fate_before
ORDER BY score_from, bottom_fate
