-- zh: 首出什么牌（最近若干份牌谱）：各牌型首出多少次、占多少、赢下多少。
-- en: What is led: types of first plays of a trick, how often, their share, and how often they win it.
-- group: plays
-- param: game choice(chaodipi chibi_dagun dagong gunzi) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: matches integer = 300 | 最近多少份牌谱 | of the latest so many logs
-- chart: x=kind y=share colour=game kind=bar
WITH latest AS (
    SELECT log_id, game, player_ids, player_names
    FROM logs
    WHERE game IS NOT NULL
      AND (:game IS NULL OR game = :game)
      AND (:player IS NULL OR list_contains(player_ids || player_names, :player))
    ORDER BY created DESC, log_id DESC
    LIMIT :matches
),
led AS (
    SELECT l.game, p.log_id, p.hand, p.trick, p.seat, p.kind, p.n_cards
    FROM plays p
    JOIN latest l ON l.log_id = p.log_id
    WHERE p.is_lead AND (:player IS NULL OR :player IN (l.player_ids[p.seat + 1], l.player_names[p.seat + 1]))
)
SELECT
    d.game,
    d.kind,
    count(*) AS leads,
    round(count(*) / sum(count(*)) OVER (PARTITION BY d.game), 4) AS share,
    round(avg(d.n_cards), 2) AS cards_per_lead,
    round(avg((t.winner = d.seat)::INTEGER), 4) AS won
FROM led d
JOIN tricks t ON t.log_id = d.log_id AND t.hand = d.hand AND t.trick = d.trick
GROUP BY d.game, d.kind
ORDER BY d.game, leads DESC, d.kind
