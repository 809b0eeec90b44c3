-- zh: 读不出的文件，和原因。
-- en: Files that could not be read as logs, and why.
SELECT path, bytes, fault, fault_offset, error FROM logs WHERE error IS NOT NULL ORDER BY path
