"""All samples, their README and the reports on them: what is made, and where it lies."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from replay.commands.verify import Task, judge
from replay.folder import LogFile
from replay.messages import text as catalogue_text
from replay.report import verdict_text, verdicts_json
from tests.samples.broken import hands_of, live_form
from tests.samples.chaodipi.samples import CHAODIPI
from tests.samples.chibi_dagun.samples import CHIBI_DAGUN
from tests.samples.clean import clean_hands
from tests.samples.dagong.samples import DAGONG
from tests.samples.files import TEXT, Damaged, good
from tests.samples.forge import head, live, text
from tests.samples.gunzi.samples import GUNZI
from tests.samples.seeds import seed_of
from tests.samples.sorts import Broken, Clean, Samples, Special, Staged

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_logs"
REPORTS = ROOT / "tests" / "golden" / "reports"
DAMAGE_SEED = "damage"
"""Under this name the seed of the hands whose files are damaged is on record."""
GAMES: tuple[Samples, ...] = (DAGONG, CHIBI_DAGUN, CHAODIPI, GUNZI)

Source = Clean | Staged | Special | Broken | Damaged


class Sample(NamedTuple):
    """A sample log: its place under `sample_logs`, what it shows, how it is made."""

    game: Samples
    path: str
    source: Source

    @property
    def says(self) -> str:
        """What the sample shows, in one sentence."""
        return self.source.says

    @property
    def rule(self) -> str:
        """The id that its first finding must carry: the file's name says it too."""
        return Path(self.path).name.split("--")[0]

    def content(self) -> bytes:
        """The bytes of the file."""
        game = self.game.game
        match self.source:
            case Clean() as source:
                hands = clean_hands(game, source, seed_of(game, source.name))
                made = head(game, source.name, source.house.options(game))
                return text(live(made, [hand.events for hand in hands]))
            case Staged() as source:
                options = source.house.options(game)
                return text(live(head(game, source.name, options), source.hands(options)))
            case Special() as source:
                return source.make(game, source.name)
            case Damaged() as source:
                return source.make(good(game, source.name, seed_of(game, DAMAGE_SEED)))
            case source:
                return text(live_form(game, source, hands_of(self.game, source)))


def clean_samples(*games: Samples) -> Iterator[Sample]:
    """The samples without a finding, of these games or of all."""
    for game in games or GAMES:
        for clean in game.clean:
            yield Sample(game, f"{game.game}/clean/{clean.name}{TEXT}", clean)
        for special in game.special:
            yield Sample(game, f"{game.game}/clean/{special.name}{special.ending}", special)


def broken_samples(*games: Samples) -> Iterator[Sample]:
    """The samples whose one finding is in their name: wrong facts and claims, by rule."""
    for game in games or GAMES:
        rules = list(game.rules)
        for source in sorted(game.broken, key=lambda broken: rules.index(broken.rule)):
            yield Sample(game, f"{game.game}/broken/{source.name}{TEXT}", source)


def damaged_samples(*games: Samples) -> Iterator[Sample]:
    """The samples whose first finding is in their name: bytes that are not as they should be."""
    for game in games or GAMES:
        for source in game.damaged:
            yield Sample(game, f"{game.game}/broken/{source.name}{source.ending}", source)


def samples() -> Iterator[Sample]:
    """All of them."""
    yield from clean_samples()
    yield from broken_samples()
    yield from damaged_samples()


def reports(sample: Sample, folder: Path = SAMPLES) -> dict[str, str]:
    """What `paipu verify` says of a sample that lies in `folder`, by file name under REPORTS."""
    path = folder / sample.path
    verdict = judge(Task(LogFile(sample.path, str(path), path.stat().st_size)))
    said = "\n\n".join(verdict_text(verdict, lang) for lang in ("zh", "en"))
    return {
        f"{sample.path}.txt": said + "\n",
        f"{sample.path}.json": verdicts_json([verdict]) + "\n",
    }


def readme() -> str:
    """The README of the samples."""
    return "\n".join((_INTRODUCTION, *(part for game in GAMES for part in _parts(game))))


def _parts(game: Samples) -> Iterator[str]:
    """What one game has: its clean logs, then the broken ones."""
    yield f"## {catalogue_text('zh', f'game.{game.game}')}: `{game.game}/`\n"
    yield _table("Clean", clean_samples(game))
    yield _table("Broken: rules and claims", broken_samples(game))
    yield _table("Broken: files", damaged_samples(game))


def _table(title: str, found: Iterator[Sample]) -> str:
    rows = (f"| `{Path(sample.path).name}` | {sample.says} |" for sample in found)
    return "\n".join((f"### {title}", "", "| file | what it shows |", "|---|---|", *rows, ""))


_INTRODUCTION = """# Sample logs

Every file here is made by `python -m tests.make_samples`; a test makes them again and compares
the bytes. Players are 甲 乙 丙 丁. `.paipu.jsonl` is the text form, to be read with any editor;
`.paipu` is binary, live or sealed. Try

    paipu verify sample_logs/chaodipi/clean sample_logs/gunzi/clean
    paipu verify sample_logs/dagong/broken/dagong-5.1--lower-single.paipu.jsonl
    paipu show sample_logs/chibi_dagun/clean/bombs-natural.paipu.jsonl --hand 0
    paipu view sample_logs

A folder holds the logs of one game. The clean ones have no finding. The name of a broken log
begins with what its first finding says: the id of a rule, or `format.` and a fault of the file.
All but some of the damaged files have that one finding only.
"""
