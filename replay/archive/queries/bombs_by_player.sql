-- zh: 每人每局平均几个炸弹。
-- en: Bombs a hand, by player.
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家编号 | player id
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=player_id y=bombs_per_hand colour=game kind=bar
WITH played AS (
    SELECT log_id, seat, count(*) AS bombs FROM plays WHERE is_bomb GROUP BY log_id, seat
),
sat AS (SELECT log_id, count(*) AS hands FROM hands GROUP BY log_id),
seats_of AS (
    SELECT log_id, game, unnest(range(4)) AS seat, unnest(player_ids) AS player_id FROM logs
)
SELECT
    s.game,
    s.player_id,
    sum(h.hands) AS hands,
    sum(coalesce(p.bombs, 0)) AS bombs,
    round(sum(coalesce(p.bombs, 0)) / sum(h.hands), 2) AS bombs_per_hand
FROM seats_of s
JOIN sat h ON h.log_id = s.log_id
LEFT JOIN played p ON p.log_id = s.log_id AND p.seat = s.seat
WHERE s.game IN ('dagong', 'chibi_dagun')
  AND (:game IS NULL OR s.game = :game)
  AND (:player IS NULL OR s.player_id = :player)
GROUP BY s.game, s.player_id
ORDER BY bombs_per_hand DESC, s.game, s.player_id
LIMIT :n
