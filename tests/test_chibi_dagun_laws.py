"""Laws of 赤壁打滚 that other games do not have: declared readings, its questions, its ends."""

import random
from collections import Counter

from hypothesis import event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from replay.engine.chibi_dagun.game import ChibiDagun
from replay.engine.chibi_dagun.presets import DEFAULT
from replay.engine.chibi_dagun.types import as_declared, choose
from replay.engine.climbing.states import Asking, ClimbingState, Over, Playing
from replay.engine.mechanics.plays import Play, beats
from replay.engine.rule import Breach
from schema.events import (
    By,
    Called,
    ClimbingSettled,
    Played,
    PlayedAs,
    PlayKind,
    PlayRank,
    SoloAnswered,
)
from schema.options import ChibiDagunOptions
from tests.builders import FIRST, Style, Told, any_options, any_style, later, said_as_read, told

SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=20)
SAID = Style(clump=0.3, solo=0.04, said=0.6)


def _hand(
    seed: int, style: Style | None = None, **fixed: str
) -> tuple[ChibiDagun, ChibiDagunOptions, list[Told]]:
    """A legal hand at a random table with some of its house rules fixed."""
    rng = random.Random(seed)
    game, options = ChibiDagun(), replace(any_options(rng, DEFAULT), **fixed)
    carry = rng.choice((FIRST, later(rng.randrange(4))))
    return game, options, list(told(game, options, carry, rng, style or any_style(rng)))


# Declared readings


def _on_table(state: ClimbingState) -> Play | None:
    """The play that was laid last, also when it has ended its trick or the hand."""
    play = state.play if isinstance(state, Over) else state
    return play.latest[1] if isinstance(play, Playing) and play.latest else None


@given(seed=SEEDS)
@FEW
def test_what_is_declared_lies_on_the_table(seed: int) -> None:
    """chibi_dagun-5.12: a declared reading is the one that lies there and has to be beaten."""
    _, _, hand = _hand(seed, SAID)
    for before, fact, after in hand:
        play = _on_table(after)
        if isinstance(fact, PlayedAs):
            assert play is not None
            assert as_declared(play) == (fact.kind, fact.rank)
        if isinstance(fact, Played | PlayedAs) and isinstance(before, Playing) and before.table:
            assert play is not None
            assert beats(play, before.table)


@given(seed=SEEDS)
@FEW
def test_saying_what_counts_anyway_changes_nothing(seed: int) -> None:
    """A play and the same play with its reading leave the same table."""
    game, _, hand = _hand(seed)
    for before, fact, after in hand:
        if isinstance(fact, Played) and isinstance(before, Playing):
            breaches: list[Breach] = []
            other = game.apply(before, said_as_read(before, fact), breaches)
            assert not breaches
            assert game.due(before, fact, after) == game.due(before, fact, other)
            assert _on_table(other) == _on_table(after)
            assert game.view(other, None) == game.view(after, None)


@given(seed=SEEDS)
@FEW
def test_a_false_declaration_is_one_breach_and_does_not_count(seed: int) -> None:
    """chibi_dagun-5.10: the cards then count as if nothing had been said, on this table."""
    game, options, hand = _hand(seed)
    rng = random.Random(seed)
    n_said: Counter[bool] = Counter()
    for before, fact, after in hand:
        if not isinstance(fact, Played) or not isinstance(before, Playing):
            continue
        readings = before.flow.readings(fact.cards)
        counts = choose(readings, before.table)
        kind, rank = rng.choice(list(PlayKind)), rng.choice(list(PlayRank))
        said = PlayedAs(0, By.PLAYER, fact.seat, fact.cards, kind, rank)
        may_be = readings if options.wild_reading == "declared_or_max" else (counts,)
        is_true = (kind, rank) in map(as_declared, may_be)
        n_said[is_true] += 1
        breaches: list[Breach] = []
        other = game.apply(before, said, breaches)
        if not is_true:
            assert [breach.rule.id for breach in breaches] == ["chibi_dagun-5.10"]
            assert _on_table(other) == counts == _on_table(after)
    assert n_said[False] > 0


@given(seed=SEEDS)
@FEW
def test_every_other_reading_may_be_declared_or_none(seed: int) -> None:
    """Where players have a say every reading of a lead may be said; where they have none, one."""
    game, options, hand = _hand(seed, Style(clump=0.6))
    has_say = options.wild_reading == "declared_or_max"
    for before, _, _ in hand:
        if not isinstance(before, Playing) or before.table is not None:
            continue
        for lead in game.plays(before):
            assert isinstance(lead, Played | PlayedAs)
            readings = before.flow.readings(lead.cards)
            for reading in readings[1:]:
                said = PlayedAs(0, By.PLAYER, lead.seat, lead.cards, *as_declared(reading))
                breaches: list[Breach] = []
                after = game.apply(before, said, breaches)
                assert (not breaches) == has_say
                assert _on_table(after) == (reading if has_say else readings[0])


# Call and questions


@given(seed=SEEDS)
@FEW
def test_a_call_without_question_or_a_question_without_call(seed: int) -> None:
    """chibi_dagun-4.2, 4.3: who is asked, in which order, and whether a card is called at all."""
    game, options, hand = _hand(seed, Style(solo=0.3))
    answers = [fact for _, fact, _ in hand if isinstance(fact, SoloAnswered)]
    calls = [claim for each in hand for claim in game.due(*each) if isinstance(claim, Called)]
    (state,) = (after for _, _, after in hand[-1:] if isinstance(after, Over))
    dealer, went_solo = state.dealer, any(fact.yes for fact in answers)
    assert [fact.seat for fact in answers] == [(dealer + k) % 4 for k in range(len(answers))]
    assert [fact.yes for fact in answers[:-1]] == [False] * (len(answers) - 1 if answers else 0)
    if options.solo_asked == "never":
        assert not answers
    else:
        assert went_solo or len(answers) == 4
    assert (state.play.soloist >= 0) == went_solo
    assert len(calls) == (not (went_solo and options.solo_asked == "before_call"))
    lead = next(fact for _, fact, _ in hand if isinstance(fact, Played | PlayedAs))
    is_soloists = went_solo and options.solo_leader == "soloist"
    assert lead.seat == (state.play.soloist if is_soloists else dealer)


@given(seed=SEEDS)
@FEW
def test_an_answer_is_offered_both_ways(seed: int) -> None:
    """chibi_dagun-4.1: whoever is asked may say yes and no, and nothing else."""
    game, _, hand = _hand(seed)
    for before, fact, _ in hand:
        if isinstance(before, Asking):
            assert isinstance(fact, SoloAnswered)
            no, yes = game.plays(before)
            assert [no, yes] == [replace(fact, yes=False), replace(fact, yes=True)]


# Ends


@given(seed=SEEDS)
@FEW
def test_how_a_hand_ends(seed: int) -> None:
    """chibi_dagun-12.3, 4.4, 4.5: who is out decides how; no other act follows.

    Contested, the trick is still played out: at a normal end by one act of the last seat.
    """
    _, options, hand = _hand(seed)
    state = hand[-1].after
    assert isinstance(state, Over)
    teams, places = state.play.teams, state.places
    assert sorted(Counter(teams).values()) == ([1, 3] if state.play.soloist >= 0 else [2, 2])
    if state.play.soloist >= 0:
        assert (state.end, len(places)) == ("solo", 1)
    elif teams[places[0]] == teams[places[1]]:
        assert (state.end, len(places)) == ("bang", 2)
    else:
        assert (state.end, len(places)) in (("normal", 4), ("early", 2))
    n_behind = sum(isinstance(before, Playing) and bool(before.decided) for before, _, _ in hand)
    if options.final_trick == "stop" or state.end in ("solo", "early"):
        assert n_behind == 0
    elif options.pass_binds == "turn":
        # who has passed may still answer the last cards of another seat
        assert n_behind == 1 if state.end == "normal" else n_behind >= 2


@given(seed=SEEDS)
@FEW
def test_an_early_stop_changes_no_result(seed: int) -> None:
    """Played on, the hand has the winners, the result, the 番 and the next dealer of the stop."""
    rng = random.Random(seed)
    game, options = ChibiDagun(), replace(any_options(rng, DEFAULT), early_stop="none")
    n_stopped = 0
    for _ in range(5):
        hand = list(told(game, options, FIRST, rng, any_style(rng)))
        played_on = hand[-1].after
        state: ClimbingState = game.open(replace(options, early_stop="public_105"), FIRST)
        for _, fact, _ in hand:
            if not isinstance(state, Over):
                state = game.apply(state, fact, [])
        assert isinstance(state, Over)
        assert isinstance(played_on, Over)
        stopped, whole = state.settled, played_on.settled
        assert isinstance(stopped, ClimbingSettled)
        assert isinstance(whole, ClimbingSettled)
        n_stopped += state.end == "early"
        kept = ("result", "fan", "winners", "bonuses", "deltas", "next")
        assert [getattr(stopped, name) for name in kept] == [getattr(whole, name) for name in kept]
        assert stopped.places == whole.places[: len(stopped.places)]
    event(f"stopped {min(n_stopped, 1)}")
