-- zh: 四副滚子进贡：按级别，平均每局应进、实进、王、还贡里的分牌。
-- en: 四副滚子: tribute (进贡) by level of the hand, a hand on average: due, paid and returned.
-- group: gunzi
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- chart: x=level y=cards_paid kind=bar
SELECT
    h.level,
    count(*) AS hands,
    count(t.event) AS tributes,
    round(avg(h.due_for_score), 2) AS due_for_score,
    round(avg(h.due_for_jokers), 2) AS due_for_jokers,
    round(avg(coalesce(t.n_cards, 0)), 2) AS cards_paid,
    round(avg(coalesce(len(regexp_extract_all(t.cards, '[RB]j')), 0)), 2) AS jokers_paid,
    round(avg(coalesce(len(regexp_extract_all(r.cards, '[5TK][dchs]')), 0)), 2)
        AS point_cards_returned
FROM hands h
JOIN logs l ON l.log_id = h.log_id
LEFT JOIN tributes t ON t.log_id = h.log_id AND t.hand = h.hand AND t.kind = 'paid'
LEFT JOIN tributes r ON r.log_id = h.log_id AND r.hand = h.hand AND r.kind = 'returned'
WHERE h.game = 'gunzi' AND h.result IS NOT NULL AND h.hand_no > 1
  AND (:player IS NULL OR :player IN (
      l.player_ids[t.seat + 1], l.player_ids[t.receiver + 1],
      l.player_names[t.seat + 1], l.player_names[t.receiver + 1]
  ))
GROUP BY h.level
ORDER BY strpos('23456789TJQKAF', h.level)
