-- zh: 同一场比赛、内容不同的牌谱：哪几份，从第几局起不同。
-- en: Copies of one match that hold different hands: which logs, and the first hand in which they differ.
-- group: findings
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
SELECT
    a.file_id,
    a.game,
    a.log_id,
    a.path,
    b.log_id AS other_log_id,
    b.path AS other_path,
    len(list_filter(a.hand_ids, lambda id: list_contains(b.hand_ids, id))) AS hands_in_common,
    list_position(
        list_transform(range(greatest(len(a.hand_ids), len(b.hand_ids))),
            lambda k: a.hand_ids[k + 1] IS DISTINCT FROM b.hand_ids[k + 1]),
        TRUE
    ) - 1 AS first_difference
FROM logs a
JOIN logs b ON b.file_id = a.file_id AND b.log_id > a.log_id
WHERE TRUE
  AND (:game IS NULL OR a.game = :game)
ORDER BY a.log_id, b.log_id
