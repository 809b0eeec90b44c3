-- zh: 硬牌：每人硬了几局、赢了多少、得了多少。
-- en: 硬牌 by game and player: how often it was dared, how often it was won, and what it brought.
-- group: called
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- chart: x=player_id y=won colour=game kind=bar
SELECT
    game,
    player_id,
    count(*) AS solo_hands,
    round(avg(won::INTEGER), 4) AS won,
    sum(delta) AS coins
FROM solo_hands
WHERE TRUE
  AND (:game IS NULL OR game = :game)
  AND (:player IS NULL OR :player IN (player_id, player_name))
GROUP BY game, player_id
ORDER BY game, solo_hands DESC, player_id
