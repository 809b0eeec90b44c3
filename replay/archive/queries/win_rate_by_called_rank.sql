-- zh: 叫牌点数与庄家方胜率，分亮明（明鸡）与否。
-- en: How often the dealer's side wins, by the rank of the called card (叫牌) and whether it was shown (明鸡).
-- group: called
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- chart: x=called_rank y=dealer_wins colour=revealed kind=bar
SELECT
    game,
    called[:-2] AS called_rank,
    revealed_at IS NOT NULL AS revealed,
    count(*) AS hands,
    round(avg(list_contains(winners, dealer)::INTEGER), 4) AS dealer_wins
FROM hands
WHERE mode = 'friend' AND result IS NOT NULL
  AND (:game IS NULL OR game = :game)
GROUP BY ALL
ORDER BY ALL
