"""Findings as the viewer says them: names beside the seats, cards as on the table, one language."""

import re
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from replay.messages import LANGS, keys, text
from replay.reader import Finding, open_reader
from tests.viewer_logs import BLOCKED, FAULTY, HOSTILE, folder_of_logs, ids_in
from webviewer import create_app
from webviewer.findings import pieces_of, told
from webviewer.words import Words, codes

SAMPLES = Path(__file__).parent.parent / "sample_logs"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs behind the pages."""
    return folder_of_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def client(folder: Path) -> FlaskClient:
    """Asks the viewer for pages."""
    return create_app(open_reader(folder)).test_client()


@pytest.fixture(scope="module")
def samples() -> FlaskClient:
    """Asks a viewer of broken logs."""
    return create_app(open_reader(SAMPLES / "chaodipi" / "broken")).test_client()


def finding(zh: str, en: str = "", kind: str = "violation", rule: str = "none-1.1") -> Finding:
    """A finding with this sentence."""
    return Finding(kind, 0, "0" * 16, 1, 0, 0, 3, rule, zh, en, "seat 1", "5d Td", "5d Rj")


def test_seats_have_names_and_cards_are_drawn() -> None:
    """The canonical sentence is cut at every seat and at every run of cards."""
    cut = list(pieces_of("3号位出 5d Td，依据 Bj Rj", Words("zh")))
    assert [piece if isinstance(piece, str) else piece[0] for piece in cut] == [
        *("3号位 ", "s", " ", "出 ", "c", "，依据 ", "c")
    ]
    assert cut[1] == ("s", 3)
    assert Words("zh").cards(codes(str(cut[4][1]))) == "5♦ 10♦"
    assert list(pieces_of("seat 2 led, seat 0", Words("en"))) == [
        *("seat 2 ", ("s", 2), " led, ", "seat 0 ", ("s", 0))
    ]


def test_wild_jokers_are_said_in_words() -> None:
    """What stands in brackets behind the cards of a play is a sentence of the catalogue."""
    *_, last = pieces_of("4s 4h 3d Rj (Rj=3)", Words("zh"))
    assert isinstance(last, str)
    assert "大王当3" in last


@pytest.mark.parametrize("lang", LANGS)
def test_no_sentence_of_the_catalogue_holds_a_card_by_itself(lang: str) -> None:
    """A word that looks like a card would be drawn as one: As, Ad."""
    words = Words(lang)
    for key in keys(lang):
        if key.startswith(("breach.", "finding.", "field.", "value.", "claim.")):
            slots = dict.fromkeys(re.findall(r"\{(\w+)", words.open(key)), "…")
            pieces = list(pieces_of(text(lang, key, **slots), words))
            assert all(isinstance(piece, str) or piece[0] == "s" for piece in pieces), key


def test_bytes_are_quoted_as_they_are() -> None:
    """What a file holds may look like a seat or a card, and is neither."""
    said = told(finding("实为 3号位 5d", kind="format"), Words("zh"))
    assert said.text == ["实为 3号位 5d"]


def test_sides_are_in_the_language_of_the_page() -> None:
    """English words that the Chinese sentence says itself are left out; cards are not."""
    flaw = finding("应为 1号位", "expected seat 1", rule="chaodipi-5.1")
    zh, en = (told(flaw, Words(lang)) for lang in LANGS)
    assert [side for side, _ in zh.sides] == ["logged", "proof"]
    assert [side for side, _ in en.sides] == ["expected", "logged", "proof"]
    assert en.sides[0][1] == ["seat 1 ", ("s", 1)]


def test_a_withheld_finding_is_its_rule_alone() -> None:
    """The words “As many cards” hold no ace of spades."""
    rule = text("en", "rule.gunzi-5.13")
    assert told(finding(rule, rule, rule="gunzi-5.13"), Words("en")).text == [rule]


@pytest.mark.parametrize("lang", LANGS)
def test_pages_say_findings_with_names_and_signs(
    client: FlaskClient, folder: Path, lang: str
) -> None:
    """The list of the hand page, the report of the log and the sheet for print."""
    hand = ids_in(folder / FAULTY)[BLOCKED]
    log = re.search(r"/log/(\w+)", client.get(f"/hand/{hand}").text)
    assert log is not None
    for path in (f"/hand/{hand}", f"/log/{log[1]}", f"/hand/{hand}/print"):
        page = client.get(f"{path}?lang={lang}").text
        assert HOSTILE not in page
        seat = r"\d号位 " if lang == "zh" else r"seat \d "
        assert re.search(rf"{seat}<bdi>", page), path
        said = " ".join(re.findall(r"(?s)号位 <bdi>.*?</(?:p|td)>", page))
        assert not re.search(r"\b[3-9TJQKA2][dchs]\b", unescape(said)), path


def test_files_keep_the_canonical_notation(client: FlaskClient, folder: Path) -> None:
    """CSV is for programs: cards and seats as the reports have them."""
    hand = ids_in(folder / FAULTY)[BLOCKED]
    log = re.search(r"/log/(\w+)", client.get(f"/hand/{hand}").text)
    assert log is not None
    table = client.get(f"/log/{log[1]}/findings.csv").text
    assert re.search(r"\b[3-9TJQKA2][dchs] [3-9TJQKA2][dchs]\b", table)
    assert "♦" not in table


@pytest.mark.parametrize("lang", LANGS)
def test_the_report_has_its_proof_before_the_facts(
    client: FlaskClient, folder: Path, lang: str
) -> None:
    """Verdict, the way on, findings, hands, and then what the file is."""
    hand = ids_in(folder / FAULTY)[BLOCKED]
    log = re.search(r"/log/(\w+)", client.get(f"/hand/{hand}").text)
    assert log is not None
    page = client.get(f"/log/{log[1]}?lang={lang}").text
    order = ['class="verdict', 'class="verdict-link"', 'id="findings"', 'id="hands"', "columns"]
    places = [page.index(each) for each in order]
    assert places == sorted(places)
    assert text(lang, "view.report.first_finding") in page
    assert 'href="#hands"' in page


@pytest.mark.parametrize("lang", LANGS)
def test_the_report_of_one_hand_opens_it(lang: str) -> None:
    """One hand: one link beside the verdict, to its finding if it has one."""
    log = SAMPLES / "dagong" / "clean" / "bang.paipu.jsonl"
    asked = create_app(open_reader(log)).test_client()
    (hand,) = ids_in(log)
    found = re.search(r"/log/(\w+)", asked.get(f"/hand/{hand}").text)
    assert found is not None
    page = asked.get(f"/log/{found[1]}?lang={lang}").text
    assert f'class="verdict-link" href="/hand/{hand}?lang={lang}"' in page
    assert text(lang, "view.report.open_hand") in page


@pytest.mark.parametrize("lang", LANGS)
def test_errors_have_sentences_of_our_own(client: FlaskClient, lang: str) -> None:
    """No page of an error shows what the library says, in a language of its own."""
    page = client.get(f"/nope?lang={lang}")
    assert page.status_code == 404
    assert text(lang, "view.status.404") in unescape(page.text)
    assert "URL" not in page.text


@pytest.mark.parametrize("status", [400, 403, 404, 405, 410, 411, 413, 414, 500, 501, 503])
def test_every_status_has_its_sentence(status: int) -> None:
    """Whatever an exception brings, there are words for it."""
    assert f"view.status.{status}" in keys("zh") & keys("en")


def test_what_the_head_says_is_in_words(client: FlaskClient, folder: Path) -> None:
    """The form and how much is claimed, on the page of the hand and on the report."""
    hand = ids_in(folder / FAULTY)[BLOCKED]
    page = client.get(f"/hand/{hand}?lang=zh").text
    assert f"<dd>{text('zh', 'view.form.sealed')}</dd>" in page
    assert f"<dd>{text('zh', 'view.about.claims_level.full')}</dd>" in page
