"""The one walk through a hand: facts drive the engine, claims are compared with what is due.

Verifier, archive, viewer and `explain` all take these steps; a game server uses `Follower` to
derive the claims that it must write.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from replay.engine.game import Game, State
from replay.engine.rule import Breach, RuleViolation
from schema.events import (
    Claim,
    Event,
    Fact,
    HandAborted,
    HandStarted,
    Passed,
    Played,
    PlayedAs,
    Refused,
)
from schema.schemas import EVENT_WORDS

FaultKind = Literal["violation", "breach", "claim"]


class Fault(Struct, frozen=True):
    """Something wrong at one event.

    `violation`: a rule that blocks; `breach`: conduct; `claim`: `logged` is not what is due
    (`expected`): false if both are there, missing without `logged`, undue without `expected`.
    """

    kind: FaultKind
    breach: Breach
    expected: Claim | None = None
    logged: Claim | None = None
    says: str = ""
    """The catalogue's key for it where neither the rule nor the kind of claim says enough."""


class Step(Struct, frozen=True, eq=False, gc=False):
    """One event of a hand and what it did.

    `index` counts the hand's events from 0. `before` and `state` are None before the opening
    and from a blocking fault on. `trick` is the trick that the event belongs to, the pass that
    closes it and the claims about it included; 0 before play. `due` are the claims that a fact
    makes due, as derived.
    """

    index: int
    event: Event
    before: State | None
    state: State | None
    trick: int
    faults: tuple[Fault, ...]
    due: tuple[Claim, ...]


class Chain(Struct, frozen=True):
    """What a hand's opening may state: `expected`, or one of the `excused` (already found)."""

    expected: Any
    excused: tuple[Any, ...] = ()


MOST_EXCUSED = 8
"""So many openings of one hand are excused, the likeliest first: a log of nothing but false
openings would else make more of them with every hand."""


class HandWalk:
    """A walk in progress: give it the events of one hand in order, it answers with steps.

    `chain` None leaves the opening unchecked. After the last event `state`, `stated` (the
    opening as logged) and `is_blocked` say how the hand ended.
    """

    def __init__(self, game: Game, options: Any, level: str, chain: Chain | None) -> None:
        self._game = game
        self._apply = game.apply
        self._due = game.due
        self._options = options
        self._level = level
        self._chain = chain
        self._index = 0
        self._pending: list[Claim] = []
        self._judged: tuple[State, Fact] | None = None
        self._trick = 0
        self._settled: Any = None
        self._last: Event | None = None
        self._ended: State | None = None
        self.state: State | None = None
        self.stated: Any = None
        self.claimed: Any = None
        """What the logged settlement says that the next hand opens with."""
        self.is_opening_false = False
        self.is_blocked = False

    def step(self, event: Event) -> Step:
        """The step of the next event."""
        before = self.state
        if before is None:
            return self._unopened_step(event)
        faults: tuple[Fault, ...] = ()
        due: tuple[Claim, ...] = ()
        if type(event) is Passed or type(event) is Played or isinstance(event, Fact):
            # Most events are plays and passes, and isinstance() of a base is slow for structs.
            breaches: list[Breach] = []
            try:
                after = self._apply(before, event, breaches)
            except RuleViolation as violation:
                missing = self._missing(before, event, due)
                faults = (*missing, *_conduct(breaches), self._blocked(before, violation))
            else:
                self.state = after
                if type(event) in _ACTS:
                    self._trick = before.trick or after.trick
                due = self._due(before, event, after)
                if self._pending:
                    faults = self._missing(before, event, due if breaches else ())
                if due:
                    self._judged = before, event
                    self._fell_due(due, after)
                if breaches:
                    faults = (*faults, *_conduct(breaches))
        else:
            faults = self._claim(before, event)
        self._last = event
        index = self._index
        self._index = index + 1
        return Step(index, event, before, self.state, self._trick, faults, due)

    def _blocked(self, before: State, violation: RuleViolation) -> Fault:
        """Nothing behind it is judged; but a hand that was over has said what comes next."""
        self.is_blocked = True
        self.state = None
        self._ended = before if before.is_over else None
        return Fault("violation", violation.breach)

    def _fell_due(self, due: tuple[Claim, ...], after: State) -> None:
        self._pending = list(due)
        if after.is_over:
            self._settled = due[-1]

    def _unopened_step(self, event: Event) -> Step:
        """Before the opening stand HandStarted and the opening claim; behind a fault, anything."""
        if self.is_blocked or isinstance(event, HandStarted):
            return self._stepped(event, ())
        carry = carry_of(event)
        if carry is not None:
            self._open(carry)
            return self._stepped(event, self._opening_faults(event, carry))
        if isinstance(event, Claim):
            return self._stepped(event, (self._false(event, None),))
        missing = self._without_opening(event)
        if self.is_blocked:
            return self._stepped(event, missing)
        step = self.step(event)
        return replace(step, faults=(*missing, *step.faults))

    def _stepped(self, event: Event, faults: tuple[Fault, ...]) -> Step:
        """The step of an event that has no state before it."""
        self._last = event
        self._index += 1
        return Step(self._index - 1, event, None, self.state, self._trick, faults, ())

    def _open(self, carry: Any) -> None:
        self.stated = carry
        self.state = self._game.open(self._options, carry)

    def _without_opening(self, fact: Event) -> tuple[Fault, ...]:
        """A missing opening is one finding, and what the hand before left is played on."""
        rule, was_cut_off = self._game.opening_rule, _was_cut_off(fact)
        if self._chain is None:
            self.is_blocked = True
            says = "finding.no_opening"
            breach = Breach(rule, None, None, "value.an_opening", "value.nothing")
            return () if was_cut_off else (Fault("violation", breach, says=says),)
        self._open(self._chain.expected)
        due = self._game.opening(self._chain.expected)
        return () if was_cut_off else (Fault("claim", Breach(rule), due),)

    def _opening_faults(self, event: Any, carry: Any) -> tuple[Fault, ...]:
        chain = self._chain
        if chain is not None and carry != chain.expected and carry not in chain.excused:
            self.is_opening_false = True
            return (self._false(event, self._game.opening(chain.expected)),)
        if self._game.match_is_over(self._options, carry):
            breach = self._game.match_breach(self._options, carry)
            return (Fault("breach", breach),)
        return ()

    def _missing(self, state: State, fact: Fact, due: tuple[Claim, ...]) -> tuple[Fault, ...]:
        """Claims that were due and did not come, as far as the log's level promises them.

        An announcement is not missed if `fact`, which should not have been, makes another one due
        (`due`): what was wrong is the fact.
        """
        pending, self._pending = self._pending, []
        if _was_cut_off(fact):
            return ()  # the server died here: what it had not written yet is no lie
        anew = {type(claim) for claim in due} & self._game.announcements
        return tuple(
            Fault("claim", Breach(self._game.claim_rule(state, claim, None)), claim, None)
            for claim in pending
            if type(claim) not in anew and self._game.claim_at_level(type(claim), self._level)
        )

    def _claim(self, state: State, claim: Any) -> tuple[Fault, ...]:
        if claim in self._pending:
            self._pending.remove(claim)
            if claim == self._settled:
                self.claimed = self._settled.next
            return ()
        if isinstance(claim, Refused):
            return self._refused(state, claim)
        expected = next((due for due in self._pending if type(due) is type(claim)), None)
        if expected is None:
            return self._undue(state, claim)
        self._pending.remove(expected)
        return self._mismatch(state, claim, expected)

    def _undue(self, state: State, claim: Claim) -> tuple[Fault, ...]:
        """A claim that nothing made due; an announcement may still stand for want of another."""
        fault = self._false(claim, None)
        if type(claim) in self._game.announcements:
            try:
                self.state = self._game.announced(state, claim)
            except RuleViolation as violation:
                return (self._blocked(state, violation),)
        return (fault,)

    def _mismatch(self, state: State, claim: Any, expected: Claim) -> tuple[Fault, ...]:
        """A claim that differs from what is due: an announcement stands where it can."""
        self.claimed = getattr(claim, "next", self.claimed)
        if expected is self._settled and claim in self._rebased():
            return ()  # right but for the false opening, which has its finding
        if type(claim) in self._game.announcements:
            try:
                after = self._game.adopt(state, claim)
            except RuleViolation as violation:
                return (self._blocked(state, violation),)
            self.state = after
            self._due_anew(after)
        return (self._false(claim, expected),)

    def _due_anew(self, after: State) -> None:
        """What is still due, as it follows from the state in which an announcement stands."""
        if not self._pending or self._judged is None:
            return
        kinds = {type(claim) for claim in self._pending}
        due = self._due(*self._judged, after)
        self._pending = [claim for claim in due if type(claim) in kinds]

    def _refused(self, state: State, claim: Refused) -> tuple[Fault, ...]:
        if self._game.refusal(state, claim) is not None:
            return ()
        return (self._false(claim, None),)

    def _false(self, claim: Event, expected: Claim | None) -> Fault:
        assert isinstance(claim, Claim)
        rule = self._game.claim_rule(self.state, claim, expected)
        return Fault("claim", Breach(rule, getattr(claim, "seat", None)), expected, claim)

    def next_chain(self) -> Chain | None:
        """What the next hand's opening may state; None if this hand cannot say.

        Expected is what is derived. A false settlement has its own finding, so what it claims
        is excused; so is what follows from the true opening if this hand's was false, and the
        hand's own opening if it was aborted when it was over.
        """
        state = self._ended if self.is_blocked else self.state
        if state is None:
            return None
        aborted = isinstance(self._last, HandAborted)
        if aborted and not state.is_over:
            return Chain(self.stated, self._true_openings()[:MOST_EXCUSED])
        excused = [] if self.claimed is None else [self.claimed]
        excused += [settled.next for settled in self._rebased()]
        excused += [self.stated, *self._true_openings()] if aborted else []
        return Chain(self._game.next_carry(state), tuple(dict.fromkeys(excused))[:MOST_EXCUSED])

    def _true_openings(self) -> tuple[Any, ...]:
        """What the hand might have opened with without a fault, if its opening is one."""
        if not self.is_opening_false or self._chain is None:
            return ()
        return (self._chain.expected, *self._chain.excused)

    def _rebased(self) -> tuple[Any, ...]:
        """The settlement as it would be had the hand opened as the chain says."""
        if self._settled is None:
            return ()
        return tuple(self._game.rebase(self._settled, true) for true in self._true_openings())


class Follower:
    """For a game server: keeps a hand's state and derives the claims to write.

    Write `HandStarted`, then what `open` returns; then each fact, followed by what `fact`
    returns for it. A move that the rules forbid raises RuleViolation and changes nothing.
    """

    def __init__(self, game: Game, options: Any, level: str = "full") -> None:
        self._game = game
        self._options = options
        self._level = level
        self._state: State | None = None

    @property
    def state(self) -> State:
        """The hand's state; AssertionError before `open`."""
        assert self._state is not None, "open() comes first"
        return self._state

    @property
    def next_carry(self) -> Any:
        """What the next hand opens with."""
        return self._game.next_carry(self.state)

    def open(self, carry: Any) -> tuple[Claim, ...]:
        """Begin a hand with this opening; returns the opening claim."""
        self._state = self._game.open(self._options, carry)
        return (self._game.opening(carry),)

    def fact(self, fact: Fact) -> tuple[Claim, ...]:
        """Apply a fact; returns the claims due, as far as the claims level promises them."""
        breaches: list[Breach] = []
        before = self.state
        after = self._game.apply(before, fact, breaches)
        if breaches:
            raise RuleViolation(breaches[0])
        self._state = after
        at_level, level = self._game.claim_at_level, self._level
        due = self._game.due(before, fact, after)
        return tuple(claim for claim in due if at_level(type(claim), level))


_ACTS = frozenset((Played, PlayedAs, Passed))
"""The facts that belong to a trick; others stand before play, or behind it."""


def _conduct(breaches: list[Breach]) -> Iterator[Fault]:
    return (Fault("breach", breach) for breach in breaches)


def _was_cut_off(fact: Event) -> bool:
    """Whether the hand stops here because the server died."""
    return isinstance(fact, HandAborted) and fact.was_cut_off


def told_in(game: Game, step: Step) -> State | None:
    """The state in which an event is told: that after it; of one that blocks, that before it."""
    if step.state is None and step.before is not None:
        return game.asked(step.before)
    return step.state


def carry_of(event: Event) -> Any:
    """What an opening claim states; None for any other event."""
    return getattr(event, "carry", None)


def event_word(event: Event) -> str:
    """An event's kind as the text form and the catalogue write it, e.g. `hand_started`."""
    return EVENT_WORDS[type(event)]


def steps(
    game: Game, options: Any, level: str, events: Sequence[Event], chain: Chain | None = None
) -> Iterator[Step]:
    """The steps of one hand; `level` is the log's claims level, `chain` what it may open with."""
    return map(HandWalk(game, options, level, chain).step, events)
