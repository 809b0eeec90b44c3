"""The sample logs: made again byte for byte, clean or broken as said, every rule broken once."""

import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from msgspec.inspect import LiteralType, StructType, type_info

from replay.engine.registry import game_named
from replay.engine.rule import RuleClass
from replay.players.player import KITS
from replay.verify import HandResult, verified_hands, verify
from schema.cards import BLACK_JOKER
from schema.chaodipi import (
    ChaodipiEffect,
    ChaodipiResult,
    ChaodipiSettled,
    TrumpSet,
)
from schema.damage import LogError
from schema.events import AnyPlay, Claim, ClimbingSettled, Refused
from schema.frames import HEADER, HEADER_SIZE, MAGIC, Kind
from schema.gunzi import BottomFate, GunziEnding, GunziResult, GunziSettled
from schema.gunzi import Declared as GunziDeclared
from schema.gunzi import TrumpSet as GunziTrumpSet
from schema.logfile import open_log
from schema.options import ChaodipiOptions, ChibiDagunOptions, GunziOptions
from schema.schemas import SCHEMAS
from schema.trumps import Trump
from tests.samples.catalogue import (
    GAMES,
    REPORTS,
    SAMPLES,
    Sample,
    broken_samples,
    clean_samples,
    damaged_samples,
    readme,
    reports,
    samples,
)
from tests.samples.chaodipi.samples import CHAODIPI
from tests.samples.chibi_dagun.samples import CHIBI_DAGUN
from tests.samples.clean import clean_hands, is_shown
from tests.samples.gunzi.samples import GUNZI
from tests.samples.seeds import seed_of
from tests.samples.sorts import Clean, Samples, Staged

AGAIN = "python -m tests.make_samples"
Settled = ClimbingSettled | ChaodipiSettled | GunziSettled
SIZE_LIMIT = 1_800_000
"""Of the samples of one game, in bytes."""


def named(found: list[Sample]) -> pytest.MarkDecorator:
    """A test for each of these samples, under its file's name."""
    ids = [f"{sample.game.game}/{Path(sample.path).name}" for sample in found]
    return pytest.mark.parametrize("sample", found, ids=ids)


of_every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.game)


CLEAN_SAMPLES = list(clean_samples())
BROKEN_SAMPLES = list(broken_samples())
DAMAGED_SAMPLES = list(damaged_samples())
SAMPLE_LIST = [*CLEAN_SAMPLES, *BROKEN_SAMPLES, *DAMAGED_SAMPLES]


def rules_found(sample: Sample) -> list[str]:
    """The rule of every finding of the file on disk, or the fault that forbids a verdict."""
    with (SAMPLES / sample.path).open("rb") as stream:
        try:
            return [finding.rule for finding in verify(open_log(stream)).findings]
        except LogError as error:
            return [f"format.{error.damage.fault.value}"]


def file_id_of(sample: Sample) -> bytes | None:
    """The file id in the HEAD of the file on disk; None where that cannot be read."""
    with (SAMPLES / sample.path).open("rb") as stream:
        try:
            return open_log(stream).head.file_id
        except LogError:
            return None


def is_zlib_ours() -> bool:
    """This zlib compresses as the one did that made the samples: others are free not to."""
    squares = b" ".join(b"%d" % (n * n) for n in range(4000))
    return sha256(zlib.compress(squares, 6)).hexdigest().startswith("76e2082f7a6c802d")


def holds_chunks(content: bytes) -> bool:
    """A sealed log, or what is left of one: its first frame after HEAD is a chunk."""
    if not content.startswith(MAGIC):
        return False
    _, length, _ = HEADER.unpack_from(content, len(MAGIC))
    _, _, kind = HEADER.unpack_from(content, len(MAGIC) + HEADER_SIZE + length)
    return bool(kind == Kind.CHUNK)


@named(SAMPLE_LIST)
def test_made_again_it_is_the_same(sample: Sample) -> None:
    """The file on disk is what the generator makes."""
    content = (SAMPLES / sample.path).read_bytes()
    if holds_chunks(content) and not is_zlib_ours():
        pytest.skip("this zlib compresses chunks otherwise; their hands are compared elsewhere")
    assert content == sample.content(), AGAIN


@named([sample for sample in CLEAN_SAMPLES if sample.path.endswith(".paipu")])
def test_made_again_it_has_the_same_leaves(sample: Sample) -> None:
    """Whatever compressed it, the hands of a binary sample are the generator's."""
    on_disk, again = (
        verify(open_log(BytesIO(content)))
        for content in ((SAMPLES / sample.path).read_bytes(), sample.content())
    )
    assert (on_disk.head_leaf, on_disk.last_leaf) == (again.head_leaf, again.last_leaf)


@named(SAMPLE_LIST)
def test_the_report_is_the_same(sample: Sample) -> None:
    """What `paipu verify` says of it, in both languages and as JSON, is what is on record."""
    for name, said in reports(sample).items():
        assert (REPORTS / name).read_text(encoding="utf-8") == said, AGAIN


def test_there_is_nothing_else() -> None:
    """No file of an earlier generator is left over, and the README lists what there is."""
    made = {SAMPLES / sample.path for sample in samples()} | {SAMPLES / "README.md"}
    assert {path for path in SAMPLES.rglob("*") if path.is_file()} == made
    said = {REPORTS / f"{sample.path}.{kind}" for sample in samples() for kind in ("txt", "json")}
    assert {path for path in REPORTS.rglob("*") if path.is_file()} == said
    assert (SAMPLES / "README.md").read_text(encoding="utf-8") == readme(), AGAIN


@of_every_game
def test_they_stay_small(game: Samples) -> None:
    """All samples of a game together are no burden to a clone."""
    sizes = [path.stat().st_size for path in (SAMPLES / game.game).rglob("*")]
    assert sum(sizes) < SIZE_LIMIT


def test_no_two_are_the_same_log() -> None:
    """Every sample whose HEAD can be read has a file id of its own."""
    ids = [file_id for sample in SAMPLE_LIST if (file_id := file_id_of(sample))]
    assert len(ids) > 100
    assert len(set(ids)) == len(ids)


@named(CLEAN_SAMPLES)
def test_clean_samples_have_no_finding(sample: Sample) -> None:
    """Not one finding."""
    assert rules_found(sample) == []


@named([sample for sample in CLEAN_SAMPLES if isinstance(sample.source, Clean)])
def test_clean_samples_show_what_they_say(sample: Sample) -> None:
    """The last hand is the kind of hand that the name promises."""
    game, source = sample.game.game, sample.source
    assert isinstance(source, Clean)
    assert is_shown(source, clean_hands(game, source, seed_of(game, source.name))[-1])


@named([sample for sample in CLEAN_SAMPLES if isinstance(sample.source, Staged)])
def test_staged_samples_show_what_they_say(sample: Sample) -> None:
    """The same of hands that are written down: their last is what it is said to be."""
    source = sample.source
    assert isinstance(source, Staged)
    assert source.shows(source.hands(source.house.options(sample.game.game))[-1])


@of_every_game
def test_every_event_is_in_a_clean_sample(game: Samples) -> None:
    """Nothing that a log of the game can hold is shown by broken logs alone."""
    seen = {type(event) for hand in hands_in(clean_samples(game)) for event in hand.hand.events}
    assert seen == set(SCHEMAS[game_named(game.game).schema_id].kinds)


def test_every_play_of_chibi_dagun_is_in_a_clean_sample() -> None:
    """Every type, and every bomb of every size, without jokers and with as many as it can have."""
    seen = set(plays_in(clean_samples(CHIBI_DAGUN)))
    without = [(kind, 1) for kind in ("single", "pair", "triple")]
    without += [("pair_chain", 2), ("triple_chain", 2), ("wsk_mixed", 3), ("wsk_pure", 3)]
    without += [("bomb", 4), ("bomb", 5), ("bomb", 6), ("xi7", 7), ("xi8", 8), ("tianzha", 4)]
    without += [("yaobai", 8), ("yaobai", 9), ("yaobai", 10), ("yaobai", 12)]
    wanted = {(kind, size, 0) for kind, size in without}
    wanted |= {("single", 1, 1), ("pair", 1, 1), ("pair", 1, 2)}
    wanted |= {("triple", 1, n_jokers) for n_jokers in (1, 2, 3)}
    wanted |= {("pair_chain", 2, 1), ("pair_chain", 3, 2), ("triple_chain", 2, 1)}
    wanted |= {("triple_chain", 2, 2), ("wsk_mixed", 3, 1), ("wsk_pure", 3, 1)}
    wanted |= {("bomb", size, 1) for size in range(4, 10)}
    wanted |= {("bomb", 10, 2), ("bomb", 11, 3), ("bomb", 12, 4)}
    assert wanted - seen == set()


def test_every_show_and_end_of_chaodipi_is_in_a_clean_sample() -> None:
    """Every rung and trump, every result and effect, and leads of every kind."""
    events = [event for hand in hands_in(clean_samples(CHAODIPI)) for event in hand.hand.events]
    trumps = [event for event in events if isinstance(event, TrumpSet)]
    assert {event.rung for event in trumps} == set(range(9))
    assert {event.trump for event in trumps} == set(Trump)
    ends = [event for event in events if isinstance(event, ChaodipiSettled)]
    assert {event.result for event in ends} == set(ChaodipiResult)
    assert {event.effect for event in ends} == set(ChaodipiEffect)
    assert {0, 2, 4, 8} <= {event.factor for event in ends}
    seen = {(kind, size) for kind, size, _ in plays_in(clean_samples(CHAODIPI))}
    wanted = {("single", 1), ("pair", 1), ("tractor", 2), ("tractor", 3), ("wsk", 1)}
    assert wanted | {("throw", 3), ("mixed", 3)} <= seen


def test_every_show_and_end_of_gunzi_is_in_a_clean_sample() -> None:
    """Every suit made trump by a show of every height, every result and ending, and every play."""
    events = [event for hand in hands_in(clean_samples(GUNZI)) for event in hand.hand.events]
    trumps = {event.trump for event in events if isinstance(event, GunziTrumpSet)}
    assert trumps == set(Trump) - {Trump.NO_TRUMP}
    shown = [event.cards for event in events if isinstance(event, GunziDeclared)]
    sets = {(cards[0] >= BLACK_JOKER, len(cards)) for cards in shown}
    assert sets == {(True, 1), (False, 1), (False, 2), (False, 3), (True, 3)}
    ends = [event for event in events if isinstance(event, GunziSettled)]
    assert {event.result for event in ends} == set(GunziResult)
    assert {event.ending for event in ends} == set(GunziEnding)
    assert {event.fate for event in ends} == set(BottomFate)
    assert {event.next.due_for_score > 0 for event in ends} == {False, True}
    seen = {kind for kind, _, _ in plays_in(clean_samples(GUNZI))}
    assert seen == {"single", "pair", "triple", "mixed"}


@pytest.mark.parametrize(
    ("game", "kind"),
    [(CHIBI_DAGUN, ChibiDagunOptions), (CHAODIPI, ChaodipiOptions), (GUNZI, GunziOptions)],
)
def test_every_house_rule_is_in_a_clean_sample(game: Samples, kind: type[object]) -> None:
    """Each word of each option but the length of a match stands in the HEAD of one."""
    heads = [open_log(BytesIO(log_of(sample))).head for sample in clean_samples(game)]
    options = type_info(kind)
    assert isinstance(options, StructType)
    for field in options.fields:
        words = {getattr(head.options, field.name) for head in heads}
        if isinstance(field.type, LiteralType):
            assert words == set(field.type.values), field.name
        elif field.name != "hands_per_match":
            assert len(words) > 1, field.name


@named(BROKEN_SAMPLES)
def test_one_fault_is_one_finding(sample: Sample) -> None:
    """A wrong fact or claim is found once, under the rule in the file's name, and nothing else."""
    assert rules_found(sample) == [sample.rule]


@named(DAMAGED_SAMPLES)
def test_damage_is_named(sample: Sample) -> None:
    """The first thing said of damaged bytes is the fault in the file's name."""
    assert rules_found(sample)[0] == sample.rule


@of_every_game
def test_every_rule_that_can_be_broken_is(game: Samples) -> None:
    """There is a sample for each rule that blocks, of conduct, and of claims."""
    breakable = {rule.id for rule in game.rules if rule.kind is not RuleClass.DEFINITION}
    assert breakable - {sample.rule for sample in broken_samples(game)} == set()


def log_of(sample: Sample) -> bytes:
    """The bytes of the file on disk."""
    return (SAMPLES / sample.path).read_bytes()


def hands_in(found: Iterable[Sample]) -> Iterator[HandResult]:
    """The finished hands of these samples."""
    for sample in found:
        for item in verified_hands(open_log(BytesIO(log_of(sample)))):
            if isinstance(item, HandResult):
                yield item


def plays_in(found: Iterable[Sample]) -> Iterator[tuple[str, int, int]]:
    """Type, size and number of jokers of every play; the jokers of 天炸 are no wild ones."""
    for hand in hands_in(found):
        for step in hand.steps:
            if isinstance(step.event, AnyPlay):
                assert step.state is not None
                facts = hand.game.played(step.state, step.event)
                yield facts.kind, facts.size, len(facts.wilds)


def faults(sample: Sample) -> list[tuple[object, object]]:
    """The claims expected and logged at each fault of a sample."""
    return [
        (fault.expected, fault.logged)
        for hand in hands_in([sample])
        for step in hand.steps
        for fault in step.faults
        if fault.expected is not None or fault.logged is not None
    ]


@of_every_game
def test_every_claim_is_false_missing_and_undue_once(game: Samples) -> None:
    """Each kind of claim lies in each way that it can."""
    kinds = {k for k in SCHEMAS[game_named(game.game).schema_id].kinds if issubclass(k, Claim)}
    opening = type(game_named(game.game).opening(KITS[game.game].first_carry))
    wanted: set[tuple[type[object], str]] = {
        (kind, how) for kind in kinds - {opening, Refused} for how in ("false", "missing", "undue")
    }
    wanted -= {(kind, "false") for kind in kinds if not kind.__struct_fields__}
    # A missing opening leaves the hand without a beginning: no claim is wrong, the hand is blocked.
    wanted |= {(opening, "false"), (opening, "undue"), (Refused, "undue")}
    seen: set[tuple[type[object], str]] = set()
    for sample in broken_samples(game):
        for expected, logged in faults(sample):
            how = "missing" if logged is None else "undue" if expected is None else "false"
            seen.add((type(logged or expected), how))
    assert wanted - seen == set()


@of_every_game
def test_every_field_of_the_settlement_is_false_once(game: Samples) -> None:
    """Each field lies alone, and of what comes next each part."""
    alone = set()
    for sample in broken_samples(game):
        for expected, logged in faults(sample):
            if isinstance(expected, Settled) and type(logged) is type(expected):
                wrong = _differing(expected, logged)
                if len(wrong) == 1:
                    alone |= wrong
    carry = type(KITS[game.game].first_carry).__struct_fields__
    kinds = set(SCHEMAS[game_named(game.game).schema_id].kinds)
    (kind,) = kinds & {ClimbingSettled, ChaodipiSettled, GunziSettled}
    fields = set(kind.__struct_fields__) - {"next"}
    assert alone == fields | {f"next.{name}" for name in carry}


def _differing(expected: Settled, logged: Settled) -> set[str]:
    def wrong(a: object, b: object, names: tuple[str, ...]) -> set[str]:
        return {name for name in names if getattr(a, name) != getattr(b, name)}

    names = wrong(expected, logged, expected.__struct_fields__)
    if "next" not in names:
        return names
    parts = wrong(expected.next, logged.next, expected.next.__struct_fields__)
    return names - {"next"} | {f"next.{part}" for part in parts}


@of_every_game
def test_the_second_match_takes_over_from_the_first(game: Samples) -> None:
    """Given the file before it, the next match is clean and its opening is checked."""
    first, second = (
        open_log(BytesIO((SAMPLES / game.game / f"clean/{n}-match.paipu").read_bytes()))
        for n in ("first", "second")
    )
    found = verify(second, first)
    assert (found.findings, found.openings_unchecked) == ((), 0)
    assert game_named(game.game).schema_id == second.head.schema_id
