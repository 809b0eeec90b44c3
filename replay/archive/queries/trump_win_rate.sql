-- zh: 主花色与庄家方胜率；none 是无主。
-- en: How often the dealer's side wins, by game and trump suit (主花色); none is 无主.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: level text = | 级别（2 … A） | level
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
