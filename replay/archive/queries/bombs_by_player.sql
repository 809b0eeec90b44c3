-- zh: 每人每局平均几个炸弹。
-- en: Bombs a hand, by player.
-- group: plays
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: n integer = 100 | 行数 | rows at most
-- chart: x=player_id y=bombs_per_hand colour=game kind=bar
SELECT
    l.game,
    s.player_id,
    count(*) AS hands,
    sum(s.bombs) AS bombs,
    round(avg(s.bombs), 2) AS bombs_per_hand
FROM seats s
JOIN logs l ON l.log_id = s.log_id
WHERE l.game IN ('dagong', 'chibi_dagun')
  AND (:game IS NULL OR l.game = :game)
  AND (:player IS NULL OR :player IN (s.player_id, s.player_name))
GROUP BY l.game, s.player_id
ORDER BY bombs_per_hand DESC, l.game, s.player_id
LIMIT :n
