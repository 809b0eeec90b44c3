"""Every rule of 打拱, one line each; the words stand in RULES.md and in the catalogue."""

from replay.engine.rule import Rule, RuleClass

BLOCKS = RuleClass.BLOCKS
CONDUCT = RuleClass.CONDUCT
CLAIM = RuleClass.CLAIM
DEFINITION = RuleClass.DEFINITION


class R(Rule):
    """The rules of 打拱: `NAME = (id, class)`."""

    SEATS = ("dagong-1.1", DEFINITION)
    DECK = ("dagong-1.2", BLOCKS)
    RANKS = ("dagong-1.3", DEFINITION)
    HELD = ("dagong-1.4", BLOCKS)
    POINTS = ("dagong-1.5", DEFINITION)
    NO_WILDS = ("dagong-1.6", DEFINITION)

    ORDER = ("dagong-2.1", BLOCKS)
    FIRST_DEALER = ("dagong-2.2", BLOCKS)
    DEALER = ("dagong-2.3", CLAIM)
    DEAL_START = ("dagong-2.4", CONDUCT)
    FACE_DOWN = ("dagong-2.5", DEFINITION)

    FIRST_CALL = ("dagong-3.1", BLOCKS)
    DEALT_CALL = ("dagong-3.2", CONDUCT)
    RECALL = ("dagong-3.3", CLAIM)
    DRAWN_CALL = ("dagong-3.4", BLOCKS)
    JOKER_CALL = ("dagong-3.5", DEFINITION)
    PARTNER = ("dagong-3.6", BLOCKS)
    SIDES = ("dagong-3.7", DEFINITION)
    REVEAL = ("dagong-3.8", CLAIM)
    REVEAL_USE = ("dagong-3.9", DEFINITION)

    SINGLE = ("dagong-4.1", DEFINITION)
    PAIR = ("dagong-4.2", DEFINITION)
    PAIR_CHAIN = ("dagong-4.3", DEFINITION)
    STRAIGHT = ("dagong-4.4", DEFINITION)
    BOMB = ("dagong-4.5", DEFINITION)
    WSK = ("dagong-4.6", DEFINITION)
    JOKER_PAIR = ("dagong-4.7", DEFINITION)
    YAOBAI = ("dagong-4.8", DEFINITION)
    TIANZHA = ("dagong-4.9", DEFINITION)
    JOKER_MIX = ("dagong-4.10", BLOCKS)
    NO_TYPE = ("dagong-4.11", BLOCKS)
    SPLIT = ("dagong-4.12", DEFINITION)

    GREATER = ("dagong-5.1", CONDUCT)
    SAME_TYPE = ("dagong-5.2", DEFINITION)
    OTHER_TYPE = ("dagong-5.3", DEFINITION)
    BOMBS_BEAT = ("dagong-5.4", DEFINITION)
    BOMB_ORDER = ("dagong-5.5", DEFINITION)
    WSK_ORDER = ("dagong-5.6", DEFINITION)
    JOKER_PAIR_ORDER = ("dagong-5.7", DEFINITION)
    ONE_YAOBAI = ("dagong-5.8", DEFINITION)

    FIRST_LEAD = ("dagong-6.1", CONDUCT)
    FREE_LEAD = ("dagong-6.2", DEFINITION)
    LEADER_PLAYS = ("dagong-6.3", CONDUCT)
    FOLLOW = ("dagong-6.4", DEFINITION)
    WINNER_LEADS = ("dagong-6.5", CONDUCT)
    PASS_BINDS = ("dagong-6.6", DEFINITION)
    OUT_IS_OUT = ("dagong-6.7", BLOCKS)

    TRICK_POINTS = ("dagong-7.1", CLAIM)
    BOMB_POINTS = ("dagong-7.2", DEFINITION)
    NO_SOLO_POINTS = ("dagong-7.3", DEFINITION)
    FINISHER_POINTS = ("dagong-7.4", DEFINITION)

    PLACES = ("dagong-8.1", CLAIM)
    WIND_PARTNER = ("dagong-8.2", CONDUCT)
    WIND_NEXT = ("dagong-8.3", CONDUCT)
    WIND_WHEN = ("dagong-8.4", DEFINITION)
    WIND_ACTIVE = ("dagong-8.5", DEFINITION)
    NORMAL_END = ("dagong-8.6", BLOCKS)
    BANG_END = ("dagong-8.7", BLOCKS)
    PLAY_ON = ("dagong-8.8", DEFINITION)
    TRANSFERS = ("dagong-8.9", CLAIM)
    SUM = ("dagong-8.10", DEFINITION)
    WINNER = ("dagong-8.11", CLAIM)
    QING = ("dagong-8.12", CLAIM)
    BANG = ("dagong-8.13", CLAIM)
    GUANGTOU = ("dagong-8.14", CLAIM)

    SOLO_FREE = ("dagong-9.1", CONDUCT)
    SOLO_ASKED = ("dagong-9.2", BLOCKS)
    SOLO_LEAD = ("dagong-9.3", CONDUCT)
    SOLO_END = ("dagong-9.4", BLOCKS)
    SOLO_COINS = ("dagong-9.5", CLAIM)

    TIANZHA_BONUS = ("dagong-10.1", CLAIM)
    XI_BONUS = ("dagong-10.2", CLAIM)
    BONUS_PAID = ("dagong-10.3", CLAIM)

    COINS = ("dagong-11.1", CLAIM)
    FRIEND_COINS = ("dagong-11.2", CLAIM)
    NEXT_DEALER = ("dagong-11.3", CLAIM)
    NOTHING_ELSE = ("dagong-11.4", DEFINITION)
    MATCH_LENGTH = ("dagong-11.5", CONDUCT)
