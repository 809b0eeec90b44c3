-- zh: 按写牌谱的程序：几份、几局、几处问题、多少不能核对；副本只算一次。
-- en: Findings by the program that wrote the logs: logs, hands, findings, facts that were not checked; copies count once.
-- group: findings
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- chart: x=producer y=findings colour=game kind=bar
WITH kept AS (SELECT log_id, count(*) AS hands FROM hands GROUP BY log_id),
found AS (SELECT log_id, count(*) AS findings FROM findings GROUP BY log_id),
told AS (
    SELECT
        l.producer,
        l.game,
        l.file_id,
        sum(k.hands) AS hands,
        sum(coalesce(f.findings, 0)) AS findings,
        max(l.unverified) AS unverified,
        max(l.damaged) AS damaged
    FROM logs l
    LEFT JOIN kept k ON k.log_id = l.log_id
    LEFT JOIN found f ON f.log_id = l.log_id
    WHERE l.error IS NULL
      AND (:game IS NULL OR l.game = :game)
    GROUP BY l.producer, l.game, l.file_id
)
SELECT
    producer,
    game,
    count(*) AS logs,
    coalesce(sum(hands), 0) AS hands,
    sum(findings) AS findings,
    count(*) FILTER (WHERE findings > 0) AS logs_with_findings,
    sum(unverified) AS unverified_facts,
    sum(damaged) AS damaged
FROM told
GROUP BY producer, game
ORDER BY findings DESC, producer, game
