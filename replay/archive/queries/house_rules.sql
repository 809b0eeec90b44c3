-- zh: 桌上用什么规则：每条规则的取值各有多少场。
-- en: House rules: how many logs are played with each value of each option.
-- group: findings
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: option text = | 规则名 | option, such as call_rule
WITH kept AS (SELECT log_id, count(*) AS hands FROM hands GROUP BY log_id),
tables AS (
    SELECT l.game, l.options, count(DISTINCT l.file_id) AS logs, sum(coalesce(k.hands, 0)) AS hands
    FROM logs l
    LEFT JOIN kept k ON k.log_id = l.log_id
    WHERE l.options IS NOT NULL
      AND (:game IS NULL OR l.game = :game)
    GROUP BY l.game, l.options
),
told AS (SELECT *, unnest(json_keys(options)) AS option FROM tables)
SELECT
    game,
    option,
    json_extract_string(options, option) AS value,
    sum(logs) AS logs,
    sum(hands) AS hands
FROM told
WHERE :option IS NULL OR option = :option
GROUP BY ALL
ORDER BY game, option, logs DESC, value
