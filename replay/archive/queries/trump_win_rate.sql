-- zh: 主花色与庄家方胜率；none 是无主。
-- en: How often the dealer's side wins, by game and trump suit (主花色); none is 无主.
-- group: trumps
-- param: game choice(chaodipi gunzi) = | 游戏 | game
-- param: level choice(2 3 4 5 6 7 8 9 T J Q K A) = | 级别（T = 打10；四副滚子 3 … T） | level (T is 10; in 四副滚子 3 to T)
-- chart: x=trump y=dealers_won_percent colour=game kind=bar
SELECT
    game,
    trump,
    count(*) AS hands,
    round(100 * avg(list_contains(winners, dealer)::INTEGER), 1) AS dealers_won_percent,
    round(avg(score), 1) AS attackers_score
FROM hands
WHERE mode = 'level' AND score IS NOT NULL
  AND (:level IS NULL OR level = :level)
  AND (:game IS NULL OR game = :game)
GROUP BY game, trump
ORDER BY game, hands DESC, trump
