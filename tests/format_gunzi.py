"""House rules and events of 四副滚子 for tests of the format: well-formed, of no hand played."""

from schema.events import By, Event
from schema.gunzi import (
    BottomFate,
    BottomShown,
    Buried,
    Declared,
    DeclaringClosed,
    Drawn,
    Flipped,
    GunziCarry,
    GunziEnding,
    GunziOpening,
    GunziResult,
    GunziSettled,
    JokersBuried,
    JokersPassed,
    Redealt,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from schema.options import GunziOptions
from schema.trumps import Named, Trump

OPTIONS = GunziOptions(
    match_end="ten_passed",
    skipping_ten="never",
    must_deal="ten",
    flip_winner="largest",
    flip_order="game",
    late_first_show="allowed",
    joker_triple_opens="never",
    joker_triple="above_level_triple",
    self_overturn_suit="any",
    tribute_return="any",
    tribute_points="own_level",
    dry_trump_two="constant",
    dry_first_hand="on",
    dry_three_jokers="nothing",
    others_bury="allowed",
    others_bury_ban="all_points",
    pick_tie="rank",
    leader="winner",
    follow_mode="live",
    dead_triple="follows",
    bottom_factor=2,
    red_joker_levels=2,
    black_joker_levels=1,
    full_score="from_300",
    three_jokers="either",
    dealer_after_hold="partner",
    dealer_after_swap="next",
)
BOTTOM = bytes((2, 6, 10, 14, 30, 52))
DECK = bytes(range(54)) * 3
FIRST = GunziOpening(GunziCarry(1, None, (1, 1), 0, 0, False))
DECLARED = Declared(300, By.PLAYER, 1, bytes((52, 52, 52)), Named.SPADES, 155)
JOKERS_BURIED = JokersBuried(2500, By.PLAYER, 1, bytes((53, 53)), bytes((2, 6)))
SETTLED = GunziSettled(
    tricks=115,
    fate=BottomFate.CAPTURED,
    bottom=25,
    factor=2,
    score=165,
    result=GunziResult.MATCH_TO_ATTACKERS,
    ending=GunziEnding.THREE_JOKERS,
    risen=7,
    next=GunziCarry(8, 2, (8, 3), 1, 6, False),
)
BEFORE_PLAY: tuple[Event, ...] = (
    DECLARED,
    DeclaringClosed(20),
    Flipped(1500, By.PLAYER, 2, 5),
    Drawn(0, By.SERVER, 0),
    Redealt(),
    TrumpSet(Trump.HEARTS, 3),
    TributePaid(3000, By.PLAYER, 2, bytes((53, 48, 3))),
    TributeReturned(3500, By.TRUSTEE, 3, bytes((0, 1, 2))),
    BottomShown(BOTTOM, True),
    Buried(40_000, By.PLAYER, 3, BOTTOM[::-1]),
    JOKERS_BURIED,
    JokersPassed(900, By.TIMEOUT, 0),
)
"""Every kind of event that stands between deal and play, once."""
