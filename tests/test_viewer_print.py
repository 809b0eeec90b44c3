"""The sheet of one hand: it says what was played, in both languages, without scripts."""

import re
from collections import Counter
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from replay.engine.registry import game_names
from replay.messages import LANGS, text
from replay.reader import HandPage, HandQuery, open_reader
from tests.viewer_logs import BLOCKED, CLEAN, CLOSING, FAULTY, HOSTILE, folder_of_logs, ids_in
from webviewer import create_app
from webviewer.printing import JOKERS, SIGNS, Paper, paper
from webviewer.views.codes import Place, code_of
from webviewer.views.printed import DENSITIES
from webviewer.words import Words

SAMPLES = Path(__file__).parent.parent / "sample_logs"
MATCH = "clean/match-greedy.paipu"
RANKS = {"10": 7, "J": 8, "Q": 9, "K": 10, "A": 11, "2": 12} | {str(n): n - 3 for n in range(3, 10)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs behind the pages."""
    return folder_of_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def client(folder: Path) -> FlaskClient:
    """Asks the viewer for pages."""
    return create_app(open_reader(folder)).test_client()


def sheets(game: str) -> list[tuple[HandPage, Paper]]:
    """The hands of a sample match with their sheets."""
    reader = open_reader(SAMPLES / game / MATCH)
    pages = [reader.hand(row.hand_id, None) for row in reader.hands(HandQuery(size=6)).rows]
    return [(page, paper(page, Words("zh"))) for page in pages]


def codes(line: str) -> Counter[int]:
    """The cards that a line of the sheet says."""
    jokers = {text("zh", key): code for code, key in JOKERS.items()}
    found: Counter[int] = Counter()
    for word in line.split():
        if word in jokers:
            found[jokers[word]] += 1
            continue
        rank = word.rstrip(SIGNS)
        found.update(RANKS[rank] * 4 + SIGNS.index(sign) for sign in word[len(rank) :])
    return found


@pytest.mark.parametrize("game", game_names())
def test_every_trick_is_a_row_with_all_that_was_laid(game: str) -> None:
    """Of every seat the cards in each trick, and where the claims tell it, who won it."""
    for page, sheet in sheets(game):
        laid: dict[tuple[int, int], Counter[int]] = {}
        won: dict[int, int | None] = {}
        for moment in page.moments:
            if moment.kind.startswith("played") and moment.seat is not None:
                cards = Counter(moment.cards)
                laid.setdefault((moment.trick, moment.seat), Counter()).update(cards)
            if moment.kind == "trick_won":
                won[moment.trick] = moment.seat
        told: dict[tuple[int, int], Counter[int]] = {}
        for row in sheet.rows:
            for seat, entry in (pair for loop in row.loops for pair in enumerate(loop)):
                if entry is not None:
                    told.setdefault((row.number, seat), Counter()).update(codes(entry.cards))
        threw = {row.number for row in sheet.rows if row.loops[0][row.leader].remark}  # type: ignore[union-attr]
        assert {k: v for k, v in told.items() if v and k[0] not in threw} == {
            key: cards for key, cards in laid.items() if key[0] not in threw
        }
        assert {row.number: row.winner for row in sheet.rows if row.number in won} == won
        assert len(won) > 5


@pytest.mark.parametrize("game", game_names())
def test_the_winner_is_known_without_claims(game: str) -> None:
    """A log without claims has the same winners: they follow from the table."""
    reader = open_reader(SAMPLES / game / "clean" / "claims-none.paipu.jsonl")
    for row in reader.hands(HandQuery()).rows:
        sheet = paper(reader.hand(row.hand_id, None), Words("zh"))
        winners = [trick.winner for trick in sheet.rows[:-1]]
        assert None not in winners
        assert len(winners) > 5


@pytest.mark.parametrize("game", game_names())
def test_the_points_of_the_tricks_are_those_captured(game: str) -> None:
    """Summed over all tricks they are what the seats have at the end of the last one."""
    for _, sheet in sheets(game):
        points = [row.points for row in sheet.rows]
        assert sheet.end is not None
        held = [view.points for view in sheet.end.seats]
        if held[0] is None:
            assert set(points) <= {None, 0}
        else:
            assert sum(p or 0 for p in points) == sum(h or 0 for h in held)


@pytest.mark.parametrize("game", game_names())
def test_the_deals_are_whole_and_big_to_small(game: str) -> None:
    """As many cards as were dealt; the trumps first where there are any."""
    for _, sheet in sheets(game):
        assert sheet.start is not None
        for view, groups in zip(sheet.start.seats, sheet.deals, strict=True):
            line = " ".join(groups)
            assert line
            if sheet.start.trump is None and sheet.start.order is None:
                assert codes(line) == Counter(view.cards)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("log", [CLEAN, FAULTY])
def test_a_sheet_needs_no_script(client: FlaskClient, folder: Path, lang: str, log: str) -> None:
    """Every hand has its sheet, faulty ones too; names stay text, suits are told by signs."""
    for hand in ids_in(folder / log):
        answer = client.get(f"/hand/{hand}/print?lang={lang}")
        assert answer.status_code == 200
        assert re.findall("<script[^>]*>(?!</script>)", answer.text) == []
        assert 'id="print-now" hidden' in answer.text
        assert " style=" not in answer.text
        assert HOSTILE not in answer.text
        assert CLOSING not in answer.text
        assert "⟨" not in answer.text
        assert f"http://localhost/hand/{hand}" in answer.text
        assert text(lang, "view.print.legend")[:3] in answer.text


def test_findings_stand_on_the_sheet_with_their_rule(client: FlaskClient, folder: Path) -> None:
    """The rule's id beside what is wrong."""
    page = client.get(f"/hand/{ids_in(folder / FAULTY)[1]}/print?lang=en").text
    assert re.search(r"<code>dagong-[\d.]+</code>", page)


def held(groups: tuple[str, ...]) -> Counter[int]:
    """The cards of a holding as the sheet writes it: in a line, or the trumps and each suit."""
    found: Counter[int] = Counter()
    for group in groups:
        head, _, rest = group.partition(" ")
        if head in SIGNS:
            found.update(RANKS[rank] * 4 + SIGNS.index(head) for rank in rest.split())
        else:
            found += codes(rest if head == text("zh", "view.print.trumps") else group)
    return found


def cards_in(page: HandPage) -> set[str]:
    """Every run of cards that a sentence of the hand tells, as the sheet writes it."""
    words = Words("zh")
    return {
        " ".join(face["text"] for face in words.faces(value))
        for moment in page.moments
        for _, value in moment.label.slots
        if isinstance(value, bytes) and len(value) > 1
    }


@pytest.mark.parametrize("eye", range(4))
@pytest.mark.parametrize("game", game_names())
def test_the_sheet_of_an_eye_has_what_that_seat_saw(game: str, eye: int) -> None:
    """Its own deal, what the others played, bottoms that the tables of that seat show; no more."""
    reader = open_reader(SAMPLES / game / MATCH)
    client = create_app(reader).test_client()
    for full, everything in sheets(game):
        page = reader.hand(full.row.hand_id, eye)
        sheet = paper(page, Words("zh"))
        told = re.sub(r"\s+", " ", re.sub("<[^>]+>", "", printed_by(client, page)))
        for seat in range(4):
            if seat == eye:
                assert sheet.deals[seat] == everything.deals[seat]
                continue
            laid: Counter[int] = Counter()
            for row in everything.rows:
                for entry in (loop[seat] for loop in row.loops):
                    laid += codes(entry.cards) if entry else Counter()
            assert held(sheet.deals[seat]) == laid
            line = " ".join(everything.deals[seat])
            assert (line in told) == (sheet.deals[seat] == everything.deals[seat])
        tables = [moment.board.bottom for moment in page.moments if moment.board is not None]
        seen = [sorted(bottom.cards) for bottom in tables if bottom and bottom.cards]
        for bottom, line in everything.bottoms:
            assert (line in told) == (sorted(bottom.cards or b"") in seen)
        for cards in cards_in(full) - cards_in(page):
            assert cards not in told


def printed_by(client: FlaskClient, page: HandPage) -> str:
    """The sheet of a page's eye, in Chinese."""
    return client.get(f"/hand/{page.row.hand_id}/print?lang=zh&eye={page.eye}").text


def test_the_sheet_of_an_eye_leads_back_to_that_view(client: FlaskClient, folder: Path) -> None:
    """Its links, its address and its code open the hand as hidden as the sheet; so does the other
    language, and an eye that is none opens nothing.
    """
    hand = ids_in(folder / CLEAN)[0]
    answer = client.get(f"/hand/{hand}/print?lang=en&eye=2")
    assert f'href="/hand/{hand}?lang=en#/2:h"' in answer.text
    assert f"http://localhost/hand/{hand}#/2:h" in answer.text
    assert code_of(Place(hand[:10], 1, 2, is_hidden=True)) in answer.text
    assert f"/hand/{hand}/print?eye=2&amp;lang=zh" in answer.text
    for wrong in ("4", "-1", "x", "", "٢"):
        for asked in ("print", "steps.json", "charts.json"):
            assert client.get(f"/hand/{hand}/{asked}?eye={wrong}").status_code == 404


def test_a_hand_that_is_not_there_has_no_sheet(client: FlaskClient) -> None:
    """Not found, in words."""
    assert client.get("/hand/nothing/print").status_code == 404


def test_no_type_is_smaller_than_can_be_read() -> None:
    """The style sheet has a size for every density, none below 6.5 pt."""
    css = (Path(__file__).parents[1] / "webviewer/static/css/print.css").read_text("utf-8")
    for tight in DENSITIES:
        found = re.search(rf"\.{tight.name} {{ font-size: ([\d.]+)pt", css)
        assert found is not None
        assert float(found[1]) >= 6.5


@pytest.mark.parametrize("lang", LANGS)
def test_the_sheet_is_evidence(client: FlaskClient, folder: Path, lang: str) -> None:
    """The log's whole name, the act marked in its cell, the finding with its rule's sentence."""
    page = client.get(f"/hand/{ids_in(folder / FAULTY)[BLOCKED]}/print?lang={lang}").text
    assert f'<p class="log-name"><bdi>{FAULTY}</bdi></p>' in page
    assert re.search(r"<td[^>]*>▲", page)
    assert text(lang, "rule.dagong-1.4")[:12] in page
    told = page[page.index('<section class="findings"') :]
    assert text(lang, "view.js.logged") in told


def test_a_hand_alone_names_its_file_once(folder: Path) -> None:
    """Where the collection is the log itself, as of one that is dropped."""
    asked = create_app(open_reader(folder / FAULTY)).test_client()
    page = asked.get(f"/hand/{ids_in(folder / FAULTY)[0]}").text
    crumbs = page[page.index('class="crumbs"') : page.index('class="places"')]
    assert crumbs.count(FAULTY) == 1
