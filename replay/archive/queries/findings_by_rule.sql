-- zh: 哪些规则被违反、多少次、涉及多少个牌谱，各举一局为例。
-- en: Which rules were broken, how often and in how many logs, with one example each.
SELECT
    kind,
    rule,
    count(*) AS findings,
    count(DISTINCT log_id) AS logs,
    any_value(hand_id) AS example_hand,
    any_value(zh) AS zh,
    any_value(en) AS en
FROM findings
GROUP BY kind, rule
ORDER BY findings DESC, rule
