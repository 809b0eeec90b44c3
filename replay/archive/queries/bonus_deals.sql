-- zh: 发到奖励牌型（天炸、7喜、8喜）的座位：是谁、哪几种、那一局奖励的收支、赢了没有、手牌。
-- en: Seats that were dealt a bonus (天炸, 7喜, 8喜): who, which, the net of the hand's bonuses, whether he won, the cards.
-- group: plays
-- param: game choice(chibi_dagun dagong) = | 游戏 | game
-- param: player text = | 玩家（编号或名字） | player, by id or name
-- param: n integer = 100 | 行数 | rows at most
-- A seat may pay as much for others' bonuses as its own bring: the cards tell which were dealt.
WITH paid AS (SELECT DISTINCT log_id, hand FROM seats WHERE bonus <> 0),
-- Materialized, for to count the cards of all seats takes long.
there AS MATERIALIZED (
    SELECT s.log_id, s.hand, s.seat, s.bonus, s.dealt_counts, l.game
    FROM paid p
    JOIN seats s ON s.log_id = p.log_id AND s.hand = p.hand
    JOIN logs l ON l.log_id = p.log_id
    WHERE (:game IS NULL OR l.game = :game)
      AND (:player IS NULL OR :player IN (s.player_id, s.player_name))
),
held AS MATERIALIZED (
    SELECT log_id, hand, seat, game
    FROM there
    WHERE dealt_counts[53] + dealt_counts[54] = 4
       OR list_max(list_transform(
              range(13), lambda r: list_sum(dealt_counts[4 * r + 1 : 4 * r + 4])
          )) >= 7
    ORDER BY bonus DESC, log_id, hand, seat
    LIMIT :n
),
counted AS (
    SELECT
        s.*,
        h.game,
        list_transform(range(13), lambda r: list_sum(s.dealt_counts[4 * r + 1 : 4 * r + 4])) AS ranks
    FROM held h
    JOIN seats s ON s.log_id = h.log_id AND s.hand = h.hand AND s.seat = h.seat
)
SELECT
    hand_id, hand, game, seat, player_id,
    array_to_string(list_concat(
        CASE WHEN dealt_counts[53] + dealt_counts[54] = 4 THEN ['tianzha'] ELSE [] END,
        list_transform(list_filter(ranks, lambda n: n >= 7), lambda n: 'xi' || n)
    ), ' ') AS dealt_bonus,
    bonus, won, dealt
FROM counted
ORDER BY bonus DESC, log_id, hand, seat
