"""The settlement of 四副滚子, line by line: the score, the jokers, promotion, the next hand."""

from replay.engine.board import Phrase, Stated, Told
from replay.engine.facts import SeatFacts
from replay.engine.gunzi.levels import TO_TAKE
from replay.engine.gunzi.states import Over, side
from replay.engine.gunzi.summary import hand_facts
from replay.engine.mechanics.ranks import count_jokers
from schema.cards import BLACK_JOKER, RED_JOKER
from schema.gunzi import BottomFate, GunziEnding


def sheet(state: Over) -> tuple[Stated | Told, ...]:
    """From the points in tricks to the tribute of the next hand."""
    return (*_score(state), *_bottom(state), *_outcome(state), *_next(state))


def _score(state: Over) -> tuple[Stated | Told, ...]:
    """gunzi-8.1, 8.2: points in tricks, the bottom by its factor if it is captured, the sum."""
    table, settled = state.before.table, state.settled
    attackers = tuple(seat for seat in range(4) if side(seat) != side(table.setting.dealer))
    buried = () if table.is_dry else ("buried",)
    return (
        Stated("tricks", attackers),
        Stated("fate"),
        Stated("bottom", buried),
        Stated("factor"),
        Told("view.sheet.bottom_counts", (settled.bottom * settled.factor,), sources=("end",)),
        Stated("score"),
        Told("view.sheet.needed", (TO_TAKE,)),
    )


def _bottom(state: Over) -> tuple[Told, ...]:
    """The jokers of the final bottom, and where they count for nothing, why (gunzi-5.5, 8.6)."""
    table = state.before.table
    if not count_jokers(table.bottom):
        return ()
    slots = (
        ("red", table.bottom.count(RED_JOKER)),
        ("black", table.bottom.count(BLACK_JOKER)),
    )
    word = "dry_jokers" if table.is_dry else "void_jokers" if _is_void(state) else "jokers"
    told = (Phrase(f"view.sheet.{word}_there", slots),)
    return (Told("view.sheet.jokers", told, sources=("buried", "jokers_buried")),)


def _is_void(state: Over) -> bool:
    """gunzi-8.6: the bottom is captured, by attackers who have too few points."""
    settled = state.settled
    return settled.fate is BottomFate.CAPTURED and settled.score < TO_TAKE


def _outcome(state: Over) -> tuple[Stated | Told, ...]:
    """gunzi-8.5 to 8.12, 10: who wins, and the levels of every seat's side, or why it is a match.

    Where the match is over, the next one begins anew: from what to what says nothing.
    """
    facts = hand_facts(state)
    is_match = state.settled.ending is not GunziEnding.NONE
    moved = tuple(_moved(seat) for seat in facts.seats)
    return (
        Stated("result"),
        Told("view.sheet.winners", (facts.winners,)),
        *((Stated("ending"),) if is_match else ()),
        Stated("risen"),
        *(() if is_match else (Told("view.sheet.levels", moved, True, sources=("end",)),)),
    )


def _moved(seat: SeatFacts) -> Phrase:
    before, after = (f"track.level_{level}" for level in (seat.level_before, seat.level_after))
    return Phrase("view.sheet.from_to", (("before", before), ("after", after)))


def _next(state: Over) -> tuple[Stated | Told, ...]:
    """gunzi-8.13, 9: who deals next, who pays him how many cards, and what for."""
    carry = state.settled.next
    if carry.dealer is None:
        return (Told("view.sheet.next_dealer", (Phrase("view.sheet.match_over"),)),)
    due = carry.due_for_score + carry.due_for_jokers
    slots = (("n", due), ("score", carry.due_for_score), ("jokers", carry.due_for_jokers))
    payer = (carry.dealer + 3) % 4
    owed = (
        Told("view.sheet.payer", ((payer,),)),
        Told("view.sheet.due", (Phrase("view.sheet.due_for", slots),)),
    )
    nothing = (Told("view.sheet.due", (0,)),)
    return (
        Told("view.sheet.next_dealer", ((carry.dealer,),)),
        *(owed if due else nothing),
    )
