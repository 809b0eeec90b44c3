-- zh: 主花色与庄家方胜率；none 是无主。
-- en: How often the dealer's side wins, by game and trump suit (主花色); none is 无主.
SELECT h.game, h.trump,
       count(*) AS hands,
       round(100 * avg(s.won::INTEGER), 1) AS dealers_won_percent,
       round(avg(h.score), 1) AS attackers_score
FROM hands h
JOIN seats s ON s.hand_id = h.hand_id AND s.seat = h.dealer
WHERE h.mode = 'level' AND h.score IS NOT NULL
GROUP BY h.game, h.trump
ORDER BY h.game, hands DESC, h.trump
