-- zh: 桌上用什么规则：每条规则的取值各有多少场。
-- en: House rules: how many logs are played with each value of each option.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: option text = | 规则名 | option, such as call_rule
WITH tables AS (
    SELECT game, options, count(*) AS logs, sum(hands) AS hands
    FROM logs
    WHERE options IS NOT NULL
      AND (:game IS NULL OR game = :game)
    GROUP BY game, options
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
