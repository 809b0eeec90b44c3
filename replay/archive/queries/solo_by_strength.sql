-- zh: 硬牌成功率：按手里几张王、几个炸弹（四张以上）。
-- en: 硬牌 by what was dealt to the soloist, jokers and sets of four or more: how often it was won.
-- group: called
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- chart: x=bombs_dealt y=won colour=jokers kind=bar
SELECT
    game,
    jokers,
    bombs_dealt,
    count(*) AS hands,
    round(avg(won::INTEGER), 4) AS won,
    round(avg(delta), 2) AS coins_per_hand
FROM solo_hands
WHERE TRUE
  AND (:game IS NULL OR game = :game)
GROUP BY game, jokers, bombs_dealt
ORDER BY game, jokers, bombs_dealt
