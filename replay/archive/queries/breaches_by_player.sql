-- zh: 谁常犯规：每人违反了哪些规则、多少次，各举一局为例。
-- en: Who breaks rules: findings by player and rule, how often, with one example each.
-- group: findings
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=player_id y=findings colour=rule kind=bar
WITH counted AS (
    SELECT
        game,
        player_id,
        kind,
        rule,
        count(*) AS findings,
        arg_min(
            struct_pack(hand_id := hand_id, event := event, zh := zh, en := en),
            struct_pack(a := hand_id IS NULL, b := log_id, c := finding)
        ) AS example
    FROM findings_named
    WHERE kind IN ('violation', 'breach') AND seat IS NOT NULL
      AND (:game IS NULL OR game = :game)
      AND (:player IS NULL OR :player IN (player_id, player_name))
    GROUP BY game, player_id, kind, rule
)
SELECT game, player_id, kind, rule, findings, example.hand_id, example.event, example.zh, example.en
FROM counted
ORDER BY findings DESC, game, player_id, rule, kind
LIMIT :n
