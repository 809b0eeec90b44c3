"""Logs of several games in one collection: listed together, told apart, each with its own rules."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from replay.commands.games import game_called, games
from replay.engine.registry import game_named, game_names
from replay.messages import LANGS, text
from replay.players.player import KITS
from replay.reader import HandQuery, LogQuery, Reader, open_reader
from tests import chaodipi_hand, gunzi_hand
from tests.archives import indexed, rows
from tests.shelled import paipu
from tests.viewer_logs import CLEAN, FAULTY, JUNK, folder_of_logs
from tests.wild_logs import BLOCKED, FINE, FLAWED, folder_of_wilds
from webviewer import create_app

DAGONG, CHIBI, CHAODIPI, GUNZI = "dagong", "chibi_dagun", "chaodipi", "gunzi"
SHOWN, OWED = "shown.paipu", "owed.paipu"
LOGS = {DAGONG: [CLEAN, FAULTY], CHIBI: [BLOCKED, FINE, FLAWED], CHAODIPI: [SHOWN], GUNZI: [OWED]}
ALL_LOGS = [name for logs in LOGS.values() for name in logs]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of every game, and a file that is no log."""
    place = folder_of_wilds(folder_of_logs(tmp_path_factory.mktemp("logs")))
    (place / SHOWN).write_bytes(chaodipi_hand.log())
    (place / OWED).write_bytes(gunzi_hand.log("jokers"))
    return place


@pytest.fixture(scope="module")
def archive(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of them."""
    path = tmp_path_factory.mktemp("archive") / "a"
    indexed(path, folder)
    return path


@pytest.fixture(scope="module")
def readers(folder: Path, archive: Path) -> tuple[Reader, Reader]:
    """The same logs read as files, all of them, and through an archive."""
    files = open_reader(folder)
    while files.hands(HandQuery()).scanned < len(list(folder.iterdir())):
        pass
    return files, open_reader(archive)


@pytest.fixture(scope="module")
def client(readers: tuple[Reader, Reader]) -> FlaskClient:
    """Asks the viewer for pages."""
    return create_app(readers[0]).test_client()


def test_hands_are_told_apart_by_their_game(readers: tuple[Reader, Reader]) -> None:
    """Each hand has its log's game; a query for one game finds its hands alone."""
    for reader in readers:
        every = reader.hands(HandQuery(size=200))
        assert set(reader.games()) == set(LOGS)
        counted = {count.value: count.n for count in every.games}
        for game, logs in LOGS.items():
            found = reader.hands(HandQuery(game=game, size=200))
            assert {row.log_name for row in found.rows} == set(logs)
            assert {row.game for row in found.rows} == {game}
            assert counted[game] == found.total
        assert every.total == sum(counted.values())


def test_logs_are_told_apart_by_their_game(readers: tuple[Reader, Reader]) -> None:
    """All of them, what is no log included, or those of one game; the counts stay."""
    for reader in readers:
        every = reader.logs(1)
        assert {count.value: count.n for count in every.games} == {
            game: len(logs) for game, logs in LOGS.items()
        }
        names = {Path(row.name).name for row in every.rows}
        assert names == {JUNK, *ALL_LOGS}
        for game, logs in LOGS.items():
            found = reader.logs(1, LogQuery(game=game))
            assert ([row.name for row in found.rows], found.total) == (logs, len(logs))
            assert found.games == every.games
        assert reader.logs(1, LogQuery(game="whist")).rows == ()


@pytest.mark.parametrize("lang", LANGS)
def test_lists_offer_a_game_to_choose(client: FlaskClient, lang: str) -> None:
    """A link a game, by its name; chosen, it is marked, and leads back to all."""
    for address, rows_of in (("/", 7), ("/logs", 2)):
        name = text(lang, f"game.{DAGONG}")
        page = client.get(address, query_string={"lang": lang}).text
        link = re.search(rf'<a class="facet "\s+href="([^"]+)">{re.escape(name)} <b>\d+</b>', page)
        assert link is not None
        chosen = client.get(link[1].replace("&amp;", "&")).text
        assert re.search(
            rf'<a class="facet on"( aria-current=true)? href="{re.escape(address)}\?[^"]*">'
            rf"{re.escape(name)} <b>",
            chosen,
        )
        assert chosen.count('class="hand-link"') == rows_of


@pytest.mark.parametrize("game", game_names())
def test_every_game_has_its_page_of_rules(client: FlaskClient, game: str) -> None:
    """All of its rules in the book's order, whatever logs there are; every page has the link."""
    page = client.get(f"/rules/{game}?lang=en").text
    assert re.findall(r'<article class="rule" id="([^"]+)"', page) == [
        rule.id for rule in game_named(game).rules
    ]
    assert f'href="/rules/{game}"' in client.get("/logs").text


def test_a_page_about_one_game_links_its_rules_first(
    client: FlaskClient, readers: tuple[Reader, Reader]
) -> None:
    """In the header stands its own game; the menu has all."""
    for row in readers[0].hands(HandQuery(size=200)).rows:
        page = client.get(f"/hand/{row.hand_id}").text
        header, _, menu = page.partition('<details class="menu"')
        assert set(re.findall(r'href="/rules/(\w+)"', header)) == {row.game}
        assert set(re.findall(r'href="/rules/(\w+)"', menu.partition("</nav>")[0])) == set(LOGS)


def test_an_archive_holds_every_game(archive: Path) -> None:
    """Every hand and log by the name of its game."""
    found = rows(archive, "SELECT game, count(DISTINCT log_id) FROM hands GROUP BY 1 ORDER BY 1")
    assert found == [(CHAODIPI, 1), (CHIBI, 3), (DAGONG, 2), (GUNZI, 1)]
    kinds = "SELECT DISTINCT game FROM plays JOIN hands USING (hand_id) WHERE kind = 'triple'"
    assert rows(archive, kinds) == [(CHIBI,)]


def test_commands_know_every_game_by_all_its_names() -> None:
    """As logs call it, in Chinese, in English; each has a book and somebody who plays it."""
    assert [game.name for game in games()] == list(game_names())
    for game in games():
        assert {game_called(name) for name in (game.name, game.zh, game.en)} == {game.name}
        assert paipu("rules", game.zh, "--json").json[0]["id"].startswith(f"{game.name}-")
    assert set(KITS) == set(game_names())
    assert [line.split()[0] for line in paipu("rules").out.splitlines()] == list(game_names())


@pytest.mark.parametrize("lang", LANGS)
def test_reports_on_all_games_stand_beside_one_another(folder: Path, lang: str) -> None:
    """One verdict a file, with the findings of its game."""
    out = paipu("verify", folder, "--lang", lang).out
    for name in (*ALL_LOGS, JUNK):
        assert f"{folder / name}: " in out
    assert "chibi_dagun-5.10 [" in out
    assert "dagong-1.4 [" in out
