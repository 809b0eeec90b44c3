"""Judging a log: every hand walked once, all findings in log order, the same report every time."""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from replay import __version__
from replay.engine.game import Game
from replay.engine.registry import game_named
from replay.findings import Finding, of_damage, of_fault, of_file, of_gap
from replay.walk import Chain, HandWalk, Step, carry_of
from schema.damage import Damage, Fault
from schema.events import Claim, Event, Fact, HandAborted
from schema.items import Hand, Log, Skipped
from schema.records import Recovered

MOST_FINDINGS = 1000
"""No more findings of one log are kept: a log can have as many faults as bytes."""


class HandResult(Struct, frozen=True, eq=False):
    """One hand, walked.

    `is_verified`: nothing blocked it; `is_opening_checked`: its opening was compared with what
    the hand before leaves; `next_chain`: what the next hand may open with.
    """

    game: Game
    hand: Hand
    steps: list[Step]
    findings: tuple[Finding, ...]
    is_verified: bool
    is_opening_checked: bool
    next_chain: Chain | None


class Report(Struct, frozen=True):
    """The verdict on one log; the same log gives the same report byte for byte.

    `hands` are committed hands judged, `aborted` those that settle nothing; `facts` and `claims`
    were checked, `unverified` facts stand behind a blocking fault; `skipped` counts unknown
    ancillary frames; `exercised` are the rules put to the test, `unchecked` what no log can show.
    `findings` are the first MOST_FINDINGS in log order and what is said of the file as a whole;
    `unlisted` counts the others.
    """

    file_id: str
    head_leaf: str
    last_leaf: str
    previous: str
    form: str
    game: str
    engine: str
    rules_version: str
    claims_level: str
    hands: int
    aborted: int
    in_progress: bool
    facts: int
    claims: int
    unverified: int
    openings_unchecked: int
    skipped: int
    exercised: tuple[str, ...]
    unchecked: tuple[str, ...]
    unlisted: int
    findings: tuple[Finding, ...]


_UNCHECKED = ("shuffle_fairness", "collusion", "account_data")
_LIVE_UNCHECKED = ("cut_at_hand_border",)
"""What no log can show; a live one, which has no trailer, still less."""

Judged = HandResult | Finding | Skipped | Hand


def judged(log: Log, previous: Log | None = None) -> Iterator[Judged]:
    """Everything in the log in order: hands walked, findings outside hands, what was passed over.

    A hand in progress comes as the bare Hand. `previous` is the log that HEAD names as the match
    before; without it what the first opening takes over from there is not checked.
    """
    before = None
    if previous is not None:
        before = last_chain(previous)
        yield from _wrong_previous(log, previous)
    for item, _ in _chained(log, before):
        yield item


def _chained(log: Log, before: Chain | None) -> Iterator[tuple[Judged, Chain | None]]:
    """Each item of the log, and what a hand behind it may open with."""
    game = game_named(log.schema.game)
    chain = None
    for item in log.items():
        match item:
            case Hand() if item.committed:
                if item.index == 0:
                    chain = _first_chain(game, log, item, before)
                is_taken_over = item.index == 0 and bool(log.head.previous)
                is_checked = chain is not None and (before is not None or not is_taken_over)
                result = _walked(game, log, item, chain, is_checked)
                chain = result.next_chain
                yield result, chain
            case Hand() | Skipped():
                yield item, chain
            case Damage():
                chain = chain if item.fault is Fault.CHAIN_BROKEN else None
                yield of_damage(item), chain
            case Recovered():
                chain = None if item.hands_lost else chain
                yield of_gap(item), chain


def verified_hands(log: Log, previous: Log | None = None) -> Iterator[HandResult | Finding]:
    """The hands of a log, walked, and the findings that belong to no hand."""
    for item in judged(log, previous):
        if isinstance(item, HandResult | Finding):
            yield item


def last_chain(log: Log) -> Chain | None:
    """What the match after this one takes over; None if damage or lost hands leave it open."""
    left = None
    for _, chain in _chained(log, None):
        left = chain
    return left


def _first_chain(game: Game, log: Log, hand: Hand, before: Chain | None) -> Chain | None:
    """A match begins with the game's first opening: one file is one match.

    Its free parts (balances, game scores) are as stated, or as the match before left them.
    """
    if before is not None:
        ends = (before.expected, *before.excused)
        return Chain(game.first_carry(ends[0]), tuple(map(game.first_carry, ends[1:])))
    for event in hand.events:
        if isinstance(event, log.schema.opening):
            return Chain(game.first_carry(carry_of(event)))
    return None


def _wrong_previous(log: Log, previous: Log) -> Iterator[Finding]:
    named, given = log.head.previous, previous.head_leaf
    if named != given:
        expected = named.hex() or "no previous file"
        yield of_file("previous_differs", "integrity", expected, given.hex())


def _walked(
    game: Game, log: Log, hand: Hand, chain: Chain | None, is_opening_checked: bool
) -> HandResult:
    walk = HandWalk(game, log.head.options, log.head.claims, chain)
    steps = list(map(walk.step, hand.events))
    findings = tuple(
        of_fault(game, hand, step, fault) for step in steps if step.faults for fault in step.faults
    )
    return HandResult(
        game=game,
        hand=hand,
        steps=steps,
        findings=findings,
        is_verified=not walk.is_blocked,
        is_opening_checked=is_opening_checked,
        next_chain=walk.next_chain(),
    )


class Tally:
    """Counts while a log is judged: every item of `judged` is added, then there is a report."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.last_leaf = log.head_leaf
        self.hands = self.aborted = 0
        self.unverified = self.openings_unchecked = self.skipped = 0
        self.is_in_progress = False
        self.kinds: Counter[type[Event]] = Counter()
        """How many events of each kind were checked."""
        self.findings: list[Finding] = []
        self.unlisted = 0
        """Findings that are counted, not kept."""

    def checked(self, base: type[Event]) -> int:
        """How many events of the kinds below `base` were checked."""
        return sum(n for kind, n in self.kinds.items() if issubclass(kind, base))

    def add(self, item: Judged) -> None:
        """Count one item of the log."""
        match item:
            case HandResult():
                self._hand(item)
            case Finding():
                self._add((item,))
            case Skipped():
                self.skipped += 1
            case Hand():
                self.is_in_progress = True

    def _add(self, findings: tuple[Finding, ...]) -> None:
        kept = findings[: MOST_FINDINGS - len(self.findings)]
        self.findings += kept
        self.unlisted += len(findings) - len(kept)

    def _hand(self, result: HandResult) -> None:
        hand = result.hand
        self.hands += 1
        self.aborted += isinstance(hand.events[-1], HandAborted)
        self.openings_unchecked += not result.is_opening_checked
        self.last_leaf = hand.leaf
        self._add(result.findings)
        if result.is_verified:
            self.kinds.update(map(type, hand.events))
            return
        for step in result.steps:
            self._unverified(step)

    def _unverified(self, step: Step) -> None:
        """One event of a hand that was blocked: what stands before the fault was checked."""
        if step.state is None and step.before is None and step.index > 0 and not step.faults:
            self.unverified += isinstance(step.event, Fact)
            return
        self.kinds[type(step.event)] += 1

    def report(self) -> Report:
        """The report, once every item was counted."""
        log = self._log
        game = game_named(log.schema.game)
        return Report(
            file_id=log.head.file_id.hex(),
            head_leaf=log.head_leaf.hex(),
            last_leaf=self.last_leaf.hex(),
            previous=log.head.previous.hex(),
            form=log.form,
            game=log.schema.game,
            engine=__version__,
            rules_version=log.head.rules_version,
            claims_level=log.head.claims,
            hands=self.hands,
            aborted=self.aborted,
            in_progress=self.is_in_progress,
            facts=self.checked(Fact),
            claims=self.checked(Claim),
            unverified=self.unverified,
            openings_unchecked=self.openings_unchecked,
            skipped=self.skipped,
            exercised=tuple(rule.id for rule in game.exercised(frozenset(self.kinds))),
            unchecked=_UNCHECKED if log.form == "sealed" else (*_UNCHECKED, *_LIVE_UNCHECKED),
            unlisted=self.unlisted,
            findings=tuple(self.findings),
        )


def verify(log: Log, previous: Log | None = None, head: bytes | None = None) -> Report:
    """The report on a log; `head` is a leaf kept elsewhere that the log must still contain."""
    tally = Tally(log)
    is_head_there = head in (None, log.head_leaf)
    for item in judged(log, previous):
        tally.add(item)
        is_head_there = is_head_there or (isinstance(item, HandResult) and item.hand.leaf == head)
    if head is not None and not is_head_there:
        found = tally.last_leaf.hex()
        tally.findings.append(of_file("head_leaf", "integrity", head.hex(), found))
    return tally.report()
