-- zh: 哪些规则被违反、多少次、涉及多少个牌谱，各举一局为例。
-- en: Which rules were broken, how often and in how many logs, with one example each.
-- group: findings
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: kind choice(format integrity violation breach claim) = | 种类 | kind
-- chart: x=rule y=findings colour=kind kind=bar
WITH counted AS (
    SELECT
        kind,
        rule,
        count(*) AS findings,
        count(DISTINCT log_id) AS logs,
        arg_min(
            struct_pack(hand_id := hand_id, event := event, zh := zh, en := en),
            struct_pack(a := hand_id IS NULL, b := log_id, c := finding)
        ) AS example
    FROM findings_named
    WHERE (:kind IS NULL OR kind = :kind)
      AND (:game IS NULL OR game = :game)
    GROUP BY kind, rule
)
SELECT kind, rule, findings, logs, example.hand_id, example.event, example.zh, example.en
FROM counted
ORDER BY findings DESC, rule, kind
