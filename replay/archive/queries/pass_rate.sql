-- zh: 每人的不出率（最近若干份牌谱），按出牌后剩几张，每五张一档。
-- en: How often each player passes when he has to answer, by game and by how many cards he has left.
-- group: players
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: matches integer = 300 | 最近多少份牌谱 | of the latest so many logs
-- chart: x=cards_left_from y=pass_rate colour=player_id kind=line
WITH latest AS (
    SELECT log_id, game, player_ids, player_names
    FROM logs
    WHERE game IN ('dagong', 'chibi_dagun')
      AND (:game IS NULL OR game = :game)
      AND (:player IS NULL OR list_contains(player_ids || player_names, :player))
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
)
SELECT
    l.game,
    l.player_ids[p.seat + 1] AS player_id,
    (p.cards_left // 5) * 5 AS cards_left_from,
    count(*) AS acts,
    round(avg(p.passed::INTEGER), 4) AS pass_rate
FROM plays p
JOIN latest l ON l.log_id = p.log_id
WHERE NOT p.is_lead AND (:player IS NULL OR :player IN (l.player_ids[p.seat + 1], l.player_names[p.seat + 1]))
GROUP BY ALL
ORDER BY ALL
