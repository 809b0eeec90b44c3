-- zh: 癞子的用法：配成什么牌型、用几张、有没有声明、有没有人压。
-- en: Wild jokers (癞子): in which types they are used, how many, who declares, and how often nothing beat them.
-- param: player text = | 玩家编号 | player id
-- chart: x=kind y=plays colour=size kind=bar
SELECT
    l.game,
    p.kind,
    p.size,
    count(*) AS plays,
    sum(length(p.wilds)) AS jokers,
    round(avg(p.declared::INTEGER), 4) AS declared,
    round(avg((t.winner = p.seat AND b.event IS NULL)::INTEGER), 4) AS unbeaten
FROM plays p
JOIN logs l ON l.log_id = p.log_id
JOIN tricks t ON t.log_id = p.log_id AND t.hand = p.hand AND t.trick = p.trick
LEFT JOIN plays b
    ON b.log_id = p.log_id AND b.hand = p.hand AND b.to_beat = p.event AND NOT b.passed
WHERE p.wilds IS NOT NULL
  AND (:player IS NULL OR l.player_ids[p.seat + 1] = :player)
GROUP BY l.game, p.kind, p.size
ORDER BY l.game, plays DESC, p.kind, p.size
