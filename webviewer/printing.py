"""One hand as a sheet of paper: who held what, every trick as a row; game-blind."""

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct

from replay.reader import Board, Bottom, HandPage, Moment, trump_faces
from webviewer.words import Words

N_SEATS = 4
JOKERS_FROM, N_SUITS = 52, 4
SIGNS = "♢♣♡♠"
"""Red suits hollow, black ones filled: ink of one colour tells them."""
JOKERS = {52: "view.print.Bj", 53: "view.print.Rj"}
_WORDS_OF_THE_START = frozenset({"hand_started", "dealt"})


class Entry(Struct, frozen=True):
    """What a seat did when it was its turn: cards as text, empty for a pass.

    `is_flawed`: a finding is about it.
    """

    cards: str
    remark: str = ""
    is_flawed: bool = False


class Row(Struct, frozen=True):
    """One trick: `loops` are the times around the table, each with what every seat did there.

    `is_flawed`: a finding is about what the log says of it, such as who won it.
    """

    number: int
    leader: int
    winner: int | None
    points: int | None
    loops: tuple[tuple[Entry | None, ...], ...]
    is_flawed: bool = False


class Paper(Struct, frozen=True):
    """What stands on the sheet: `deals` are groups of cards per seat, big to small."""

    deals: tuple[tuple[str, ...], ...]
    bottoms: tuple[tuple[Bottom, str], ...]
    before: tuple[Moment, ...]
    rows: tuple[Row, ...]
    start: Board | None
    end: Board | None


def paper(page: HandPage, words: Words) -> Paper:
    """The sheet of a hand as the page's eye reads it; of who was hidden from it, what he played."""
    boards = [moment.board for moment in page.moments if moment.board is not None]
    end = boards[-1] if boards else None
    order = _Order(end, words)
    start = next((board for board in boards if _is_whole(board)), None)
    dealt = _dealt(boards) or start
    return Paper(
        deals=tuple(map(order.groups, _held(page, dealt))) if dealt else (),
        bottoms=tuple((bottom, order.line(bottom.cards or b"")) for bottom in _bottoms(boards)),
        before=tuple(_before(page)),
        rows=tuple(_rows(page, order, words)),
        start=dealt,
        end=end,
    )


def _is_whole(board: Board) -> bool:
    return all(view.count for view in board.seats)


def _dealt(boards: list[Board]) -> Board | None:
    """The board as it was when the cards were dealt that were played; None if none were."""
    found = None
    for before, after in zip([None, *boards], boards, strict=False):
        if _is_whole(after) and (before is None or not any(v.count for v in before.seats)):
            found = after
    return found


def _held(page: HandPage, dealt: Board) -> Iterator[bytes]:
    """What every seat was dealt; where the page's eye has not seen that, what it played."""
    for view in dealt.seats:
        yield _played(page, view.seat) if view.cards is None else view.cards


def _played(page: HandPage, seat: int) -> bytes:
    """All that a seat played, as it lay there."""
    laid = b""
    for _, group in groupby(page.moments, key=lambda moment: moment.trick):
        numbered = list(enumerate(group))
        attempted = _attempted(numbered)
        acts = [moment for _, moment in numbered if _is_act(moment)]
        laid += b"".join(
            _lying(act, place, attempted) for place, act in enumerate(acts) if act.seat == seat
        )
    return laid


def _bottoms(boards: list[Board]) -> Iterator[Bottom]:
    """Every bottom that lay there: the dealt one, and each that was buried."""
    last: tuple[int, ...] | None = None
    for board in boards:
        if board.bottom is not None and board.bottom.cards:
            cards = tuple(sorted(board.bottom.cards))
            if cards != last:
                last = cards
                yield board.bottom


def _before(page: HandPage) -> Iterator[Moment]:
    """What the seats did before the first trick."""
    for moment in page.moments:
        is_act = moment.standing == "fact" and moment.kind not in _WORDS_OF_THE_START
        if moment.trick == 0 and is_act and moment.seat is not None:
            yield moment


class _Order:
    """Writes cards from big to small, as they lie in the game's own order."""

    def __init__(self, board: Board | None, words: Words) -> None:
        order = None if board is None else board.order
        self._height = {code: at for at, code in enumerate(order or range(JOKERS_FROM + 2))}
        trumps = b"" if board is None else trump_faces(board.order, board.trump)
        self._trumps = frozenset(trumps)
        self._faces = words.all_faces()
        self._words = words

    def down(self, cards: bytes) -> list[int]:
        """The cards from the highest down."""
        return sorted(cards, key=lambda code: -self._height[code])

    def line(self, cards: bytes) -> str:
        """Cards in one line: each rank once, behind it the signs of its suits."""
        ranks = groupby(self.down(cards), key=lambda code: (self._is_apart(code), code >> 2))
        return " ".join(self._rank(list(codes)) for _, codes in ranks)

    def _is_apart(self, code: int) -> int:
        return code if code >= JOKERS_FROM else -1

    def _rank(self, codes: list[int]) -> str:
        if codes[0] >= JOKERS_FROM:
            return " ".join([self._words(JOKERS[codes[0]])] * len(codes))
        return self._faces[codes[0]][0] + "".join(SIGNS[code & 3] for code in codes)

    def groups(self, cards: bytes) -> tuple[str, ...]:
        """A holding: trumps apart and suit by suit where there are trumps, else by rank."""
        if not self._trumps:
            return (self.line(cards),)
        trumps = bytes(code for code in cards if code in self._trumps)
        found = [f"{self._words('view.print.trumps')} {self.line(trumps)}"] if trumps else []
        plain = [code for code in self.down(cards) if code not in self._trumps]
        for suit in reversed(range(N_SUITS)):
            ranks = " ".join(self._faces[code][0] for code in plain if code & 3 == suit)
            found += [f"{SIGNS[suit]} {ranks}"] if ranks else []
        return tuple(found)


def _rows(page: HandPage, order: _Order, words: Words) -> Iterator[Row]:
    """Every trick in which something was laid."""
    tricks = groupby(enumerate(page.moments), key=lambda numbered: numbered[1].trick)
    for number, group in tricks:
        numbered = list(group)
        acts = [moment for _, moment in numbered if _is_act(moment)]
        if number <= 0 or not acts:
            continue
        leader = acts[0].seat or 0
        before = page.moments[numbered[0][0] - 1].board if numbered[0][0] else None
        yield Row(
            number=number,
            leader=leader,
            winner=_winner(page, numbered),
            points=_points(before, numbered[-1][1].board),
            loops=tuple(_loops(acts, leader, _Writer(order, words, _attempted(numbered)))),
            is_flawed=any(moment.findings and not _is_act(moment) for _, moment in numbered),
        )


def _attempted(numbered: list[tuple[int, Moment]]) -> Board | None:
    """The board of a trick whose lead was not let stand: it has what is led instead."""
    boards = (moment.board for _, moment in numbered)
    return next((b for b in boards if b is not None and b.attempt and b.table), None)


def _lying(act: Moment, place: int, attempted: Board | None) -> bytes:
    """The cards of an act; of a lead that was not let stand those that were led instead."""
    return act.cards if attempted is None or place else attempted.table[0].cards


class _Writer:
    """Writes what a seat did, and beside it what is to be known of it."""

    def __init__(self, order: _Order, words: Words, attempted: Board | None) -> None:
        self._order = order
        self._words = words
        self._attempted = attempted

    def entry(self, act: Moment, place: int) -> Entry:
        """An act; of a lead that was not let stand what lies there, and what had been laid."""
        wilds = self._words.wilds(act.cards, act.wilds) if act.wilds else ""
        is_flawed = bool(act.findings)
        if self._attempted is None or place:
            return Entry(self._order.line(act.cards), wilds, is_flawed)
        thrown = self._words("view.print.thrown", cards=self._order.line(act.cards))
        return Entry(self._order.line(_lying(act, place, self._attempted)), thrown, is_flawed)


def _is_act(moment: Moment) -> bool:
    """A play, or a pass in a trick."""
    is_turn = moment.kind.startswith(("played", "passed"))
    return moment.standing == "fact" and moment.seat is not None and is_turn


def _loops(acts: list[Moment], leader: int, writer: _Writer) -> Iterator[tuple[Entry | None, ...]]:
    """The acts of a trick, once around the table after the other."""
    loop: list[Entry | None] = [None] * N_SEATS
    last = -1
    for number, act in enumerate(acts):
        assert act.seat is not None, "only acts of a seat are here"
        place = (act.seat - leader) % N_SEATS
        if place <= last:
            yield tuple(loop)
            loop = [None] * N_SEATS
        loop[act.seat] = writer.entry(act, number)
        last = place
    yield tuple(loop)


def _winner(page: HandPage, numbered: list[tuple[int, Moment]]) -> int | None:
    """Who won a trick: as claimed where no finding says otherwise, else whoever leads next.

    After a pass the play that stood has won it, whoever leads next. None while it lies there.
    """
    moments = [moment for _, moment in numbered]
    for moment in moments:
        if moment.kind == "trick_won" and not moment.findings:
            return moment.seat
    at = max(index for index, moment in numbered if _is_act(moment))
    after, before = page.moments[at].board, page.moments[at - 1].board if at else None
    if after is None or before is None or after.table:
        return None
    if not page.moments[at].cards:
        return before.to_beat.seat if before.to_beat else None
    return after.prompt.seat


def _points(before: Board | None, after: Board | None) -> int | None:
    """The points captured with a trick; None in games without, and where it is not known."""
    if before is None or after is None:
        return None
    pairs = zip(before.seats, after.seats, strict=True)
    if any(old.points is None and new.points is None for old, new in pairs):
        return None
    return sum((new.points or 0) for new in after.seats) - sum(
        (old.points or 0) for old in before.seats
    )
