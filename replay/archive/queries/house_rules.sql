-- zh: 桌上用什么规则：每条规则的取值各有多少场。
-- en: House rules: how many logs are played with each value of each option.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: option text = | 规则名 | option, such as call_rule
SELECT game, option, value, count(*) AS logs, sum(hands) AS hands
FROM (
    SELECT game, hands, unnest(json_keys(options)) AS option,
           json_extract_string(options, unnest(json_keys(options))) AS value
    FROM logs
    WHERE options IS NOT NULL
)
WHERE (:option IS NULL OR option = :option)
  AND (:game IS NULL OR game = :game)
GROUP BY game, option, value
ORDER BY game, option, logs DESC, value
