"""Every rule of 赤壁打滚, one line each; the words stand in RULES.md and in the catalogue."""

from replay.engine.rule import Rule, RuleClass

BLOCKS = RuleClass.BLOCKS
CONDUCT = RuleClass.CONDUCT
CLAIM = RuleClass.CLAIM
DEFINITION = RuleClass.DEFINITION


class R(Rule):
    """The rules of 赤壁打滚: `NAME = (id, class)`."""

    SEATS = ("chibi_dagun-1.1", DEFINITION)
    DECK = ("chibi_dagun-1.2", BLOCKS)
    DIRECTION = ("chibi_dagun-1.3", DEFINITION)
    POINTS = ("chibi_dagun-1.4", DEFINITION)
    BASE = ("chibi_dagun-1.5", DEFINITION)

    FIRST_DEALER = ("chibi_dagun-2.1", BLOCKS)
    DEALER = ("chibi_dagun-2.2", CLAIM)
    DEAL_START = ("chibi_dagun-2.3", CONDUCT)
    DEAL_ORDER = ("chibi_dagun-2.4", DEFINITION)
    NOTHING_LEFT = ("chibi_dagun-2.5", DEFINITION)

    FIRST_CALL = ("chibi_dagun-3.1", BLOCKS)
    DEALT_CALL = ("chibi_dagun-3.2", CONDUCT)
    RECALL = ("chibi_dagun-3.3", CLAIM)
    DRAWN_CALL = ("chibi_dagun-3.4", BLOCKS)
    PARTNER = ("chibi_dagun-3.5", BLOCKS)
    SIDES = ("chibi_dagun-3.6", DEFINITION)

    SOLO_RIGHT = ("chibi_dagun-4.1", DEFINITION)
    SOLO_ASKED = ("chibi_dagun-4.2", BLOCKS)
    SOLO_VOIDS = ("chibi_dagun-4.3", DEFINITION)
    FRIENDS = ("chibi_dagun-4.4", DEFINITION)
    SOLO_WON_BY = ("chibi_dagun-4.5", DEFINITION)
    FIRST_LEAD = ("chibi_dagun-4.6", CONDUCT)

    RANKS = ("chibi_dagun-5.1", DEFINITION)
    WILDS = ("chibi_dagun-5.2", DEFINITION)
    WILD_FOR = ("chibi_dagun-5.3", DEFINITION)
    JOKERS_ALONE = ("chibi_dagun-5.4", DEFINITION)
    WILD_WSK = ("chibi_dagun-5.5", DEFINITION)
    WILD_TRIPLE = ("chibi_dagun-5.6", DEFINITION)
    WILD_BOMB = ("chibi_dagun-5.7", DEFINITION)
    WILD_CHAIN = ("chibi_dagun-5.8", DEFINITION)
    WINDOWS = ("chibi_dagun-5.9", DEFINITION)
    READING = ("chibi_dagun-5.10", CONDUCT)
    NO_WILDS = ("chibi_dagun-5.11", DEFINITION)
    FIXED = ("chibi_dagun-5.12", DEFINITION)

    SINGLE = ("chibi_dagun-6.1", DEFINITION)
    PAIR = ("chibi_dagun-6.2", DEFINITION)
    PAIR_CHAIN = ("chibi_dagun-6.3", DEFINITION)
    TRIPLE = ("chibi_dagun-6.4", DEFINITION)
    TRIPLE_CHAIN = ("chibi_dagun-6.5", DEFINITION)
    BOMB = ("chibi_dagun-6.6", DEFINITION)
    BIG_BOMB = ("chibi_dagun-6.7", DEFINITION)
    WSK_MIXED = ("chibi_dagun-6.8", DEFINITION)
    WSK_PURE = ("chibi_dagun-6.9", DEFINITION)
    WSK_WILD = ("chibi_dagun-6.10", DEFINITION)
    XI7 = ("chibi_dagun-6.11", DEFINITION)
    XI8 = ("chibi_dagun-6.12", DEFINITION)
    YAOBAI = ("chibi_dagun-6.13", DEFINITION)
    TIANZHA = ("chibi_dagun-6.14", DEFINITION)
    NO_TYPE = ("chibi_dagun-6.15", BLOCKS)

    SAME_TYPE = ("chibi_dagun-7.1", DEFINITION)
    OTHER_TYPE = ("chibi_dagun-7.2", DEFINITION)
    SAME_LENGTH = ("chibi_dagun-7.3", DEFINITION)

    BOMBS_BEAT = ("chibi_dagun-8.1", DEFINITION)
    XI8_ORDER = ("chibi_dagun-8.2", DEFINITION)
    YAOBAI_ORDER = ("chibi_dagun-8.3", DEFINITION)
    XI7_ORDER = ("chibi_dagun-8.4", DEFINITION)
    BIG_BOMB_ORDER = ("chibi_dagun-8.5", DEFINITION)
    BOMB_ORDER = ("chibi_dagun-8.6", DEFINITION)
    BOMB_OVER_WSK = ("chibi_dagun-8.7", DEFINITION)
    WSK_ORDER = ("chibi_dagun-8.8", DEFINITION)
    WSK_EQUAL = ("chibi_dagun-8.9", DEFINITION)

    ORDER = ("chibi_dagun-9.1", BLOCKS)
    HELD = ("chibi_dagun-9.2", BLOCKS)
    LEADER_PLAYS = ("chibi_dagun-9.3", CONDUCT)
    GREATER = ("chibi_dagun-9.4", CONDUCT)
    PASS_BINDS = ("chibi_dagun-9.5", DEFINITION)
    TRICK_WINNER = ("chibi_dagun-9.6", CLAIM)
    WINNER_LEADS = ("chibi_dagun-9.7", CONDUCT)

    REVEAL = ("chibi_dagun-10.1", CLAIM)
    REVEAL_ONLY = ("chibi_dagun-10.2", DEFINITION)
    SOLO_REVEAL = ("chibi_dagun-10.3", DEFINITION)

    WIND_WHEN = ("chibi_dagun-11.1", DEFINITION)
    WIND_PARTNER = ("chibi_dagun-11.2", CONDUCT)
    WIND_NEXT = ("chibi_dagun-11.3", CONDUCT)
    WIND_REVEAL = ("chibi_dagun-11.4", DEFINITION)
    WIND_BEATEN = ("chibi_dagun-11.5", DEFINITION)
    WIND_NEVER = ("chibi_dagun-11.6", DEFINITION)
    FINISHER_POINTS = ("chibi_dagun-11.7", DEFINITION)

    PLACES = ("chibi_dagun-12.1", CLAIM)
    SOLO_END = ("chibi_dagun-12.2", BLOCKS)
    BANG_END = ("chibi_dagun-12.3", DEFINITION)
    NORMAL_END = ("chibi_dagun-12.4", BLOCKS)
    AFTER_END = ("chibi_dagun-12.5", BLOCKS)

    TRICK_POINTS = ("chibi_dagun-13.1", CLAIM)
    CAPTURED = ("chibi_dagun-13.2", CLAIM)
    OPEN_TRICK = ("chibi_dagun-13.3", CLAIM)
    TRANSFER = ("chibi_dagun-13.4", CLAIM)
    LEFT = ("chibi_dagun-13.5", CLAIM)
    SUM = ("chibi_dagun-13.6", DEFINITION)
    BANG_POINTS = ("chibi_dagun-13.7", CLAIM)
    SOLO_POINTS = ("chibi_dagun-13.8", CLAIM)

    BANG = ("chibi_dagun-14.1", CLAIM)
    GUANGTOU = ("chibi_dagun-14.2", CLAIM)
    WINNER = ("chibi_dagun-14.3", CLAIM)
    TIE = ("chibi_dagun-14.4", CLAIM)
    QING = ("chibi_dagun-14.5", CLAIM)
    SOLO_RESULT = ("chibi_dagun-14.6", CLAIM)

    DEALT_BONUS = ("chibi_dagun-15.1", DEFINITION)
    BONUS = ("chibi_dagun-15.2", CLAIM)
    BONUS_PAID = ("chibi_dagun-15.3", CLAIM)
    BONUS_ALWAYS = ("chibi_dagun-15.4", DEFINITION)
    BONUS_ADDS = ("chibi_dagun-15.5", DEFINITION)
    BONUS_PLAIN = ("chibi_dagun-15.6", DEFINITION)

    COINS = ("chibi_dagun-16.1", CLAIM)
    FRIEND_COINS = ("chibi_dagun-16.2", CLAIM)
    SOLO_COINS = ("chibi_dagun-16.3", CLAIM)
    COINS_SUM = ("chibi_dagun-16.4", DEFINITION)
    ZERO_SUM = ("chibi_dagun-16.5", DEFINITION)

    NEXT_DEALER = ("chibi_dagun-17.1", CLAIM)
    NOTHING_ELSE = ("chibi_dagun-17.2", DEFINITION)
    MATCH_LENGTH = ("chibi_dagun-17.3", CONDUCT)
    ABORTED = ("chibi_dagun-17.4", DEFINITION)
