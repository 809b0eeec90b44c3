"""Wild jokers (癞子), wherever a play is shown: what each stands for, and several readings."""

from pathlib import Path

import pytest

from replay.explain import Act, explained, explained_text
from replay.messages import LANGS, text
from replay.wilds import wilds_in, wilds_of, wilds_said, wilds_text
from replay.wording import Words
from schema.cards import BLACK_JOKER, RED_JOKER, cards_text, parse_cards
from schema.events import AnyPlay, PlayedAs
from tests.archives import indexed, rows
from tests.asked import answer
from tests.shelled import paipu
from tests.wild_logs import (
    ANSWER,
    BLOCKED,
    DECLARED,
    EQUAL,
    FINE,
    FLAWED,
    LEAD,
    event_of,
    folder_of_wilds,
    ranks_of,
    walked,
)

NAMES = "甲乙丙丁"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs that all these tests look at."""
    return folder_of_wilds(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def archive(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of them."""
    path = tmp_path_factory.mktemp("archive") / "a"
    indexed(path, folder)
    return path


# What is said


@pytest.mark.parametrize(
    ("wilds", "zh", "en"),
    [
        ([], "", ""),
        ([("大王", "T")], "大王当10", "大王 as 10"),
        ([("小王", "3"), ("大王", "3")], "王都当3", "jokers as 3"),
        ([("小王", "3"), ("大王", "4")], "小王当3，大王当4", "小王 as 3, 大王 as 4"),
    ],
)
def test_wild_jokers_are_told_in_a_few_words(
    wilds: list[tuple[str, str]], zh: str, en: str
) -> None:
    """One by its name, several that stand for the same together."""
    assert (wilds_said("zh", wilds), wilds_said("en", wilds)) == (zh, en)


@pytest.mark.parametrize(
    ("log", "cards", "notation"),
    [
        (FINE, DECLARED, "Bj=5 Rj=5"),
        (FINE, LEAD, "Rj=3"),
        (FINE, ANSWER, "Bj=6"),
        (FLAWED, DECLARED, "Bj=6 Rj=7"),
        (FLAWED, EQUAL, "Bj=3"),
        (BLOCKED, LEAD, ""),
    ],
)
def test_each_joker_stands_for_what_the_rules_read(
    folder: Path, log: str, cards: str, notation: str
) -> None:
    """As declared where the cards can be that; nothing is said where no state is defined."""
    result = walked(folder / log)
    step = result.steps[event_of(folder / log, cards)]
    assert wilds_text(parse_cards(cards), wilds_in(result.game, step)) == notation


def test_of_cards_without_jokers_nothing_is_asked(folder: Path) -> None:
    """No play without a joker has a wild one."""
    result = walked(folder / FINE)
    plays = [
        s for s in result.steps if isinstance(s.event, AnyPlay) and max(s.event.cards) < BLACK_JOKER
    ]
    assert len(plays) > 10
    assert {wilds_in(result.game, step) for step in plays} == {()}


# Histories, findings, explanations


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "zh",
            (
                "甲: 报3连对，到7  6♠ 6♥ 7♠ 7♥ 小王 大王（王都当5）",
                "甲: 2连对，到4  4♠ 4♥ 3♦ 大王（大王当3）",
                "乙: 2连对，到6  5♦ 5♣ 6♦ 小王（小王当6） [托管]",
            ),
        ),
        (
            "en",
            (
                "甲: declared: 3 pairs in a chain, up to 7  6♠ 6♥ 7♠ 7♥ Bj Rj (jokers as 5)",
                "甲: 2 pairs in a chain, up to 4  4♠ 4♥ 3♦ Rj (Rj as 3)",
                "乙: 2 pairs in a chain, up to 6  5♦ 5♣ 6♦ Bj (Bj as 6) [托管 (trustee)]",
            ),
        ),
    ],
)
def test_a_history_tells_it_behind_the_cards(
    folder: Path, lang: str, lines: tuple[str, ...]
) -> None:
    """In brackets, before whoever played for the player."""
    out = paipu("show", folder / FINE, "--lang", lang).out.splitlines()
    assert [line for line in lines if f"  {line}" not in out] == []


def test_a_play_that_was_not_judged_is_shown_as_logged(folder: Path) -> None:
    """Behind an event that blocks there are the cards, and no reading."""
    out = paipu("show", folder / BLOCKED, "--lang", "zh").out.splitlines()
    assert "  甲: ？  6♠ 6♥ 7♠ 7♥ 小王 大王" in out


def test_a_finding_tells_it_of_both_plays(folder: Path) -> None:
    """In notation, behind the play that fell short and behind the one to be beaten."""
    finding = walked(folder / FLAWED).findings[-1]
    assert finding.rule == "chibi_dagun-9.4"
    laid, lay = f"{EQUAL} (Bj=3)", f"{LEAD} (Rj=3)"
    assert (finding.expected, finding.logged) == (f"> {lay}", laid)
    for sentence in (finding.zh, finding.en):
        assert laid in sentence
        assert lay in sentence


def test_a_reading_that_is_wrong_is_told_beside_those_there_are(folder: Path) -> None:
    """The cards alone are named, for what they were declared to be is what is wrong."""
    finding = walked(folder / FLAWED).findings[0]
    assert finding.rule == "chibi_dagun-5.10"
    assert f"{DECLARED} " in finding.en
    assert "=" not in finding.en
    readings = ("triple_chain", 2, "7"), ("pair_chain", 3, "8"), ("pair_chain", 3, "7")
    said = [text("en", f"play.{kind}", n=n, rank=rank) for kind, n, rank in readings]
    assert " / ".join(said) in finding.en


def test_cards_that_can_be_several_plays_stand_there_once_for_each(folder: Path) -> None:
    """6677 and two jokers: three pairs up to 8 or to 7, or two triples."""
    found = explained(walked(folder / FINE), event_of(folder / FINE, DECLARED), Words("zh", NAMES))
    same = {
        (group.type, each.wilds)
        for group in found.plays
        for each in group.sets
        if ranks_of(parse_cards(each.cards)) == ranks_of(parse_cards(DECLARED))
    }
    assert same == {
        ("type.pair_chain", "Bj=5 Rj=5"),
        ("type.pair_chain", "Bj=8 Rj=8"),
        ("type.triple_chain", "Bj=6 Rj=7"),
    }


def test_every_legal_reading_is_listed_as_the_engine_has_it(folder: Path) -> None:
    """Cards and wild jokers of all plays, declared or not, stand in the groups, and no others."""
    result = walked(folder / FINE)
    for cards in (DECLARED, LEAD, ANSWER):
        step = result.steps[event_of(folder / FINE, cards)]
        assert step.before is not None
        legal = [
            (fact.cards, wilds_of(result.game, step.before, fact))
            for fact in result.game.plays(step.before)
            if isinstance(fact, AnyPlay)
        ]
        found = explained(result, step.index, Words("en", NAMES))
        listed = [each for group in found.plays for each in group.sets]
        assert len(set(legal)) == len(legal)
        assert sorted((each.cards, each.wilds) for each in listed) == sorted(
            (cards_text(cards), wilds_text(cards, wilds)) for cards, wilds in legal
        )


@pytest.mark.parametrize("lang", LANGS)
def test_an_explanation_tells_it_at_every_play(folder: Path, lang: str) -> None:
    """Of what lies there, of what can be laid, of what is asked about, and of what was done."""
    words = Words(lang, NAMES)
    log = folder / FINE
    event = event_of(log, ANSWER)
    found = explained(walked(log), event, words, Act(parse_cards(ANSWER)))
    lead = words.laid(parse_cards(LEAD), [(RED_JOKER, "3")])
    out = explained_text(found, words)
    label = text(lang, "play.pair_chain", n=2, rank="4")
    assert f"{words('cli.explain.table')}: 甲: {label}  {lead}\n" in out
    assert found.table[0].wilds == "Rj=3"
    assert found.obligations == (text(lang, "obligation.beat", play=lead),)
    assert found.asked is not None
    assert (found.asked.act, found.asked.wilds, found.asked.is_legal) == (ANSWER, "Bj=6", True)
    shown = words.cards(parse_cards(ANSWER))
    read = text(lang, "wild.one", card=words.card(BLACK_JOKER), rank="6")
    listed = out.partition(f"    {words('type.pair_chain')} (")[2].splitlines()[0]
    assert words("cli.with", what="", more=read).strip() in listed
    play = words.join([text(lang, "play.pair_chain", n=2, rank="6"), read])
    assert text(lang, "cli.allowed", cards=shown, play=play) in out
    assert found.logged is not None
    assert found.logged.event.endswith(text(lang, "cli.with", what="", more=read).strip())


def test_cards_that_beat_nothing_are_told_with_their_reading(folder: Path) -> None:
    """The question names cards alone: they are read as they would count."""
    event = event_of(folder / FINE, ANSWER)
    ask = ("--event", event, "--hand", 0, "--cards", EQUAL, "--lang", "zh")
    out = paipu("explain", folder / FINE, *ask).out
    assert "不能出：4♦ 4♣ 3♣ 小王（2连对，到4，小王当3）" in out
    assert "须大过：4♠ 4♥ 3♦ 大王（大王当3）" in out


@pytest.mark.parametrize("lang", LANGS)
def test_a_declaration_is_told_as_one(folder: Path, lang: str) -> None:
    """The line of the log names the type and the rank, in words."""
    log = folder / FINE
    event = event_of(log, DECLARED)
    assert isinstance(walked(log).steps[event].event, PlayedAs)
    found = explained(walked(log), event, Words(lang, NAMES))
    assert found.logged is not None
    slots = {"seat": "甲", "kind": text(lang, "type.pair_chain"), "rank": "7"}
    cards = Words(lang).cards(parse_cards(DECLARED))
    assert found.logged.event.startswith(text(lang, "event.played_as", cards=cards, **slots))


# The archive


def test_the_archive_keeps_what_jokers_stand_for(archive: Path) -> None:
    """In the order of the cards; NULL without wild jokers, and behind an event that blocks."""
    sql = """SELECT path.parse_filename(), cards, wilds, declared, kind FROM plays
        JOIN logs USING (log_id) WHERE event < 18 AND cards LIKE '%j%' ORDER BY 1, event"""
    assert rows(archive, sql) == [
        (BLOCKED, DECLARED, None, None, None),
        (BLOCKED, LEAD, None, None, None),
        (BLOCKED, ANSWER, None, None, None),
        (FINE, DECLARED, "55", True, "pair_chain"),
        (FINE, LEAD, "3", False, "pair_chain"),
        (FINE, ANSWER, "6", False, "pair_chain"),
        (FLAWED, DECLARED, "67", True, "triple_chain"),
        (FLAWED, LEAD, "3", False, "pair_chain"),
        (FLAWED, EQUAL, "3", False, "pair_chain"),
    ]
    without = "SELECT count(*) FROM plays WHERE cards NOT LIKE '%j%' AND wilds IS NOT NULL"
    assert rows(archive, without) == [(0,)]
    passes = "SELECT DISTINCT wilds, declared FROM plays WHERE passed AND is_lead IS NOT NULL"
    assert rows(archive, passes) == [(None, False)]


def test_a_play_with_a_declared_reading_counts_as_a_play(archive: Path, folder: Path) -> None:
    """In hands, tricks and plays: who led, how many, and how many cards are left."""
    plays = sum(isinstance(step.event, AnyPlay) for step in walked(folder / FINE).steps)
    hand = f"hand_id IN (SELECT unnest(hand_ids) FROM logs WHERE path LIKE '%{FINE}')"
    assert rows(archive, f"SELECT plays FROM hands WHERE {hand}") == [(plays,)]
    first = f"SELECT leader, winner, plays, passes FROM tricks WHERE trick = 1 AND {hand}"
    assert rows(archive, first) == [(0, 0, 1, 3)]
    lead = f"SELECT is_lead, n_cards, cards_left FROM plays WHERE declared AND {hand}"
    assert rows(archive, lead) == [(True, 6, 21)]


def test_a_named_query_tells_what_jokers_are_used_for(archive: Path) -> None:
    """By type: plays, jokers in them, how many were declared, and how many nothing beat."""
    found = answer(archive, "wild_jokers")
    counted = """SELECT count(*), sum(len(wilds)), sum(declared::INTEGER) FROM plays
        WHERE kind = 'triple_chain' AND wilds IS NOT NULL"""
    ((plays, jokers, declared),) = rows(archive, counted)
    of_kind = [row for row in found if row["kind"] == "triple_chain"]
    assert sum(row["plays"] for row in of_kind) == plays
    assert sum(row["jokers"] for row in of_kind) == jokers
    assert declared >= 1
