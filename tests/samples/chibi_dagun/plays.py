"""Clean samples of 赤壁打滚 in which every type of play is laid, with jokers and without."""

from schema.events import ClimbingBonusKind
from tests.samples.chibi_dagun.refusals import refused
from tests.samples.clean import pays
from tests.samples.scripts import Lay, Script, lay, say
from tests.samples.sorts import Clean, Shows, anything

_K = ClimbingBonusKind
_THREES, _FOURS, _SIXES, _SEVENS, _TWOS = (
    " ".join(f"{rank}{suit} {rank}{suit}" for suit in "dchs") for rank in "34672"
)


def _laid(name: str, says: str, *lays: Lay, shows: Shows = anything) -> Clean:
    """A hand that begins with these plays; the seat of the first one is the dealer."""
    return Clean(name, says, shows, script=Script(lays, dealer=lays[0].seat))


_BOMBS: tuple[Clean, ...] = (
    _laid(
        "bombs-natural",
        "One trick from 杂五十K up to 天炸, no joker in it but those; three bonuses at once.",
        lay(0, "5s Th Kc", "wsk_mixed"),
        lay(1, "5d Td Kd", "wsk_pure"),
        lay(2, "5s Ts Ks", "wsk_pure"),
        lay(3, "As Ah Ac Ad", "bomb A"),
        lay(0, "Ks Kd Kc Kh Kh", "bomb K"),
        lay(1, "6s 6s 6h 6h 6c 6c", "bomb 6"),
        lay(2, "7s 7s 7h 7h 7c 7c 7d", "xi7 7"),
        lay(3, "8s 8h 8c 8d 9s 9h 9c 9d", "yaobai 9"),
        lay(0, "Js Jh Jc Jd Qs Qs Qh Qh Qc", "yaobai Q"),
        lay(1, "3s 3s 3h 3h 3c 4s 4s 4h 4h 4c", "yaobai 4"),
        lay(2, _TWOS, "xi8 2"),
        lay(3, "Bj Bj Rj Rj", "tianzha"),
        shows=pays(_K.XI7, _K.XI8, _K.TIANZHA),
    ),
    _laid(
        "bombs-with-a-joker",
        "五十K and bombs of four and five: one card of each is a joker.",
        lay(0, "5s Th Bj", "wsk_mixed"),
        lay(1, "5c Tc Kc", "wsk_pure"),
        lay(2, "5h Kh Bj", "wsk_pure"),
        lay(3, "3s 3h 3c Rj", "bomb 3"),
        lay(0, "4s 4h 4c 4d Rj", "bomb 4"),
    ),
    _laid(
        "bombs-of-six-to-nine",
        "Bombs of six to nine cards with jokers, and 7喜, which beats them.",
        lay(0, "3s 3s 3h 3h 3c Bj", "bomb 3"),
        lay(1, "4s 4s 4h 4h 4c 4c Bj", "bomb 4"),
        lay(2, "6s 6s 6h 6h 6c 6c 6d Rj", "bomb 6"),
        lay(3, f"{_SEVENS} Rj", "bomb 7"),
        lay(0, "9s 9s 9h 9h 9c 9c 9d", "xi7 9"),
    ),
    _laid(
        "bombs-of-ten",
        "Eight of a rank and two jokers, and a higher one.",
        lay(0, f"{_THREES} Bj Rj", "bomb 3"),
        lay(1, f"{_SIXES} Bj Rj", "bomb 6"),
    ),
    _laid(
        "bomb-of-eleven",
        "A bomb of nine cards, and one of eleven: three jokers.",
        lay(0, f"{_FOURS} Bj", "bomb 4"),
        lay(1, f"{_THREES} Bj Rj Rj", "bomb 3"),
    ),
    _laid(
        "bomb-of-twelve",
        "Eight of a rank and all jokers: still below 7喜.",
        lay(0, f"{_SEVENS} Bj Bj Rj Rj", "bomb 7"),
        lay(1, "3s 3s 3h 3h 3c 3c 3d", "xi7 3"),
    ),
)
_JOKERS: tuple[Clean, ...] = (
    _laid(
        "joker-alone",
        "A joker alone is a 3, three of them are a triple.",
        lay(0, "Bj", "single 3"),
        lay(1, "4s", "single 4"),
        lay(1, "Bj Rj Rj", "triple 3"),
        lay(2, "4h 4c 4d", "triple 4"),
    ),
    _laid(
        "jokers-in-pairs",
        "Two jokers are a pair of 3; a joker makes a pair of any card.",
        lay(0, "Bj Rj", "pair 3"),
        lay(1, "Ts Rj", "pair T"),
        lay(2, "2d Bj", "pair 2"),
    ),
    _laid(
        "jokers-in-triples",
        "A joker makes a triple of a pair, two make one of a card, of a 5 too.",
        lay(0, "3s 3h Rj", "triple 3"),
        lay(1, "5s Bj Rj", "triple 5"),
        lay(2, "9s 9h Bj", "triple 9"),
    ),
    _laid(
        "jokers-in-chains",
        "Jokers in 连对 and in 飞机.",
        lay(0, "4s 4h 3d Bj", "pair_chain 4"),
        lay(1, "5s 5h 6d Bj", "pair_chain 6"),
        lay(1, "7s 7h 7c 8s 8h Rj", "triple_chain 8"),
        lay(2, "9s 9h Tc Ts Th Rj", "triple_chain T"),
    ),
    _laid(
        "reading-undeclared",
        "Two pairs and two jokers, nothing declared: 飞机, and so are those that follow.",
        lay(0, "6s 6h 7s 7h Bj Rj", "triple_chain 7"),
        lay(1, "8s 8h 8c 9s 9h 9c", "triple_chain 9"),
        lay(2, "Js Jh Qs Qh Bj Rj", "triple_chain Q"),
    ),
    _laid(
        "reading-declared",
        "The same cards declared 连对 up to 7: the next is higher, and of the same type.",
        say(0, "6s 6h 7s 7h Bj Rj", "pair_chain 7"),
        lay(1, "6c 6d 7c 7d 8c 8h", "pair_chain 8"),
        lay(2, "9s 9h Ts Th Bj Rj", "pair_chain J"),
    ),
    _laid(
        "reading-declared-low",
        "A follow declared lower than it could be.",
        lay(0, "3s 3h 4s 4h 5s 5h", "pair_chain 5"),
        say(1, "7s 7h 8s 8h Bj Rj", "pair_chain 8"),
        lay(2, "7c 7d 8c 8d 9s 9h", "pair_chain 9"),
    ),
)
_REFUSED = Clean(
    "refused-reading",
    "A chain was turned down that is higher if nothing is declared: the log does not say what was.",
    script=Script(
        (lay(0, "6c 6d 7c 7d 8c 8h", "pair_chain 8"),),
        holds=("", "7s 7h 8s 8h Bj Rj", "", ""),
        dealer=0,
    ),
    lie=refused(1, "7s 7h 8s 8h Bj Rj"),
)
PLAYS: tuple[Clean, ...] = (*_BOMBS, *_JOKERS, _REFUSED)
"""Each begins with its plays, and is then played out."""
