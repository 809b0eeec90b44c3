"""`paipu info` and `rules`: what a log says of itself, and what the book says."""

from pathlib import Path

import pytest
from msgspec.structs import asdict

from replay.commands.rules import options_by_rule, rules
from replay.engine.dagong.rules import R
from replay.engine.registry import game_names
from replay.messages import text
from schema.items import Hand
from schema.logfile import open_log
from tests.shelled import (
    BAD_HEAD,
    BROKEN,
    CLEAN,
    IN_PROGRESS,
    MATCH,
    PARTS,
    TEXT,
    TORN,
    paipu,
)

GAP = BROKEN / "format.recovered--gap-stated.paipu"


@pytest.mark.parametrize("log", [MATCH, TEXT, IN_PROGRESS, PARTS[1]], ids=lambda log: log.stem)
def test_info_says_what_head_and_hands_say(log: Path) -> None:
    """Every field of HEAD, the counts, the last leaf."""
    found = paipu("info", log, "--json").json
    with log.open("rb") as stream:
        opened = open_log(stream)
        head = opened.head
        hands = [i for i in opened.items() if isinstance(i, Hand) and i.committed]
    assert found["path"] == str(log)
    assert found["size"] == log.stat().st_size
    assert found["form"] == opened.form
    assert found["file_id"] == head.file_id.hex()
    assert found["previous"] == head.previous.hex()
    assert found["options"] == asdict(head.options)
    assert [player["name"] for player in found["players"]] == ["甲", "乙", "丙", "丁"]
    assert found["hands"] == len(hands)
    assert found["events"] == sum(len(hand.events) for hand in hands)
    assert found["last_leaf"] == hands[-1].leaf.hex()
    assert found["in_progress"] == (1 if log == IN_PROGRESS else None)
    assert (found["unproven"] == []) is (opened.form == "sealed")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_info_is_said_for_people(lang: str) -> None:
    """House rules with what they mean, leaves, and what a live file cannot prove."""
    out = paipu("info", IN_PROGRESS, "--lang", lang).out
    for said in (
        text(lang, "game.dagong"),
        text(lang, "cli.form.live"),
        text(lang, "option.call_rule.first_dealt"),
        text(lang, "cli.info.in_progress", n=1),
        text(lang, "unchecked.cut_at_hand_border"),
        "2026-01-01",
    ):
        assert said in out
    sealed = paipu("info", MATCH, "--lang", lang).out
    assert text(lang, "unchecked.cut_at_hand_border") not in sealed


def test_info_describes_damage_without_judging_it() -> None:
    """Status 0; what is wrong with the bytes and what the log says was lost is listed."""
    torn, gap = paipu("info", TORN), paipu("info", GAP)
    assert (torn.status, gap.status) == (0, 0)
    assert text("en", "cli.info.damage", n=1) in torn.out
    assert "the file breaks off at byte" in torn.out
    (stated,) = paipu("info", GAP, "--json").json["gaps"]
    assert f"{stated['bytes_lost']} bytes and {stated['hands_lost']} hands are lost" in gap.out
    assert paipu("info", TORN, "--json").json["damage"][0]["fault"] == "torn_tail"


def test_info_lists_the_hands_of_a_file_with_a_bad_head() -> None:
    """No verdict is possible, but they are there."""
    done = paipu("info", BAD_HEAD)
    assert done.status == 2
    assert "hand 1: byte " in done.out
    assert done.err.startswith(f"paipu: {BAD_HEAD}: HEAD cannot be read")


def test_info_reads_standard_input() -> None:
    """The same but for the name."""
    piped = paipu("info", "-", "--json", stdin=MATCH.read_bytes()).json
    assert piped == paipu("info", MATCH, "--json").json | {"path": "-"}


def test_info_takes_one_log() -> None:
    """A folder is no log."""
    done = paipu("info", CLEAN)
    assert (done.status, done.err) == (
        2,
        f"paipu: {text('en', 'cli.problem.one_log', path=CLEAN)}\n",
    )


# The book


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_rule_is_listed_in_its_section(lang: str) -> None:
    """In the book's order, with its class and its sentence."""
    out = paipu("rules", "dagong", "--lang", lang).out
    places = [out.index(f"  {rule.id} ") for rule in R]
    assert places == sorted(places)
    for rule in R:
        assert text(lang, f"rule.{rule.id}") in out
    assert out.startswith(text(lang, "section.dagong-1") + "\n")


def test_without_a_game_the_games_are_listed() -> None:
    """By the name that commands take, and the name that people say."""
    listed = [paipu("rules", "--lang", lang) for lang in ("zh", "en")]
    assert [done.status for done in listed] == [0, 0]
    zh, en = (done.out.splitlines() for done in listed)
    assert (zh[0].split(maxsplit=1), en[0].split(maxsplit=1)) == (
        ["dagong", "打拱"],
        ["dagong", "打拱 (Dagong)"],
    )
    told = paipu("rules", "--json").json
    assert told[0] == {"name": "dagong", "zh": "打拱", "en": "打拱 (Dagong)"}
    assert [game["name"] for game in told] == list(game_names())
    assert [line.split()[0] for line in zh] == [line.split()[0] for line in en] == [*game_names()]


def test_a_game_is_known_by_its_chinese_name() -> None:
    """For the whole book and for one rule; capitals do not matter."""
    for told in ("打拱", "Dagong"):
        assert paipu("rules", told) == paipu("rules", "dagong")
        assert paipu("rules", told, "6.6") == paipu("rules", "dagong", "6.6")


def test_one_rule_is_told_with_its_source_and_its_options() -> None:
    """By its id, with or without the game's name."""
    told = paipu("rules", "dagong", "dagong-6.6", "--lang", "zh")
    assert told.status == 0
    for said in ("rule.dagong-6.6", "source.dagong-6.6", "rule_class.definition"):
        assert text("zh", said) in told.out
    assert "pass_binds（" + text("zh", "option.pass_binds") in told.out
    assert paipu("rules", "dagong", "6.6", "--lang", "zh") == told


def test_rules_as_json_are_all_that_is_known() -> None:
    """Both languages, class, section, source and options; one rule is one object."""
    every = paipu("rules", "dagong", "--json").json
    assert [rule["id"] for rule in every] == [rule.id for rule in R]
    assert [rule["kind"] for rule in every] == [rule.kind.value for rule in R]
    assert all(rule["zh"] and rule["en"] and rule["source"] for rule in every)
    assert paipu("rules", "dagong", "5.1", "--json").json in every


def test_every_house_rule_changes_some_rule() -> None:
    """The options that stand with the rules are those of the table, all of them."""
    found = options_by_rule("dagong")
    with TEXT.open("rb") as stream:
        options = set(asdict(open_log(stream).head.options))
    assert {option for some in found.values() for option in some} == options
    assert set(found) <= {rule.id for rule in rules("dagong")}
    assert found["dagong-8.13"] == ("bang_fan",)
    assert "call_rule" in found["dagong-3.2"]


@pytest.mark.parametrize(("words", "said"), [(["doudizhu"], "dagong"), (["dagong", "9.9"], "9.9")])
def test_a_game_or_rule_that_is_not_known_is_said(words: list[str], said: str) -> None:
    """With what there is."""
    done = paipu("rules", *words)
    assert done.status == 2
    assert said in done.err
