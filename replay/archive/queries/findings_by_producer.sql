-- zh: 按写牌谱的程序：几份、几局、几处问题、多少不能核对。
-- en: Findings by the program that wrote the logs: logs, hands, findings, facts that were not checked.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- chart: x=producer y=findings colour=game kind=bar
SELECT
    producer,
    game,
    count(*) AS logs,
    sum(hands) AS hands,
    sum(findings) AS findings,
    count(*) FILTER (WHERE findings > 0) AS logs_with_findings,
    sum(unverified) AS unverified_facts,
    sum(damaged) AS damaged
FROM logs
WHERE error IS NULL
  AND (:game IS NULL OR game = :game)
GROUP BY producer, game
ORDER BY findings DESC, producer, game
