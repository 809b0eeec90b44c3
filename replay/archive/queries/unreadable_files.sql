-- zh: 读不出的文件，和原因。
-- en: Files that could not be read as logs, and why.
-- group: findings
-- param: fault text = | 原因 | fault, such as bad_head
SELECT path, bytes, fault, fault_offset, error
FROM logs
WHERE error IS NOT NULL
  AND (:fault IS NULL OR fault = :fault)
ORDER BY path
