"""Laws of 打拱 that other games do not have."""

import random

from msgspec.structs import replace

from replay.engine.climbing.states import Asking, ClimbingState
from replay.engine.dagong.game import Dagong
from replay.engine.dagong.presets import DEFAULT
from schema.events import Fact, SoloAnswered
from tests.builders import DECK, FIRST, hand_events


def test_four_jokers_make_one_yaobai_at_most() -> None:
    """dagong-5.8: two sets of three jokers, or three and two, are more than the deck holds."""
    jokers = DECK.count(52) + DECK.count(53)
    assert jokers < 3 + 2


def test_a_solo_answer_is_offered_both_ways() -> None:
    """The seat that is asked may say yes and no; where anybody may declare, each seat may."""
    rng = random.Random(3)
    for order, n_answers in (("in_turn", 2), ("free", 4)):
        options = replace(DEFAULT, solo_order=order)
        events, _ = hand_events(game := Dagong(), options, FIRST, rng)
        state: ClimbingState = game.open(options, FIRST)
        for event in events[2:]:
            if isinstance(state, Asking):
                break
            if isinstance(event, Fact):
                state = game.apply(state, event, [])
        answers = [fact for fact in game.plays(state) if isinstance(fact, SoloAnswered)]
        assert len(answers) == n_answers
