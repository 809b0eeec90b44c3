"""False, missing and undue claims of every kind that a hand has before its settlement."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from replay.engine.climbing.states import Asking, Playing
from schema.events import (
    AnyPlay,
    Called,
    Claim,
    ClimbingCarry,
    ClimbingOpening,
    Passed,
    Refused,
    Revealed,
    TrickWon,
    WentOut,
    WindTaken,
)
from tests.samples.forge import FIRST, Lie, Move
from tests.samples.sorts import Way

Change = Callable[[Move, Any], Claim | None]
"""Makes a false claim of the true one; None leaves it true."""


def false(kind: type[Claim], change: Change) -> Lie:
    """Log `change(move, claim)` in place of the first claim of this kind that it changes."""

    def lie(move: Move) -> tuple[Claim, ...] | None:
        for k, claim in enumerate(move.claims):
            if isinstance(claim, kind):
                bent = change(move, claim)
                if bent is not None and bent != claim:
                    return (*move.claims[:k], bent, *move.claims[k + 1 :])
        return None

    return lie


def missing(kind: type[Claim]) -> Lie:
    """Leave out the first claim of this kind."""

    def lie(move: Move) -> tuple[Claim, ...] | None:
        kept = tuple(claim for claim in move.claims if not isinstance(claim, kind))
        return None if kept == move.claims else kept

    return lie


def undue(invent: Callable[[Move], Claim | None]) -> Lie:
    """Log a claim that is not due after the first move for which there is one."""

    def lie(move: Move) -> tuple[Claim, ...] | None:
        claim = invent(move)
        return None if claim is None else (*move.claims, claim)

    return lie


# Calls


def other_single(move: Move, claim: Called) -> Called | None:
    """Another card that the dealer holds once: it stands as announced."""
    if not isinstance(move.after, Asking):
        return None
    cards = move.after.deal.hands[move.after.dealer]
    return Called(min(c for c in cards if cards.count(c) == 1 and c != claim.card))


def _first_hand(make: Change, *, yes: bool) -> Change:
    """Only where the call is drawn in the first hand, or only in later hands."""

    def change(move: Move, claim: Any) -> Claim | None:
        return make(move, claim) if (move.after.carry.dealer is None) is yes else None

    return change


def _after_recall(move: Move, claim: Called) -> Called | None:
    """The first card dealt to the dealer, void because he holds both copies: no twin."""
    if isinstance(move.after, Asking):
        first = move.after.deal.hands[move.after.dealer][0]
        return Called(first) if first != claim.card else None
    return None


def _before_recall(move: Move, claim: Called) -> Called | None:
    """A re-call is due and another single is announced."""
    return other_single(move, claim) if _after_recall(move, claim) else None


def _called_again(move: Move) -> Claim | None:
    after = move.after
    if isinstance(move.before, Playing) and isinstance(after, Playing) and after.called >= 0:
        return Called(after.called)
    return None


# In play


def _dealers_own_copy(move: Move) -> Claim | None:
    """The dealer lays his copy of the called card: that reveals nobody."""
    state, fact = move.before, move.fact
    if not isinstance(state, Playing) or not isinstance(fact, AnyPlay) or state.soloist >= 0:
        return None
    is_own = fact.seat == state.dealer and state.called in fact.cards
    return Revealed(state.dealer) if is_own and not state.is_revealed else None


def _won_while_open(move: Move) -> Claim | None:
    """A pass after which others are still to be asked is no end of a trick."""
    after = move.after
    if isinstance(move.fact, Passed) and isinstance(after, Playing) and not move.claims:
        return TrickWon(after.last, after.pile) if after.table is not None else None
    return None


def _out_with_cards(move: Move) -> Claim | None:
    if isinstance(move.fact, AnyPlay) and isinstance(move.after, Playing) and not move.claims:
        return WentOut(move.fact.seat, len(move.after.places) + 1)
    return None


def _wind_to_active_winner(move: Move) -> Claim | None:
    after = move.after
    if isinstance(after, Playing) and any(isinstance(c, TrickWon) for c in move.claims):
        return None if any(isinstance(c, WindTaken) for c in move.claims) else WindTaken(after.turn)
    return None


def _refused_good_play(move: Move) -> Claim | None:
    """The seat in turn may lead its lowest card: refusing that is a fault of the server."""
    after = move.after
    if isinstance(after, Playing) and after.table is None and move.claims:
        lowest = next(code for code in range(54) if after.holdings[after.turn] >> 3 * code & 3)
        return Refused(after.turn, bytes([lowest]))
    return None


def _wrong_wind(revealed: bool) -> Lie:
    def change(move: Move, claim: WindTaken) -> WindTaken | None:
        after = move.after
        assert isinstance(after, Playing)
        others = [s for s in range(4) if after.active >> s & 1 and s != claim.seat]
        return WindTaken(others[0]) if after.is_revealed is revealed else None

    return false(WindTaken, change)


OPENING_WITH_DEALER = Way(
    "first-hand-with-a-dealer",
    "The first hand of a match names a dealer.",
    opens=lambda carry: ClimbingCarry(1, 0, FIRST.balances),
)
OPENING_DEALER = Way(
    "opening-dealer",
    "The second hand names another dealer than 一游.",
    n_hands=2,
    opens=lambda carry: replace(carry, dealer=((carry.dealer or 0) + 1) % 4),
)
OPENING_BALANCES = Way(
    "opening-balances",
    "The second hand opens with other balances.",
    n_hands=2,
    opens=lambda carry: replace(carry, balances=(10, -10, 0, 0)),
)
OPENING_HAND_NO = Way(
    "opening-hand-no",
    "The second hand is numbered as the fifth.",
    n_hands=2,
    opens=lambda carry: replace(carry, hand_no=5),
)
OPENING_MISSING = Way(
    "opening-missing",
    "A hand that does not say what it opens with.",
    edit=lambda events: events[:1] + events[2:],
)
OPENING_TWICE = Way(
    "opening-twice",
    "A second opening in the middle of a hand.",
    edit=lambda events: [*events[:8], ClimbingOpening(FIRST), *events[8:]],
)


FIRST_CALL_FALSE = Way(
    "called",
    "First hand: another card is announced than the one drawn.",
    lie=false(Called, _first_hand(other_single, yes=True)),
)
DEALT_CALL_FALSE = Way(
    "called",
    "Another card is announced than the first one dealt.",
    lie=false(Called, lambda m, c: None if _after_recall(m, c) else other_single(m, c)),
    n_hands=2,
)
RECALL_FALSE = Way(
    "called",
    "After a re-call another card is announced.",
    lie=false(Called, _first_hand(_before_recall, yes=False)),
    n_hands=2,
)
CALL_DOUBLED = Way(
    "called-doubled",
    "A card is announced that the dealer holds twice: no partner.",
    lie=false(Called, _first_hand(_after_recall, yes=False)),
    n_hands=2,
)
CALL_MISSING = Way("called-missing", "The called card is not announced.", lie=missing(Called))
CALL_UNDUE = Way("called-undue", "The call is announced again in play.", lie=undue(_called_again))
REVEALED_FALSE = Way(
    "revealed-seat",
    "明鸡 of the wrong seat.",
    lie=false(Revealed, lambda m, c: Revealed((c.seat + 1) % 4)),
)
REVEALED_MISSING = Way("revealed-missing", "明鸡 is not logged.", lie=missing(Revealed))
REVEALED_UNDUE = Way(
    "revealed-undue", "明鸡 by the dealer's own copy.", lie=undue(_dealers_own_copy)
)
PLACE_FALSE = Way(
    "went-out-place",
    "一游 is logged as second.",
    lie=false(WentOut, lambda m, c: WentOut(c.seat, c.place + 1)),
)
PLACE_MISSING = Way(
    "went-out-missing", "A seat goes out and it is not logged.", lie=missing(WentOut)
)
PLACE_UNDUE = Way(
    "went-out-undue",
    "A seat that holds cards is logged as out.",
    lie=undue(_out_with_cards),
)
TRICK_POINTS = Way(
    "trick-points",
    "Five points too many in a trick.",
    lie=false(TrickWon, lambda m, c: TrickWon(c.seat, c.points + 5)),
)
TRICK_WINNER = Way(
    "trick-winner",
    "A trick is given to the wrong seat.",
    lie=false(TrickWon, lambda m, c: TrickWon((c.seat + 1) % 4, c.points)),
)
TRICK_MISSING = Way("trick-missing", "A trick is won and it is not logged.", lie=missing(TrickWon))
TRICK_UNDUE = Way(
    "trick-undue",
    "A trick is closed before everybody has answered.",
    lie=undue(_won_while_open),
)
WIND_PARTNER_FALSE = Way(
    "wind-seat", "接风 after 明鸡: the wrong seat is logged.", lie=_wrong_wind(True)
)
WIND_NEXT_FALSE = Way(
    "wind-seat", "接风 before 明鸡: the wrong seat is logged.", lie=_wrong_wind(False)
)
WIND_MISSING = Way(
    "wind-missing",
    "接风 before 明鸡 is not logged.",
    lie=lambda m: missing(WindTaken)(m) if not getattr(m.after, "is_revealed", True) else None,
)
WIND_UNDUE = Way(
    "wind-undue",
    "接风 where the winner still holds cards.",
    lie=undue(
        lambda m: None if getattr(m.after, "is_revealed", True) else _wind_to_active_winner(m)
    ),
)
GOOD_PLAY_REFUSED = Way(
    "good-play-refused",
    "The server turned down a good play.",
    lie=undue(_refused_good_play),
)
