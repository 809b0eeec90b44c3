-- zh: 四副滚子进贡最多的局：谁贡谁、应贡几张、贡了什么、还了什么。
-- en: 四副滚子: the largest tributes (进贡): who paid whom, what was due, paid and returned.
-- group: gunzi
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: n integer = 20 | 行数 | rows at most
WITH paid AS (
    SELECT
        t.*, l.player_ids[t.seat + 1] AS payer_id, l.player_ids[t.receiver + 1] AS receiver_id,
        len(regexp_extract_all(t.cards, '[RB]j')) AS jokers
    FROM tributes t
    JOIN logs l ON l.log_id = t.log_id
    WHERE t.kind = 'paid'
      AND (:player IS NULL OR :player IN (payer_id, receiver_id, l.player_names[t.seat + 1], l.player_names[t.receiver + 1]))
    ORDER BY t.n_cards DESC, jokers DESC, t.log_id, t.hand
    LIMIT :n
)
SELECT
    p.hand_id, p.event, p.hand, h.level, p.payer_id, p.receiver_id, h.due_for_score,
    h.due_for_jokers, p.n_cards AS paid, p.cards AS paid_cards, r.cards AS returned_cards,
    p.jokers AS jokers_paid, h.result
FROM paid p
JOIN hands h ON h.log_id = p.log_id AND h.hand = p.hand
LEFT JOIN tributes r ON r.log_id = p.log_id AND r.hand = p.hand AND r.kind = 'returned'
ORDER BY p.n_cards DESC, p.jokers DESC, p.log_id, p.hand
