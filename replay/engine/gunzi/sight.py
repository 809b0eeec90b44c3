"""What an eye has seen of a 四副滚子 hand: the bottom, burials, picks (gunzi-5.2, 5.3, 5.9)."""

from replay.engine.gunzi.states import (
    Asking,
    Burial,
    Burying,
    GunziState,
    Over,
    Playing,
    Setting,
    play_of,
    setting_of,
)
from replay.engine.mechanics.ranks import count_jokers
from schema.events import Event, Refused
from schema.gunzi import Buried, JokersBuried


def knows_bottom(state: GunziState, eye: int | None) -> bool:
    """Whether an eye has seen the bottom as it is now.

    At the end all other cards have been played: what is left everybody knows.
    """
    match state:
        case _ if eye is None:
            return True
        case Over():
            return True
        case Burying():
            return bool(state.setting.shows) or eye == state.setting.dealer
        case Asking():
            return state.is_public or _has_buried_it(state.setting, eye)
        case Playing():
            return state.table.is_public or _has_buried_it(state.table.setting, eye)
        case _:
            return False


def _has_buried_it(setting: Setting, eye: int) -> bool:
    """Whether an eye is the dealer's, and nobody has changed the bottom unseen."""
    return eye == setting.dealer and not setting.burials


def buried_of(state: GunziState) -> bytes:
    """What the dealer buried; nothing before that, nor in 干锅."""
    play = play_of(state)
    if play is not None:
        return play.table.buried
    return state.buried if isinstance(state, Asking) else b""


def seen_of(state: GunziState, number: int, eye: int | None) -> tuple[bool, bool]:
    """gunzi-5.9: whether an eye sees what the burial of this number buried, and what it picked.

    What is buried is shown with the whole bottom, as soon as a joker is in it; what is picked out
    of a bottom that was hidden the picker sees, and the dealer, who knows what is missing.
    """
    setting = setting_of(state)
    assert setting is not None
    burial = setting.burials[number]
    was_public = _is_public(state, number)
    is_public = _is_public(state, number + 1)
    is_own = eye in (None, burial.seat)
    return is_own or is_public, is_own or was_public or (is_public and eye == setting.dealer)


def _is_public(state: GunziState, n_burials: int) -> bool:
    """Whether a joker had come to lie in the new bottom with the first burials by others."""
    setting = setting_of(state)
    assert setting is not None
    jokers = b"".join(burial.jokers for burial in setting.burials[:n_burials])
    return count_jokers(buried_of(state) + jokers) > 0


def hidden(state: GunziState | None, event: Event, eye: int) -> bool:
    """Whether cards of an event are hidden from an eye: of what its seat alone has seen.

    Refused cards are; buried ones, unless a joker makes the bottom public; picked ones, where
    the bottom was not. What did not come about, nobody else has seen.
    """
    match event:
        case Refused(seat=seat):
            return seat != eye
        case Buried(seat=seat, cards=cards):
            was_done = state is not None and buried_of(state) == cards
            return seat != eye and not (was_done and count_jokers(cards))
        case JokersBuried(seat=seat):
            return seat != eye and not _sees_burial(state, event, eye)
        case _:
            return False


def _sees_burial(state: GunziState | None, event: JokersBuried, eye: int) -> bool:
    """Whether an eye sees both what was buried and what was picked for it."""
    setting = None if state is None else setting_of(state)
    if state is None or setting is None:
        return False
    burial = Burial(event.seat, event.jokers, event.picked)
    if burial not in setting.burials:
        return not (event.jokers or event.picked)
    return all(seen_of(state, setting.burials.index(burial), eye))
