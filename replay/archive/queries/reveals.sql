-- zh: 明鸡的早晚：对家在一局的哪一段亮明（或没亮），庄家方胜率多少。
-- en: 明鸡: in which fifth of the hand the partner was shown, or never, and how often the dealer's side won.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- chart: x=fifth y=dealers_won colour=game kind=bar
SELECT
    h.game,
    CASE WHEN h.revealed_at IS NOT NULL THEN h.revealed_at * 5 // h.events + 1 END AS fifth,
    count(*) AS hands,
    round(avg(list_contains(h.winners, h.dealer)::INTEGER), 4) AS dealers_won
FROM hands h
WHERE h.mode = 'friend' AND h.result IS NOT NULL
  AND (:game IS NULL OR h.game = :game)
GROUP BY h.game, fifth
ORDER BY h.game, fifth
