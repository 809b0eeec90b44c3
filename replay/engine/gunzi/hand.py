"""The fold of a 四副滚子 hand: which fact may come in which phase, and what it makes due."""

from typing import NoReturn

from msgspec.structs import replace

from replay.engine.gunzi import bottom, declaring, playing, tribute, turning
from replay.engine.gunzi.rules import R
from replay.engine.gunzi.states import (
    Asking,
    AwaitingDeal,
    Burying,
    Declaring,
    Drawing,
    Flipping,
    GunziState,
    Over,
    Paying,
    Playing,
    Returning,
    Setting,
    setting_of,
)
from replay.engine.rule import Breach, Rule, blocked
from schema.events import Claim, Dealt, Fact, HandAborted, HandEnded, Played, TrickWon
from schema.gunzi import (
    BottomShown,
    Buried,
    Declared,
    DeclaringClosed,
    Drawn,
    Flipped,
    JokersBuried,
    JokersPassed,
    Redealt,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from schema.schemas import EVENT_WORDS
from schema.trumps import Trump


def apply(state: GunziState, fact: Fact, breaches: list[Breach]) -> GunziState:
    """The state after `fact`: plays first, they are most of a hand."""
    if type(state) is Playing and type(fact) is Played:
        return playing.played(state, fact, breaches)
    if type(fact) is HandAborted and (type(state) is not Over or fact.was_cut_off):
        return state
    return _to_trump(state, fact, breaches)


def _to_trump(state: GunziState, fact: Fact, breaches: list[Breach]) -> GunziState:
    match state, fact:
        case Declaring(), Declared():
            return declaring.declared(state, fact, breaches)
        case AwaitingDeal(), Dealt():
            return declaring.dealt(state, fact, breaches)
        case Declaring(), DeclaringClosed():
            return declaring.closed(state)
        case Flipping(), Flipped():
            return turning.flipped(state, fact)
        case Drawing(), Drawn():
            return turning.drawn(state, fact)
        case Over(), HandEnded():
            return state
        case _:
            return _from_trump(state, fact, breaches)


def _from_trump(state: GunziState, fact: Fact, breaches: list[Breach]) -> GunziState:
    match state, fact:
        case Paying(), TributePaid():
            return tribute.paid(state, fact, breaches)
        case Returning(), TributeReturned():
            return tribute.returned(state, fact, breaches)
        case Burying(), Buried():
            return bottom.buried(state, fact, breaches)
        case Asking(), JokersPassed():
            return bottom.jokers_passed(state, fact)
        case Asking(), JokersBuried():
            return bottom.jokers_buried(state, fact, breaches)
        case Asking(), Played():
            return playing.played(bottom.to_play(state), fact, breaches)
        case ((Flipping() | Drawing() | Paying() | Returning()), Declared()) if _can_show(state):
            return declaring.declared_late(state, fact, breaches)
        case _:
            _wrong_phase(state, fact)


def _can_show(state: Flipping | Drawing | Paying | Returning) -> bool:
    """Whether a show that comes too late leaves a state that is defined.

    In a first hand trump comes from the cards dealt after it, or else from the bottom: of which
    then nothing may be turned up yet.
    """
    return not (state.setting.is_first and state.setting.turned)


def _wrong_phase(state: GunziState, fact: Fact) -> NoReturn:
    seat = getattr(fact, "seat", None)
    cards = getattr(fact, "cards", getattr(fact, "jokers", None))
    found = f"kind.{EVENT_WORDS[type(fact)]}"
    blocked(_phase_rule(state, fact), seat, cards, f"phase.{phase(state)}", found)


def _phase_rule(state: GunziState, fact: Fact) -> Rule:
    """The clause that says what had to come instead, or why this fact cannot come here."""
    match state:
        case Over():
            return R.HAND_END
        case AwaitingDeal():
            return R.DECK
        case Playing():
            return _play_rule(state, fact)
        case _:
            return _waiting_rule(state, fact)


def _play_rule(state: Playing, fact: Fact) -> Rule:
    """While tricks are played: the hand is not over, and what lies there stays there."""
    match fact:
        case HandEnded():
            return R.HAND_END
        case Buried() | JokersBuried() | JokersPassed() if state.table.is_dry:
            return R.DRY_STAYS
        case JokersBuried() | JokersPassed():
            return R.OTHERS_BURY
        case _:
            return _waiting_rule(state, fact)


def _waiting_rule(state: GunziState, fact: Fact) -> Rule:
    match fact:
        case Dealt():
            return R.DECK
        case TributePaid() | TributeReturned():
            return _tribute_rule(state)
        case Flipped() | Drawn():
            return R.TURNING
        case _:
            return _AWAITED.get(type(state), R.PHASES)


_AWAITED: dict[type[GunziState], Rule] = {
    Flipping: R.TURNING,
    Drawing: R.TURNING,
    Paying: R.TRIBUTE,
    Returning: R.TRIBUTE,
    Burying: R.BURIAL,
}
"""By phase, the clause of what it waits for."""


def _tribute_rule(state: GunziState) -> Rule:
    setting = setting_of(state)
    is_first = setting is not None and setting.is_first
    return R.NO_FIRST_TRIBUTE if is_first else R.TRIBUTE


_PHASES: dict[type[GunziState], str] = {
    AwaitingDeal: "deal",
    Declaring: "declare",
    Flipping: "flip",
    Drawing: "draw_trump",
    Paying: "tribute",
    Returning: "tribute_return",
    Burying: "bury",
    Asking: "bury_jokers",
    Playing: "play",
    Over: "over",
}


def phase(state: GunziState) -> str:
    """The word of a state's phase."""
    return _PHASES[type(state)]


def due(before: GunziState, fact: Fact, after: GunziState) -> tuple[Claim, ...]:
    """The claims that fall due with `fact`; most plays make none."""
    if type(after) is Playing and type(before) is Playing:
        return (TrickWon(*after.won),) if after.trick != before.trick else ()
    if type(after) is Over:
        if type(before) is Over:
            return ()
        return (TrickWon(*after.before.won), after.settled)
    return _due_before_play(before, fact, after)


def _due_before_play(before: GunziState, fact: Fact, after: GunziState) -> tuple[Claim, ...]:
    match fact, after:
        case ((Flipped() | Drawn()), AwaitingDeal()):
            return (Redealt(),)
        case ((Declared() | DeclaringClosed() | Flipped() | Drawn()), Paying() | Returning()):
            return (_trump_set(after.setting),)
        case ((Declared() | DeclaringClosed() | Flipped() | Drawn()), Burying() | Playing()):
            setting = setting_of(after)
            assert setting is not None
            return (_trump_set(setting), *_original(after))
        case TributeReturned(), Burying() | Playing():
            return _original(after)
        case ((Buried() | JokersBuried()), Asking() | Playing()):
            return _new_bottom(fact, after)
        case _:
            return ()


def _trump_set(setting: Setting) -> TrumpSet:
    return TrumpSet(Trump(setting.trump), setting.dealer)


def _original(after: Burying | Playing) -> tuple[BottomShown, ...]:
    """gunzi-5.2: the bottom of the deal is shown if somebody declared."""
    setting = setting_of(after)
    assert setting is not None
    if not setting.shows:
        return ()
    return (BottomShown(setting.deal.bottom, isinstance(after, Playing)),)


def _new_bottom(fact: Fact, after: Asking | Playing) -> tuple[BottomShown, ...]:
    """gunzi-5.9: a bottom with a joker in it is shown after every burial."""
    is_pass = isinstance(fact, JokersBuried) and not fact.jokers
    shown = after.table if isinstance(after, Playing) else after
    return (BottomShown(shown.bottom, False),) if shown.is_public and not is_pass else ()


def adopt(state: GunziState, claim: Claim) -> GunziState:
    """The state in which a false announcement stands; RuleViolation if it has none."""
    match claim, state:
        case TrumpSet(), Paying() | Returning() | Burying() | Playing():
            return _retrumped(state, claim)
        case BottomShown(), Burying() | Playing():
            return _dry_as_told(state, claim)
        case _:
            return state


def announced(state: GunziState, claim: Claim) -> GunziState:
    """The state after an announcement that nothing made due: a bottom told to be dry is."""
    if isinstance(claim, BottomShown) and isinstance(state, Burying) and claim.dry:
        return _dry_as_told(state, claim)
    return state


def _retrumped(state: Paying | Returning | Burying | Playing, claim: TrumpSet) -> GunziState:
    """Trump and dealer as announced, and what follows from them before the first card moves."""
    setting = setting_of(state)
    assert setting is not None
    if claim.trump is Trump.NO_TRUMP:
        found = "trump.no_trump"
        blocked(R.TRUMP_SET, None, None, f"trump.{Trump(setting.trump).name.lower()}", found)
    if isinstance(state, Returning):
        return replace(state, setting=replace(setting, trump=int(claim.trump)))
    return tribute.after_trump(replace(setting, trump=int(claim.trump), dealer=claim.dealer))


def _dry_as_told(state: Burying | Playing, claim: BottomShown) -> GunziState:
    """Of a bottom shown, the word whether it is dry stands; of a new one there is nothing."""
    setting = setting_of(state)
    assert setting is not None
    if isinstance(state, Burying):
        return bottom.put_back(state) if claim.dry else state
    if not state.table.is_dry or claim.dry:
        return state
    return bottom.taken(setting, state.holdings)
