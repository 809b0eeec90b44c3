-- zh: 每人每局平均几个炸弹（最近若干份牌谱）。
-- en: Bombs a hand, by player.
-- group: plays
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: matches integer = 300 | 最近多少份牌谱 | of the latest so many logs
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=player_id y=bombs_per_hand colour=game kind=bar
WITH latest AS (
    SELECT log_id, game, player_ids, player_names
    FROM logs
    WHERE game IN ('dagong', 'chibi_dagun')
      AND (:game IS NULL OR game = :game)
      AND (:player IS NULL OR list_contains(player_ids || player_names, :player))
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
),
played AS (
    SELECT p.log_id, p.seat, count(*) AS bombs
    FROM plays p
    JOIN latest l ON l.log_id = p.log_id
    WHERE p.is_bomb
    GROUP BY p.log_id, p.seat
),
sat AS (
    SELECT l.game, h.log_id, s.seat, l.player_ids[s.seat + 1] AS player_id,
           l.player_names[s.seat + 1] AS player_name, count(*) AS hands
    FROM hands h
    JOIN latest l ON l.log_id = h.log_id
    CROSS JOIN (SELECT unnest(range(4)) AS seat) s
    GROUP BY ALL
)
SELECT
    s.game,
    s.player_id,
    sum(s.hands) AS hands,
    sum(coalesce(p.bombs, 0)) AS bombs,
    round(sum(coalesce(p.bombs, 0)) / sum(s.hands), 2) AS bombs_per_hand
FROM sat s
LEFT JOIN played p ON p.log_id = s.log_id AND p.seat = s.seat
WHERE :player IS NULL OR :player IN (s.player_id, s.player_name)
GROUP BY s.game, s.player_id
ORDER BY bombs_per_hand DESC, s.game, s.player_id
LIMIT :n
