"""All samples, their README and the reports on them: what is made, and where it lies."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from replay.commands.verify import Task, judge
from replay.folder import LogFile
from replay.report import verdict_text, verdicts_json
from tests.samples.broken import BROKEN, Broken, hands_of, live_form
from tests.samples.clean import CLEAN, Clean, clean_hands
from tests.samples.damage import DAMAGED
from tests.samples.files import TEXT, Damaged, good
from tests.samples.forge import head, live, text
from tests.samples.matches import SPECIAL, Special
from tests.samples.seeds import seed_of

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_logs"
REPORTS = ROOT / "tests" / "golden" / "reports"
DAMAGE_SEED = "damage"
"""Under this name the seed of the hands whose files are damaged is on record."""

Source = Clean | Special | Broken | Damaged


class Sample(NamedTuple):
    """A sample log: its place under `sample_logs`, what it shows, how it is made."""

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
        match self.source:
            case Clean() as source:
                hands = [hand.events for hand in clean_hands(source, seed_of(source.name))]
                return text(live(head(source.name, source.options), hands))
            case Special() as source:
                return source.make(source.name)
            case Damaged() as source:
                return source.make(good(source.name, seed_of(DAMAGE_SEED)))
            case source:
                return text(live_form(source, hands_of(source, seed_of(source.name))))


def clean_samples() -> Iterator[Sample]:
    """The samples without a finding."""
    for clean in CLEAN:
        yield Sample(f"dagong/clean/{clean.name}{TEXT}", clean)
    for special in SPECIAL:
        yield Sample(f"dagong/clean/{special.name}{special.ending}", special)


def broken_samples() -> Iterator[Sample]:
    """The samples whose first finding is in their name: wrong facts and claims."""
    for source in BROKEN:
        yield Sample(f"dagong/broken/{source.name}{TEXT}", source)


def damaged_samples() -> Iterator[Sample]:
    """The samples whose first finding is in their name: bytes that are not as they should be."""
    for source in DAMAGED:
        yield Sample(f"dagong/broken/{source.name}{source.ending}", source)


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
    parts = [
        _INTRODUCTION,
        _table("Clean logs", clean_samples()),
        _BROKEN,
        _table("Broken logs: rules and claims", broken_samples()),
        _table("Broken logs: files", damaged_samples()),
    ]
    return "\n".join(parts)


def _table(title: str, found: Iterator[Sample]) -> str:
    rows = (f"| `{Path(sample.path).name}` | {sample.says} |" for sample in found)
    return "\n".join((f"## {title}", "", "| file | what it shows |", "|---|---|", *rows, ""))


_INTRODUCTION = """# Sample logs

Every file here is made by `python -m tests.make_samples`; a test makes them again and compares
the bytes. Players are 甲 乙 丙 丁. `.paipu.jsonl` is the text form, to be read with any editor;
`.paipu` is binary, live or sealed. Try

    paipu verify sample_logs/dagong/clean
    paipu verify sample_logs/dagong/broken/dagong-5.1--lower-single.paipu.jsonl
    paipu view sample_logs/dagong
"""
_BROKEN = """The name of a broken log begins with what its first finding says: the id of a rule, or
`format.` and a fault of the file. All but some of the damaged files have that one finding only.
"""
