"""`paipu verify`: the verdict on logs, one file or many."""

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING

import click
from msgspec import Struct
from msgspec.structs import replace

from replay import folder
from replay.commands import shell, signals
from replay.commands.meter import Meter
from replay.folder import LogFile, Problem, Told, located, located_one, opened
from replay.messages import LANGS, text
from replay.messages.system import reason
from replay.report import Failure, Verdict, about_text, totals_text, verdict_text, verdicts_json
from replay.wording import plain
from schema.damage import LogError

if TYPE_CHECKING:
    from replay.cluster.errors import Trouble


class Task(Struct, frozen=True):
    """A log to be judged, the log before it, and a leaf (hex) that it must contain."""

    file: LogFile
    previous: LogFile | None = None
    head: str | None = None


def judge(task: Task, told: Told | None = None) -> Verdict:
    """The verdict on one log, whatever is wrong with it."""
    from replay.verify import verify

    name = task.file.name
    head = None if task.head is None else bytes.fromhex(task.head)
    before = nullcontext() if task.previous is None else opened(task.previous)
    try:
        with opened(task.file, told) as log, before as previous:
            players = tuple(player.name for player in log.head.players)
            return Verdict(name, verify(log, previous, head), players=players)
    except (OSError, LogError) as error:
        return Verdict(name, failure=failure(error))


def judge_sent(task: Task, paths: tuple[str, ...]) -> Verdict:
    """What a worker of a cluster does: judge the logs of a task where they stand there."""
    file, *before = paths
    previous = task.previous and replace(task.previous, path=before[0])
    return judge(replace(task, file=replace(task.file, path=file), previous=previous))


def failure(error: OSError | LogError) -> Failure:
    """Why there is no verdict."""
    zh, en = (shell.said(error, lang) for lang in LANGS)
    if isinstance(error, LogError):
        damage = error.damage
        place = (damage.fault.value, damage.record, damage.offset, damage.expected, damage.found)
        return Failure(*place, zh, en, error.hands_seen)
    zh, en = (reason(error, lang) for lang in LANGS)
    return Failure("io", None, None, "", en, zh, en)


def judged(tasks: Sequence[Task], jobs: int, told: Told | None = None) -> Iterator[Verdict]:
    """The verdicts in the order of the tasks; `told` hears of bytes done."""
    if min(jobs, len(tasks)) < 2:
        for task in tasks:
            yield judge(task, told)
        return
    with _Workers(min(jobs, len(tasks))) as pool:
        for task, verdict in zip(tasks, pool.map(judge, tasks), strict=True):
            if told is not None:
                told(task.file.size)
            yield verdict


def scheduled(
    tasks: Sequence[Task], scheduler: str, jobs: int | None, told: Told
) -> Iterator[Verdict]:
    """The same by the workers of a Dask cluster; ClusterError."""
    from replay.cluster.work import Task as Sent

    files = (filter(None, (task.file, task.previous)) for task in tasks)
    sent = (
        Sent(judge_sent, task, tuple(file.path for file in both))
        for task, both in zip(tasks, files, strict=True)
    )
    early: dict[int, Verdict] = {}
    due = 0
    with shell.cluster_at(scheduler, jobs, __name__) as cluster:
        for number, answer in cluster.answers(sent):
            early[number] = _verdict(tasks[number], answer)
            while due in early:
                told(tasks[due].file.size)
                yield early.pop(due)
                due += 1


def _verdict(task: Task, answer: "Verdict | Trouble") -> Verdict:
    if isinstance(answer, Verdict):
        return answer
    zh, en = plain(answer.zh), plain(answer.en)
    return Verdict(task.file.name, failure=Failure(answer.word, None, None, "", en, zh, en))


class _Workers(ProcessPoolExecutor):
    """Processes that end at once when the one that called them is interrupted."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, initializer=signals.leave_to_the_caller)

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            for process in multiprocessing.active_children():
                process.terminate()
        self.shutdown(wait=kind is None, cancel_futures=True)


def tasks_of(
    files: Sequence[LogFile],
    known: Mapping[str, folder.Identity],
    previous: LogFile | None,
    head: str | None,
) -> list[Task]:
    """What to judge: a log that continues another one of these is judged after it."""
    if len(files) == 1:
        return [Task(files[0], previous, head)]
    before = folder.previous_files(files, known)
    return [Task(file, before.get(file.name)) for file in files]


def noted(verdict: Verdict, notes: dict[str, list[folder.Note]]) -> Verdict:
    """The verdict with what holds across files."""
    return replace(verdict, notes=tuple(notes.get(verdict.path, ())))


@click.command("verify")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--previous",
    metavar="FILE",
    help="The log that this one continues; its end is compared with the first opening.",
)
@click.option(
    "--head",
    metavar="LEAF",
    help="A leaf kept elsewhere (64 hex digits) that the log must still contain.",
)
@shell.jobs_option
@shell.scheduler_option
@shell.json_option
@shell.lang_option
def command(
    paths: tuple[str, ...],
    previous: str | None,
    head: str | None,
    jobs: int | None,
    scheduler: str | None,
    as_json: bool,
    lang: str,
) -> int:
    """Check logs against the rules.

    PATH is a log, a folder that is searched for *.paipu and *.paipu.jsonl, or - for standard
    input. Every broken rule is listed, not only the first, with the clause, what was expected
    and the cards that prove it. Several logs are also compared with one another.

    Exit status: 0 clean, 1 findings, 2 no verdict possible.
    """
    _check_leaf(head)
    with ExitStack() as stack:
        files = located(paths, stack, shell.pass_over)
        before = None if previous is None else located_one(previous, stack)
        if len(files) != 1 and (previous or head):
            raise Problem("for_one_log", option="--previous" if previous else "--head")
        if before is not None:
            with shell.about(before), opened(before):
                pass  # what is wrong with it is not said of the log that was asked about
        known = folder.identities(files) if len(files) > 1 else {}
        tasks = tasks_of(files, known, before, head)
        notes = folder.notes(files, known)
        say = None if as_json else _Printer(lang, is_single=len(tasks) == 1)
        verdicts = []
        size = sum(file.size for file in files)
        with Meter(size) as meter:
            for verdict in _found(tasks, size, jobs, scheduler, meter.add):
                verdicts.append(noted(verdict, notes))
                if say is not None:
                    meter.clear()
                    say(verdicts[-1])
    _print_end(verdicts, as_json, lang)
    return max(verdict.status for verdict in verdicts)


def _found(
    tasks: Sequence[Task], size: int, jobs: int | None, scheduler: str | None, told: Told
) -> Iterator[Verdict]:
    """The verdicts by whoever was asked to find them; `size` bytes are to be read."""
    if scheduler is not None:
        return scheduled(tasks, scheduler, jobs, told)
    return judged(tasks, jobs or shell.jobs_for(size), told)


def _print_end(verdicts: Sequence[Verdict], as_json: bool, lang: str) -> None:
    end = verdicts_json(verdicts) if as_json else totals_text(verdicts, lang)
    if end:
        click.echo(end)


def _check_leaf(head: str | None) -> None:
    if head is not None and (len(head) != 64 or set(head.lower()) - set("0123456789abcdef")):
        raise Problem("leaf", found=head)


class _Printer:
    """Prints verdicts as they come."""

    def __init__(self, lang: str, is_single: bool) -> None:
        self._lang = lang
        self._is_single = is_single

    def __call__(self, verdict: Verdict) -> None:
        click.echo(verdict_text(verdict, self._lang))
        if verdict.report is not None and verdict.report.in_progress:
            click.echo("  " + text(self._lang, "cli.verify.in_progress"))
        if self._is_single and verdict.report is not None:
            click.echo(about_text(verdict.report, self._lang))
