"""The form of filters above the list of hands: it says what is asked, whatever there is."""

import re
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from replay.reader import open_reader
from tests.archives import indexed
from tests.shelled import ROOT
from tests.test_viewer_lists import count, page
from webviewer import create_app

SAMPLES = ROOT / "sample_logs"


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """Asks the viewer over an archive of the samples of two games."""
    path = tmp_path_factory.mktemp("archive") / "a"
    indexed(path, SAMPLES / "gunzi", SAMPLES / "dagong")
    return create_app(open_reader(path)).test_client()


@pytest.mark.parametrize(
    "asked",
    [
        {"game": "gunzi", "bombs": "1"},
        {"game": "gunzi", "level": "8", "bombs": "1"},
        {"game": "dagong", "result": "held"},
        {"game": "whist", "result": "odd"},
    ],
)
def test_the_form_keeps_what_is_asked_where_nothing_matches(
    samples: FlaskClient, asked: dict[str, str]
) -> None:
    """A choice that no hand has stands in its list, with 0: the next question has it, too."""
    shown = page(samples, f"/?{urlencode(asked)}")
    assert count(shown) == 0
    form = shown.partition('<form class="filters"')[2].partition("</form>")[0]
    for name in asked.keys() - {"bombs"}:
        options = re.search(rf'<select name="{name}">(.*?)</select>', form, re.S)
        assert options
        chosen = re.findall(r'<option value="([^"]+)" selected>[^<]*\(0\)', options[1])
        assert chosen == [asked[name]]


def test_a_list_of_clean_hands_tells_of_no_findings(samples: FlaskClient) -> None:
    """The head counts what the list has."""
    warned = 'class="warn"'
    heads = [
        page(samples, f"/?findings={which}").partition('class="lead"')[2].partition("</p>")[0]
        for which in ("", "some", "none")
    ]
    assert [warned in head for head in heads] == [True, True, False]
