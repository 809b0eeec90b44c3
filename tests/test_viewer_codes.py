"""Replay codes: what they say, which mistakes they catch, and the pages that they open."""

from itertools import combinations
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from replay.messages import LANGS, text
from replay.reader import Reader, open_reader
from tests.archives import indexed
from tests.viewer_logs import CLEAN, FAULTY, folder_of_logs, ids_in
from webviewer import create_app
from webviewer.views.codes import ALPHABET, Place, checksum, code_of, read

PLACES = (
    Place("0000000000", 1),
    Place("9c0b3a41fe", 57, 2, is_hidden=True),
    Place("ffffffffff", 1023, 3, is_hidden=True, is_spoiler_free=True),
    Place("0123456789", 1024, 1, is_spoiler_free=True),
    Place("abcdef0123", 32767),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs behind the codes."""
    return folder_of_logs(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module", params=["logs", "archive"])
def reader(
    request: pytest.FixtureRequest, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Reader:
    """Both readers, over the same hands."""
    if request.param == "logs":
        return open_reader(folder)
    path = tmp_path_factory.mktemp("archive") / "archive"
    indexed(path, folder)
    return open_reader(path)


@pytest.fixture
def client(reader: Reader) -> FlaskClient:
    """Asks the viewer for pages."""
    return create_app(reader).test_client()


@pytest.fixture(scope="module")
def hand(folder: Path) -> str:
    """A hand's id."""
    return ids_in(folder / FAULTY)[2]


def bare(place: Place) -> str:
    """A code without its hyphens."""
    return code_of(place).replace("-", "")


@pytest.mark.parametrize("place", PLACES, ids=code_of)
def test_a_code_says_the_place_again(place: Place) -> None:
    """Whatever is put in comes out, in twelve characters or, late in a long hand, thirteen."""
    code = code_of(place)
    assert read(code) == place
    assert len(bare(place)) == (12 if place.event < 1024 else 13)
    assert [len(group) for group in code.split("-")][:3] == [4, 4, 4]


@pytest.mark.parametrize("place", PLACES, ids=code_of)
def test_every_single_wrong_character_is_caught(place: Place) -> None:
    """At each place of a code, each of the 31 other characters is told to be wrong."""
    code = bare(place)
    for at, right in enumerate(code):
        for letter in set(ALPHABET) - {right}:
            wrong = code[:at] + letter + code[at + 1 :]
            groups = [wrong[start : start + 4] for start in range(0, len(wrong), 4)]
            for typed in (wrong, "-".join(groups), " ".join(groups), f"「{'-'.join(groups)}」 a"):
                assert read(typed) == "wrong", typed


def test_every_swap_of_two_characters_is_caught() -> None:
    """Two places of a code, any two: with each pair of different values there, a swap is wrong.

    The sum is linear, so that what stands elsewhere makes no difference.
    """
    for length in (12, 13):
        for one, other in combinations(range(length), 2):
            for values in combinations(range(32), 2):
                changed = [0] * length
                changed[one] = changed[other] = values[0] ^ values[1]
                assert checksum(changed) != 0
    for place in PLACES:
        code = bare(place)
        for one, other in combinations(range(len(code)), 2):
            if code[one] != code[other]:
                swapped = list(code)
                swapped[one], swapped[other] = swapped[other], swapped[one]
                assert read("".join(swapped)) == "wrong"


def test_a_code_is_read_as_people_write_it() -> None:
    """Lower case, O for 0, I and L for 1, hyphens and blanks anywhere or nowhere."""
    place = Place("0000000001", 1, 0)
    code = code_of(place)
    assert {"0", "1"} <= set(code)
    for typed in (
        code.lower(),
        code.replace("-", ""),
        code.replace("-", " "),
        f" {code} ",
        code.replace("0", "O"),
        code.replace("0", "o").replace("1", "l"),
        code.replace("1", "I"),
    ):
        assert read(typed) == place


@pytest.mark.parametrize("event", [57, 1500])
def test_a_code_is_found_in_what_was_copied(event: int) -> None:
    """With its name, in full width, between words, over lines: as clients of chats copy it."""
    for seat in range(4):
        place = Place("f90fd0a1b2", event, seat)
        code = code_of(place)
        wide = "".join(chr(ord(letter) + 0xFEE0) for letter in code)
        for copied in (
            f"回放码:{code}",
            f"回放码：{code}",
            f"回放码 ： {code.lower()} ，快看！",
            f"【甲】看第 3 局：{code} 打得好 a",
            f"look at this hand {code}, please",
            wide,
            code.replace("-", "–"),
            code.replace("-", "\u200b-"),
            f"回放码\n{code}\n",
            f"「{code.replace('-', '')}」",
        ):
            assert read(copied) == place, copied


@pytest.mark.parametrize(
    "typed", ["", "57", "0123456789abcdef", "UUUU-UUUU-UUUU", "回放码", "a" * 14]
)
def test_what_is_no_code_is_told_from_a_wrong_one(typed: str) -> None:
    """Another length, or a character that no code has."""
    assert read(typed) == "no_code"


def test_a_code_of_no_event_is_wrong() -> None:
    """Events count from 1: twelve zeros have a right sum, and yet mean nothing."""
    assert checksum([0] * 12) == 0
    assert read("0000-0000-0000") == "wrong"


def test_a_reader_finds_hands_by_their_first_digits(reader: Reader, folder: Path) -> None:
    """Each hand by its first ten digits; all of them by none; nothing where none begins so."""
    every = sorted(hand for name in (CLEAN, FAULTY) for hand in ids_in(folder / name))
    for hand in every:
        assert reader.hands_with(hand[:10]) == (hand,)
    assert reader.hands_with("") == tuple(every)
    assert reader.hands_with("0123456789") == ()


def test_a_code_opens_its_place(client: FlaskClient, hand: str) -> None:
    """It leads to the hand with event, seat and flags behind, in the language asked for."""
    code = code_of(Place(hand[:10], 57, 2, is_hidden=True, is_spoiler_free=True))
    answer = client.get(f"/code/{code.lower()}?lang=en")
    assert answer.status_code == 302
    assert answer.location == f"/hand/{hand}?lang=en#57/2:hs"
    assert client.get(f"/code/{code}").location == f"/hand/{hand}#57/2:hs"


def test_the_search_of_the_list_opens_a_code(client: FlaskClient, hand: str) -> None:
    """What is typed as a code goes to its hand; a word that no hand has is searched for."""
    code = code_of(Place(hand[:10], 9, 1))
    answer = client.get("/", query_string={"q": f" {code} ", "lang": "zh"})
    assert (answer.status_code, answer.location) == (302, f"/hand/{hand}?lang=zh#9/1")
    unknown = code_of(Place("0123456789", 9))
    assert client.get("/", query_string={"q": unknown}).status_code == 200


@pytest.mark.parametrize("lang", LANGS)
def test_the_search_says_why_a_code_opens_nothing(
    client: FlaskClient, hand: str, lang: str
) -> None:
    """The sentence of the page for codes, where the list is empty; other words have none."""
    right = code_of(Place(hand[:10], 1))
    wrong = right[:-1] + ALPHABET[ALPHABET.index(right[-1]) ^ 1]
    unknown = code_of(Place("0123456789", 1))
    asked = {
        wrong: text(lang, "view.code.wrong", code=wrong),
        f"回放码：{wrong}": text(lang, "view.code.wrong", code=f"回放码：{wrong}"),
        "回放码 12": text(lang, "view.code.no_code", code="回放码 12"),
        unknown: text(lang, "view.error.no_code"),
    }
    for typed, said in asked.items():
        page = client.get("/", query_string={"q": typed, "lang": lang}).text
        assert f'<p class="notice bad" role="alert">{said}</p>' in page
    for typed in ("nothing-there", "0123456789ab", "2025-03-01-table-12", "Lückenbüßer"):
        page = client.get("/", query_string={"q": typed, "lang": lang}).text
        assert "notice bad" not in page


@pytest.mark.parametrize("lang", LANGS)
def test_a_code_that_opens_nothing_says_why(client: FlaskClient, hand: str, lang: str) -> None:
    """No such hand: 404; a character wrong, or no code at all: 400, each in words."""
    unknown = code_of(Place("0123456789", 1))
    page = client.get(f"/code/{unknown}", query_string={"lang": lang})
    assert page.status_code == 404
    assert text(lang, "view.error.no_code") in page.text
    assert f"<code>{unknown}</code>" in page.text
    right = bare(Place(hand[:10], 1))
    wrong = right[:-1] + ALPHABET[ALPHABET.index(right[-1]) ^ 1]
    for typed, said in ((wrong, "view.code.wrong"), ("12", "view.code.no_code")):
        page = client.get(f"/code/{typed}", query_string={"lang": lang})
        assert page.status_code == 400
        assert text(lang, said, code=typed) in page.text


class _Twins:
    """A reader that finds two hands for whatever code: no two real ones begin alike."""

    def __init__(self, reader: Reader, hands: tuple[str, ...]) -> None:
        self._reader, self._hands = reader, hands

    def __getattr__(self, name: str) -> object:
        return getattr(self._reader, name)

    def hands_with(self, prefix: str) -> tuple[str, ...]:
        """Both."""
        return self._hands


def test_a_code_of_several_hands_lists_them(reader: Reader, folder: Path) -> None:
    """Each is a link to the same place in it."""
    hands = tuple(ids_in(folder / FAULTY)[:2])
    client = create_app(_Twins(reader, hands)).test_client()  # type: ignore[arg-type]
    page = client.get(f"/code/{code_of(Place(hands[0][:10], 3, 1))}?lang=en")
    assert page.status_code == 200
    for hand in hands:
        assert f'href="/hand/{hand}?lang=en#3/1"' in page.text
