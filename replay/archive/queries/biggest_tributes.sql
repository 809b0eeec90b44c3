-- zh: 四副滚子进贡最多的局：谁贡谁、应贡几张、贡了什么、还了什么。
-- en: 四副滚子: the largest tributes (进贡): who paid whom, what was due, paid and returned.
-- param: player text = | 玩家编号 | player id
-- param: n integer = 20 | 行数 | rows at most
SELECT hand_id, event, hand, level, payer_id, receiver_id, due_for_score, due_for_jokers, paid,
       paid_cards, returned_cards, jokers_paid, point_cards_returned, result
FROM tribute_hands
WHERE paid IS NOT NULL
  AND (:player IS NULL OR :player IN (payer_id, receiver_id))
ORDER BY paid DESC, jokers_paid DESC, hand_id
LIMIT :n
