"""Clean samples of 赤壁打滚 under other house rules, in hands that they change."""

from replay.engine.climbing.call import first_dealt
from replay.engine.climbing.states import Asking, Over, Playing
from schema.events import (
    Called,
    ClimbingBonusKind,
    ClimbingResult,
    SoloAnswered,
    WindTaken,
)
from tests.samples.chibi_dagun.refusals import refused
from tests.samples.clean import CONTESTED, PASS_BINDS, SOLOIST_LEADS, ends, settled
from tests.samples.forge import HandLog
from tests.samples.scripts import RUN_OFF, Lay, Script, lay, say
from tests.samples.sorts import Clean, House, Shows, but

_R, _K = ClimbingResult, ClimbingBonusKind
_SEVENS = "7d 7d 7c 7c 7h 7h 7s 7s"


def _laid(name: str, says: str, house: House, *lays: Lay) -> Clean:
    """A hand that begins with these plays; the seat of the first one is the dealer."""
    return Clean(name, says, house=house, script=Script(lays, dealer=lays[0].seat))


def _is_asked_first(hand: HandLog) -> bool:
    """The call is shown after the last answer."""
    kinds = [type(event) for event in hand.events]
    last_answer = max(k for k, kind in enumerate(kinds) if kind is SoloAnswered)
    return Called in kinds and kinds.index(Called) > last_answer


def _is_solo_without_call(hand: HandLog) -> bool:
    """A soloist other than the dealer leads, and nothing was called."""
    over = hand.moves[-1].after
    assert isinstance(over, Over)
    is_called = any(isinstance(event, Called) for event in hand.events)
    return not is_called and over.play.soloist not in (-1, over.dealer)


def _runs_off_undrawn(hand: HandLog) -> bool:
    """The calls run past the dealer's last card, and yet nothing is drawn."""
    after = hand.moves[0].after
    return isinstance(after, Asking) and first_dealt(after.deal.hands[after.dealer]).called is None


def _takes_points_with_the_wind(hand: HandLog) -> bool:
    return any(
        isinstance(claim, WindTaken)
        and isinstance(move.before, Playing)
        and isinstance(move.after, Playing)
        and move.after.captured[claim.seat] > move.before.captured[claim.seat]
        for move in hand.moves
        for claim in move.claims
    )


def _stops_early(result: ClimbingResult) -> Shows:
    def shows(hand: HandLog) -> bool:
        over = hand.moves[-1].after
        return isinstance(over, Over) and over.end == "early" and settled(hand).result is result

    return shows


def _fan_is(fan: int) -> Shows:
    return lambda hand: settled(hand).fan == fan


def _pays_twice(hand: HandLog) -> bool:
    """8喜 counts as 7喜 too, and the hand has a fan above one."""
    kinds = [bonus.kind for bonus in settled(hand).bonuses]
    return kinds == [_K.XI8, _K.XI7] and settled(hand).result is _R.BANG


_BEFORE_PLAY: tuple[Clean, ...] = (
    Clean(
        "option-public-server",
        "Preset public_server: a hand after the first; the soloist leads, nothing is called.",
        _is_solo_without_call,
        2,
        House("public_server"),
        script=Script(soloist=1),
    ),
    Clean(
        "option-asked-first",
        "The seats are asked for 硬牌 before the card is called.",
        _is_asked_first,
        house=but(solo_asked="before_call"),
    ),
    Clean("option-never-asked", "Nobody is asked for 硬牌.", house=but(solo_asked="never")),
    Clean(
        "option-drawn-calls",
        "Second hand: the call is drawn as in the first.",
        n_hands=2,
        house=but(later_call="random_single"),
    ),
    Clean(
        "option-first-single",
        "Second hand: the calls run past the last card; the first single of the deal is called.",
        _runs_off_undrawn,
        2,
        but(recall_fallback="first_single"),
        script=RUN_OFF,
    ),
    SOLOIST_LEADS._replace(script=Script(dealer=0, soloist=1)),
)
_TYPES: tuple[Clean, ...] = (
    Clean(
        "option-fewer-types",
        "Two jokers alone are no pair, bombs need three naturals and have six cards at most, "
        "摇摆 two ranks: the server turns down four plays.",
        house=but(
            jokers_alone="single_only",
            min_naturals_in_bomb=3,
            wild_bomb_max_cards=6,
            yaobai_max_ranks=2,
        ),
        script=Script(
            holds=("Bj Rj 6s 6h 7s 7h 7c 7d 8s 8s 8h 8h 8c 8d 9s 9h 9c 9d", "", "", ""),
            dealer=0,
        ),
        lie=refused(
            0,
            *("Bj Rj", "6s 6h Bj Rj", "8s 8s 8h 8h 8c 8d Bj"),
            "7s 7h 7c 7d 8s 8h 8c 8d 9s 9h 9c 9d",
        ),
    ),
    _laid(
        "option-highest-reading",
        "The highest reading counts, and it may be said.",
        but(wild_reading="max_only"),
        say(0, "6s 6h 7s 7h Bj Rj", "triple_chain 7"),
        lay(1, "8s 8h 8c 9s 9h 9c", "triple_chain 9"),
    ),
    _laid(
        "option-bomb-or-chain",
        "A pair and two jokers, declared a chain of two pairs.",
        but(one_rank_sets="bomb_or_chain"),
        say(0, "3s 3h Bj Rj", "pair_chain 4"),
        lay(1, "4s 4h 5c 5d", "pair_chain 5"),
    ),
    _laid(
        "option-natural-first",
        "Of two equal bombs the one without jokers is higher; so is 正五十K.",
        but(bomb_ties="natural_first"),
        lay(0, "5s Ts Bj", "wsk_pure"),
        lay(1, "5s Ts Ks", "wsk_pure"),
        lay(2, "3s 3h 3c Rj", "bomb 3"),
        lay(3, "3s 3h 3c 3d", "bomb 3"),
    ),
    _laid(
        "option-yaobai-to-2",
        "摇摆 of A and 2.",
        but(yaobai_top="2"),
        lay(0, "Js Jh Jc Jd Qs Qh Qc Qd", "yaobai Q"),
        lay(1, "As Ah Ac Ad 2s 2h 2c 2d", "yaobai 2"),
    ),
    _laid(
        "option-yaobai-total-cards",
        "摇摆: more cards beat a larger bomb in fewer.",
        but(yaobai_order="total_cards"),
        lay(0, "4s 4s 4h 4h 4c 5s 5s 5h 5h 5c", "yaobai 5"),
        lay(1, "6s 6h 6c 6d 7s 7h 7c 7d 8s 8h 8c 8d", "yaobai 8"),
    ),
    _laid(
        "option-yaobai-largest-bomb",
        "摇摆: a larger bomb beats more cards.",
        but(yaobai_order="largest_bomb_all"),
        lay(0, "6s 6h 6c 6d 7s 7h 7c 7d 8s 8h 8c 8d", "yaobai 8"),
        lay(1, "4s 4h 4c 4d 5s 5s 5h 5h 5c", "yaobai 5"),
    ),
    Clean(
        "option-yaobai-no-tiebreak",
        "摇摆: the largest bombs are equal, so more cards do not beat; the server says so.",
        house=but(yaobai_order="largest_bomb_no_tiebreak"),
        script=Script(
            (lay(0, "4s 4h 4c 4d 5s 5h 5c 5d 6s 6h 6c 6d", "yaobai 6"),),
            holds=("", "3s 3h 3c 3d 4s 4h 4c 4d 5s 5h 5c 5d 6s 6h 6c 6d", "", ""),
            dealer=0,
        ),
        lie=refused(1, "3s 3h 3c 3d 4s 4h 4c 4d 5s 5h 5c 5d 6s 6h 6c 6d"),
    ),
)
_ENDS: tuple[Clean, ...] = (
    PASS_BINDS,
    CONTESTED,
    Clean(
        "option-wind-points",
        "Who takes the wind takes the points of the trick.",
        _takes_points_with_the_wind,
        house=but(wind_points_to="leader"),
    ),
    Clean(
        "option-early-stop",
        "The hand ends once its result is certain.",
        _stops_early(_R.POINTS),
        house=but(early_stop="public_105"),
    ),
    Clean(
        "option-fans-multiply",
        "光头 on top of 绑.",
        _fan_is(8),
        house=but(fans="product"),
    ),
    Clean(
        "option-stakes",
        "Another base, other fans.",
        ends(_R.BANG),
        house=but(base=50, bang_fan=3, qing_fan=5, guangtou_fan=6, solo_fan=7),
    ),
    Clean(
        "option-bonuses",
        "8喜 is 7喜 too, the fan counts for bonuses, the partner does not pay.",
        _pays_twice,
        house=but(
            tianzha_each=3,
            xi8_each=4,
            xi7_each=2,
            bonus_unit="fan",
            xi8_counts="with_xi7",
            bonus_payers="opponents",
        ),
        script=Script(holds=("", _SEVENS, "", "")),
    ),
)
OPTIONS: tuple[Clean, ...] = (*_BEFORE_PLAY, *_TYPES, *_ENDS)
"""Each changes what the hand shows."""
