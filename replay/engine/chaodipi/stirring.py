"""扣底 and 抄底: burying the bottom, and asking round whether somebody stirs it (chaodipi-5)."""

from msgspec.structs import replace

from replay.engine.chaodipi.declaring import N_BOTTOM, read_show, take_bottom, with_show
from replay.engine.chaodipi.playing import begin
from replay.engine.chaodipi.rules import R
from replay.engine.chaodipi.showing import SINGLE
from replay.engine.chaodipi.states import RED_FIVES, Burying, Playing, Setting, Show, Stirring
from replay.engine.mechanics.holding import missing, pack_dealt, without
from replay.engine.mechanics.seats import N_SEATS, with_seat
from replay.engine.rule import Breach, blocked
from schema.chaodipi import Buried, StirPassed, Stirred


def buried(state: Burying, fact: Buried) -> Stirring | Playing:
    """Exactly eight cards of the seat that took the bottom; then the others are asked."""
    seat, cards = fact.seat, fact.cards
    if seat != state.seat:
        blocked(R.BURIAL, seat, cards, ("seat.number", state.seat), ("seat.number", seat))
    if len(cards) != N_BOTTOM:
        blocked(R.BURIAL, seat, cards, ("value.cards", N_BOTTOM), ("value.cards", len(cards)))
    lacking = missing(state.holdings[seat], cards)
    if lacking:
        blocked(R.HELD, seat, cards, None, lacking)
    rest = without(state.holdings[seat], pack_dealt(cards))
    holdings = with_seat(state.holdings, seat, rest)
    asked = _asked(state.setting, state.passed, seat)
    if not asked:
        return begin(state.setting, state.shows, holdings, cards, seat)
    return Stirring(
        setting=state.setting,
        shows=state.shows,
        holdings=holdings,
        bottom=cards,
        burier=seat,
        asked=asked,
        passed=state.passed,
    )


def _asked(setting: Setting, passed: frozenset[int], burier: int) -> tuple[int, ...]:
    """chaodipi-5.3, 5.7: the three others in order of play; nobody after a pair of 红桃5."""
    if setting.has_red_fives or setting.rung == RED_FIVES:
        return ()
    if setting.rung == 0 and setting.house.options.stir_after_bottom_trump == "not_asked":
        return ()
    seats = ((burier + step) % N_SEATS for step in range(1, N_SEATS))
    return tuple(seat for seat in seats if seat not in passed)


def stir_passed(state: Stirring, fact: StirPassed) -> Stirring | Playing:
    """The seat that was asked does not stir; after the last one play begins."""
    _demand_asked(state, fact.seat)
    asked = state.asked[1:]
    if not asked:
        return begin(state.setting, state.shows, state.holdings, state.bottom, state.burier)
    is_final = state.setting.house.options.stir_pass == "final"
    passed = state.passed | {fact.seat} if is_final else state.passed
    return replace(state, asked=asked, passed=passed)


def stirred(state: Stirring, fact: Stirred, breaches: list[Breach]) -> Burying:
    """A higher pair: it counts as an overturn, and its seat takes the bottom (chaodipi-5.5)."""
    seat, setting = fact.seat, state.setting
    _demand_asked(state, seat)
    show = read_show(setting, fact, breaches)
    lacking = missing(state.holdings[seat], fact.cards)
    if lacking:
        blocked(R.HELD, seat, fact.cards, None, lacking)
    _check_higher(setting, show, breaches)
    moves = setting.is_first and setting.house.options.stir_moves_dealer == "first_hand"
    after = with_show(setting, show, seat if moves else setting.dealer)
    shown = (*state.shows, show)
    return take_bottom(after, shown, state.holdings, state.bottom, state.burier, seat, state.passed)


def _check_higher(setting: Setting, show: Show, breaches: list[Breach]) -> None:
    """chaodipi-5.4: a pair, and strictly higher."""
    if show.rung <= max(setting.rung, SINGLE):
        expected = max(setting.rung, SINGLE) + 1
        breaches.append(Breach(R.STIR_HIGHER, show.seat, show.cards, expected, show.rung))


def _demand_asked(state: Stirring, seat: int) -> None:
    if seat != state.asked[0]:
        blocked(
            R.STIR_ORDER,
            seat,
            None,
            ("seat.number", state.asked[0]),
            ("seat.number", seat),
        )
