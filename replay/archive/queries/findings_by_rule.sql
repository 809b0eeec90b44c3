-- zh: 哪些规则被违反、多少次、涉及多少个牌谱，各举一局为例。
-- en: Which rules were broken, how often and in how many logs, with one example each.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: kind choice(format integrity violation breach claim) = | 种类 | kind
-- chart: x=rule y=findings colour=kind kind=bar
SELECT
    kind,
    rule,
    count(*) AS findings,
    count(DISTINCT log_id) AS logs,
    min(hand_id) AS hand_id,
    arg_min(event, hand_id) AS event,
    any_value(zh) AS zh,
    any_value(en) AS en
FROM findings_named
WHERE (:kind IS NULL OR kind = :kind)
  AND (:game IS NULL OR game = :game)
GROUP BY kind, rule
ORDER BY findings DESC, rule
