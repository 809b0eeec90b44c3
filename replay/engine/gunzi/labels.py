"""What facts and claims of 四副滚子 are called, as catalogue keys with their slots."""

from replay.engine.board import Phrase, Word
from replay.engine.gunzi.duties import suit_word
from replay.engine.gunzi.order import Context
from replay.engine.gunzi.playing import is_one_type
from replay.engine.gunzi.showing import rung, trump_of
from replay.engine.gunzi.sight import buried_of
from replay.engine.gunzi.states import UNKNOWN, GunziState, play_of, setting_of
from replay.engine.gunzi.summary import TYPES
from replay.engine.mechanics.order import one_suit
from schema.events import Event, Fact, Passed, Played
from schema.gunzi import (
    BottomShown,
    Buried,
    Declared,
    Drawn,
    Flipped,
    JokersBuried,
    JokersPassed,
    TributePaid,
    TributeReturned,
    TrumpSet,
)
from schema.trumps import Trump


def play_phrase(context: Context, cards: bytes) -> Phrase:
    """A play in the players' words: single, pair or triple of its suit, or cards of one or more."""
    suit = one_suit(context.order, cards)
    if suit is None:
        return Phrase("play.mixed", (("n", len(cards)),))
    kind = _KINDS[TYPES[len(cards) - 1]] if is_one_type(cards) else "cards"
    slots = (("n", 1), ("suit", suit_word(suit)), ("size", len(cards)))
    return Phrase(f"play.trick_{kind}", slots)


_KINDS = {"single": "single", "pair": "twins", "triple": "triple"}
"""By type, the word for it: players call a pair of this game 棒子, where others say 对子."""


def trump_key(trump: int) -> str:
    """The catalogue key of a trump suit."""
    return f"trump.{Trump(trump).name.lower()}"


def act_type(state: GunziState, fact: Fact) -> Word:
    """The catalogue key that an act is listed under."""
    play = play_of(state)
    match fact:
        case Declared():
            return _show_type(state, fact)
        case Played(cards=cards) if cards and play is not None:
            phrase = play_phrase(play.table.context, cards)
            return f"type.{phrase.key.partition('.')[2]}"
        case _:
            return _ACTS.get(type(fact), "type.none")


_ACTS: dict[type[Event], Word] = {
    Flipped: "act.flip",
    Drawn: "act.draw_trump",
    TributePaid: "act.tribute",
    TributeReturned: "act.tribute_return",
    Buried: "act.bury",
    JokersBuried: "act.bury_jokers",
    JokersPassed: "act.bury_no_jokers",
}


def _show_type(state: GunziState, fact: Declared) -> Word:
    trump = shown_trump(state, fact)
    if trump is None:
        return "type.none"
    return "act.show_first" if trump == UNKNOWN else f"act.show_{Trump(trump).name.lower()}"


def shown_trump(state: GunziState, fact: Declared) -> int | None:
    """What a show makes trump, -1 of a first hand's 大王; None if it is no show."""
    setting = setting_of(state)
    if setting is None:
        return None
    height = rung("first" if setting.is_first else "later", setting.level, fact.cards)
    return None if height is None else trump_of(fact.cards, height, fact.named)


def label(state: GunziState, event: Event) -> Phrase:
    """What was played; of the rest a whole sentence where its kind does not say enough."""
    play = play_of(state)
    match event:
        case Played(cards=cards) if cards and play is not None:
            return play_phrase(play.table.context, cards)
        case Passed():
            return Phrase("play.pass")
        case Declared():
            return _declared(state, event)
        case Flipped() | Drawn():
            return _turned(state, event)
        case JokersBuried(seat=seat, jokers=b"", picked=b""):
            return Phrase("event.jokers_passed", (("seat", seat),))
        case TrumpSet(trump, dealer):
            slots = (("trump", trump_key(trump)), ("dealer", dealer))
            return Phrase("event.trump_and_dealer", slots)
        case BottomShown(cards, dry):
            word = "dry_bottom_shown" if dry else _shown_word(state)
            return Phrase(f"event.{word}", (("cards", cards),))
        case _:
            return Phrase("play.none")


def _declared(state: GunziState, event: Declared) -> Phrase:
    trump = shown_trump(state, event)
    if trump is None:
        return Phrase("play.none")
    slots: tuple[tuple[str, int | str | bytes], ...]
    slots = (("seat", event.seat), ("cards", event.cards))
    if trump == UNKNOWN:
        return Phrase("event.declared_first", slots)
    return Phrase("event.declared", (*slots, ("named", trump_key(trump))))


def _turned(state: GunziState, event: Flipped | Drawn) -> Phrase:
    """The card turned up, if it was; behind the sixth joker it is in the deck again."""
    setting = setting_of(state)
    if setting is None or all(turn.place != event.place for turn in setting.turned):
        return Phrase("play.none")
    card = setting.deal.bottom[event.place : event.place + 1]
    if isinstance(event, Flipped):
        return Phrase("event.flipped_card", (("seat", event.seat), ("cards", card)))
    return Phrase("event.drawn_card", (("cards", card),))


def _shown_word(state: GunziState) -> str:
    """The bottom of the deal, or a new one."""
    return "new_bottom_shown" if buried_of(state) else "bottom_shown"
