-- zh: 同一场比赛、内容不同的牌谱：哪几份，相同的局有多少。
-- en: Copies of one match that hold different hands: which logs, and the first hand in which they differ.
SELECT
    a.file_id,
    a.log_id,
    a.path,
    b.log_id AS other_log_id,
    b.path AS other_path,
    len(list_filter(a.hand_ids, lambda id: list_contains(b.hand_ids, id))) AS hands_in_common
FROM logs a
JOIN logs b ON b.file_id = a.file_id AND b.log_id > a.log_id
ORDER BY a.log_id, b.log_id
