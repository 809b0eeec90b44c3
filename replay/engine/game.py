"""The Game protocol: everything that the walk, the verifier, the archive and the viewer ask.

Every state is a frozen value; a fact makes a new one. One Game object serves one log: what
depends on the log's options (classified plays and the like) is kept in it, never in a module.
"""

from collections.abc import Hashable, Iterator
from typing import Any, Protocol

from replay.engine.board import Board, Phrase, Prompt, Stated, Told, Word
from replay.engine.facts import HandFacts, Note, PlayFacts
from replay.engine.rule import Breach, Rule
from schema.events import Claim, Event, Fact


class State(Protocol):
    """What is common to the states of all phases: the current trick, from 1; 0 before play."""

    @property
    def trick(self) -> int: ...

    @property
    def is_over(self) -> bool: ...


class Game(Protocol):
    """One game's rules for one log. `Carry` is what one hand takes from the one before."""

    name: str
    schema_id: str
    rules: type[Rule]
    direction: str
    """`counter-clockwise` or `clockwise`, seen from above, for seats 0 1 2 3."""
    opening_rule: Rule
    """Broken by a hand that states no opening."""
    announcements: frozenset[type[Event]]
    """Claims that stand as recorded after their finding (besides the opening)."""

    def open(self, options: Any, carry: Any) -> State:
        """The state of a hand before its first fact, from what its opening states."""
        ...

    def opening(self, carry: Any) -> Claim:
        """The opening claim that states `carry`."""
        ...

    def apply(self, state: State, fact: Fact, breaches: list[Breach]) -> State:
        """The state after `fact`; appends conduct breaches; raises RuleViolation if blocked."""
        ...

    def due(self, before: State, fact: Fact, after: State) -> tuple[Claim, ...]:
        """The claims that `fact` makes due, as the engine derives them."""
        ...

    def adopt(self, state: State, announcement: Claim) -> State:
        """The state in which a false announcement stands; RuleViolation if it has none."""
        ...

    def announced(self, state: State, announcement: Claim) -> State:
        """The state after an announcement that nothing made due; RuleViolation if it has none."""
        ...

    def refusal(self, state: State, claim: Event) -> Rule | None:
        """For a `Refused` claim: None if the play would have been good, else the rule it breaks."""
        ...

    def next_carry(self, state: State) -> Any:
        """What the next hand opens with; of a hand that is not over, its own opening."""
        ...

    def first_carry(self, carry: Any) -> Any:
        """`carry` with all that a match's first opening fixes set to it (free parts kept)."""
        ...

    def rebase(self, settled: Any, true: Any) -> Any:
        """The settlement `settled`, had its hand opened with `true` and gone the same way."""
        ...

    def match_is_over(self, options: Any, carry: Any) -> bool:
        """Whether a hand that opens with `carry` would come after the end of the match."""
        ...

    def match_breach(self, options: Any, carry: Any) -> Breach:
        """What is wrong with a hand that opens with `carry` after the end of the match."""
        ...

    def claim_rule(self, state: State | None, claim: Claim, expected: Claim | None) -> Rule:
        """The rule that a false, missing (`claim` is the derived one) or undue claim breaks.

        `state` is the one in which the claim stands, None before the opening.
        """
        ...

    def claim_at_level(self, kind: type[Event], level: str) -> bool:
        """Whether a claim of this kind is due at the claims level `full settlement none`."""
        ...

    def turn(self, state: State) -> Prompt:
        """Whose turn it is, what is asked, and the obligations."""
        ...

    def plays(self, state: State) -> Iterator[Fact]:
        """Legal facts of the seat in turn (climbing: all, up to the choice of equal suits)."""
        ...

    def reveals(self, state: State) -> Iterator[Fact]:
        """Legal facts beside `plays` that differ from one of them in what they show of a seat.

        Climbing: with the called card in place of an equal one, or without it (明鸡, or not yet).
        """
        ...

    def lists_all(self, state: State) -> bool:
        """Whether `plays` are all the legal facts there, and not a sample of them."""
        ...

    def act(self, state: State, seat: int, cards: bytes) -> Fact:
        """What a seat does that lays these cards here, or that has none: a play, a show, a pass."""
        ...

    def asked(self, state: State) -> State:
        """The same state for questions about acts in it: nothing counts as just played."""
        ...

    def declarable(self, state: State, seat: int, cards: bytes) -> tuple[Fact, ...]:
        """The facts by which a seat would lay these cards as another of their readings."""
        ...

    def act_type(self, state: State, fact: Fact) -> Word:
        """What legal acts are listed under: the catalogue key of the type of a play, show, pass."""
        ...

    def label(self, state: State, event: Event) -> Phrase:
        """What `event` was, in the players' words, as it stands in the state after it.

        Of what is no play or pass a whole sentence, `event.*`, or `play.none` where the sentence
        of its kind says all there is to say.
        """
        ...

    def hidden(self, state: State | None, event: Event, eye: int) -> bool:
        """Whether seat `eye` could not see the cards of `event` when it happened.

        `state` is the one in which the event stands, None where none is defined.
        """
        ...

    def view(self, state: State, eye: int | None) -> Board:
        """What seat `eye` can see; None sees everything."""
        ...

    def exercised(self, kinds: frozenset[type[Event]]) -> tuple[Rule, ...]:
        """The rules that events of these kinds put to the test, in the book's order."""
        ...

    def played(self, state: State, fact: Fact) -> PlayFacts:
        """What was played, as it stands in the state after `fact` (a play)."""
        ...

    def play_key(self, state: State, fact: Fact) -> Hashable:
        """What `played` depends on: within a log, equal keys have equal facts."""
        ...

    def sheet(self, state: State, options: Any) -> tuple[Stated | Told, ...]:
        """The settlement line by line, of a hand that is over in `state`."""
        ...

    def notes(self, before: State | None, event: Event, after: State) -> tuple[Note, ...]:
        """What to keep of `event` besides plays: shows, burials, throws; in most games nothing.

        Asked of facts that are no plays, of plays that make claims due, and of announcements, by
        which a throw stands as it was judged.
        """
        ...

    def summary(self, state: State) -> HandFacts:
        """What is known of the hand in this state, all derived."""
        ...
