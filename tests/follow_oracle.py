"""What may answer a lead in 炒地皮, by trying every set of cards that the follower holds.

An answer is legal if no other one fulfils the duties better: first the suit, then the pairs, then
the tractors; or the duties towards a 5.10.K. The words are those of the source text.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from tests.trick_oracle import Face, Table

Answer = tuple[Face, ...]
Lengths = tuple[int, ...]
Duty = tuple[str, object]
"""The name of a duty and how far it is fulfilled; more is greater."""


def answers(held: Sequence[Face], n: int) -> Iterator[Answer]:
    """Every set of n of the cards, copies being alike."""
    faces = sorted(set(held))
    yield from _chosen([(face, held.count(face)) for face in faces], n)


def _chosen(stock: list[tuple[Face, int]], n: int) -> Iterator[Answer]:
    if n == 0:
        yield ()
        return
    if sum(count for _, count in stock) < n:
        return
    (face, count), rest = stock[0], stock[1:]
    for k in range(min(count, n) + 1):
        for others in _chosen(rest, n - k):
            yield (face,) * k + others


def legal_answers(table: Table, held: Sequence[Face], lead: Sequence[Face]) -> dict[Answer, str]:
    """Every set of so many cards that is held: "" if it may be played, or what duty it breaks."""
    duties = {answer: fulfilled(table, held, lead, answer) for answer in answers(held, len(lead))}
    can = max(duties.values())
    return {answer: first_broken(found, can) for answer, found in duties.items()}


def best(table: Table, held: Sequence[Face], lead: Sequence[Face]) -> list[Duty]:
    """How well the duties can be fulfilled, found without trying every single card.

    They are about pairs, or three cards for a 5.10.K: those are tried, whatever else is with them.
    """
    own = table.of_suit(held, table.suit(lead[0]))
    most = min(len(lead), len(own))
    pairs = sorted({card for card in own if own.count(card) == 2})
    tries: list[Answer] = []
    if table.is_wsk(lead):
        tries = [*combinations(sorted(own), most)]
    else:
        sets = (chosen for k in range(most // 2 + 1) for chosen in combinations(pairs, k))
        tries = [chosen * 2 for chosen in sets]
    return max(
        fulfilled(table, held, lead, _filled_up(own, held, each, len(lead))) for each in tries
    )


def _filled_up(own: list[Face], held: Sequence[Face], chosen: Answer, n: int) -> Answer:
    """The chosen cards and others, first those of the suit."""
    left = [*own, *(card for card in held if card not in own)]
    for card in chosen:
        left.remove(card)
    return (*chosen, *left[: n - len(chosen)])


def first_broken(found: list[Duty], can: list[Duty]) -> str:
    """The name of the first duty that is not fulfilled as it can be; "" if they all are."""
    pairs = zip(found, can, strict=True)
    return next((name for (name, done), (_, most) in pairs if done != most), "")


def fulfilled(
    table: Table, held: Sequence[Face], lead: Sequence[Face], answer: Sequence[Face]
) -> list[Duty]:
    """How an answer fulfils each duty, the most binding one first."""
    suit = table.suit(lead[0])
    own = table.of_suit(answer, suit)
    # 在出牌时必须先出首家出的花色
    followed: Duty = ("suit", len(own))
    if table.is_wsk(lead):
        return [followed, _wsk(table, lead, own)]
    slots = table.slots(lead)
    pairs = len({card for card in own if own.count(card) == 2})
    return [
        followed,
        # 如果首家出牌中包含对，则其它方如果有同花色的对，必须出对
        ("pairs", min(pairs, sum(slots))),
        # 如果首家出牌中包含拖拉机，则其它方如果有同花色的拖拉机，必须出拖拉机
        ("tractors", profile(tuple(map(len, table.runs(own))), tuple(slots))),
    ]


def _wsk(table: Table, lead: Sequence[Face], own: Sequence[Face]) -> Duty:
    """其他玩家如果有相同花色的5.10.K，则必须出; 主的5.10.K: 所有主牌中的最大三张."""
    is_trump = table.suit(lead[0]) == "t"
    is_same = sorted(own) == sorted(lead)
    greatest = sorted((table.height(card) for card in own), reverse=True)
    if is_trump and table.house.second_trump_wsk == "top_three":
        return "trump wsk", greatest
    return ("trump wsk", (is_same, greatest)) if is_trump else ("wsk", is_same)


def profile(runs: Lengths, slots: Lengths) -> Lengths:
    """The greatest list of lengths of segments, longest first, that fill slots."""
    return max(profiles(tuple(sorted(runs)), tuple(sorted(slots))))


@cache
def profiles(runs: Lengths, slots: Lengths) -> frozenset[Lengths]:
    """Every list of segments of runs that go into slots, none of which is filled too full."""
    found: set[Lengths] = {()}
    for i, run in enumerate(runs):
        for j, room in enumerate(slots):
            for length in range(1, min(run, room) + 1):
                for before in range(run - length + 1):
                    left = [*runs[:i], *runs[i + 1 :], before, run - length - before]
                    free = [*slots[:j], *slots[j + 1 :], room - length]
                    rests = profiles(_rest(left), _rest(free))
                    found |= {tuple(sorted((length, *rest), reverse=True)) for rest in rests}
    return frozenset(found)


def _rest(lengths: list[int]) -> Lengths:
    return tuple(sorted(length for length in lengths if length))


@cache
def can_fill(runs: Lengths, slots: Lengths) -> bool:
    """Whether segments can be cut that fill every slot, one each."""
    if not slots:
        return True
    return any(
        can_fill(_rest([*runs[:i], *runs[i + 1 :], before, run - slots[0] - before]), slots[1:])
        for i, run in enumerate(runs)
        for before in range(run - slots[0] + 1)
    )
