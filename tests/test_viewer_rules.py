"""The rule pages: every rule of every game in both languages, with its anchor, and to be found."""

import re
from html import unescape
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from replay.engine.registry import game_named, game_names
from replay.messages import LANGS, has, text
from replay.reader import open_reader
from webviewer import create_app
from webviewer.views.rules import MOST_FOUND, cut_at

RULES = [(game, rule.id) for game in game_names() for rule in game_named(game).rules]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """The viewer over a folder without any log."""
    return create_app(open_reader(tmp_path_factory.mktemp("logs"))).test_client()


def articles(page: str) -> list[str]:
    """The rules of a page, each as its markup."""
    return re.findall(r'<article class="rule".*?</article>', page, re.DOTALL)


def plain(markup: str) -> str:
    """What is read of some markup."""
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", "", markup)))


def ids(page: str) -> list[str]:
    """The rules of a page by their ids."""
    return [re.findall(r"[a-z_]+-\d+\.\d+[a-z]?", plain(article))[0] for article in articles(page)]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", game_names())
def test_a_book_has_every_rule_in_both_languages(client: FlaskClient, game: str, lang: str) -> None:
    """Sentences word for word, each with its language, and the source's words where it has any."""
    page = client.get(f"/rules/{game}?lang={lang}").text
    rules = [rule for of, rule in RULES if of == game]
    shown = articles(page)
    assert len(shown) == len(rules)
    for rule, article in zip(rules, shown, strict=True):
        assert f'id="{rule}"' in article
        assert f'href="#{rule}"' in article
        parts = dict(re.findall(r'<p lang="(zh-Hans|en)">(.*?)</p>', article, re.DOTALL))
        assert unescape(parts["zh-Hans"]) == text("zh", f"rule.{rule}")
        assert unescape(parts["en"]) == text("en", f"rule.{rule}")
        source = re.search(r'<blockquote lang="zh-Hans">(.*?)</blockquote>', article, re.DOTALL)
        assert bool(source) == has("zh", f"source.{rule}")
        if source:
            assert unescape(source[1]) == text("zh", f"source.{rule}")


@pytest.mark.parametrize("game", game_names())
def test_a_book_begins_with_its_sections(client: FlaskClient, game: str) -> None:
    """Each entry of the table of contents leads to a heading that is there, once."""
    page = client.get(f"/rules/{game}").text
    contents = page.partition('<nav class="contents"')[2].partition("</nav>")[0]
    anchors = re.findall('href="#([^"]+)"', contents)
    sections = dict.fromkeys(rule.rpartition(".")[0] for of, rule in RULES if of == game)
    assert anchors == list(sections)
    for anchor in anchors:
        assert page.count(f'id="{anchor}"') == 1


def test_all_books_are_there_without_a_log(client: FlaskClient) -> None:
    """The list has a link to every book, though no hand of any game is here."""
    page = client.get("/rules").text
    assert [game for game in game_names() if f'href="/rules/{game}"' not in page] == []
    assert articles(page) == []


@pytest.mark.parametrize("number", range(0, len(RULES), 23))
def test_a_rule_is_found_by_its_id(client: FlaskClient, number: int) -> None:
    """Among those that its id begins."""
    game, rule = RULES[number]
    page = client.get(f"/rules?q={rule}").text
    found = ids(page)
    assert rule in found
    assert f'href="/rules/{game}#{rule}"' in page


@pytest.mark.parametrize("asked", ["炸弹", "bomb", "BOMB", "deal 54", "3.8", "不出"])
def test_a_search_finds_exactly_the_rules_with_its_words(client: FlaskClient, asked: str) -> None:
    """In the id, either language or the source, big or small letters, every word of it."""
    page = client.get("/rules", query_string={"q": asked}).text
    expected = [
        rule
        for _, rule in RULES
        if all(
            word
            in "\n".join(
                [rule, *(text(lang, f"rule.{rule}") for lang in LANGS)]
                + ([text("zh", f"source.{rule}")] if has("zh", f"source.{rule}") else [])
            ).lower()
            for word in asked.lower().split()
        )
    ]
    assert expected
    assert ids(page) == expected[:MOST_FOUND]
    marks = {mark.lower() for mark in re.findall("<mark>(.*?)</mark>", page)}
    assert marks == set(asked.lower().split())


def test_more_than_fit_a_page_are_counted(client: FlaskClient) -> None:
    """The count is of all, the list is of the first, and the page says so."""
    page = client.get("/rules?lang=en&q=e").text
    assert len(articles(page)) == MOST_FOUND
    assert text("en", "view.rules.more", n=MOST_FOUND) in page


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "asked", ["<script>alert(1)</script>", "(.*", "\\", "[a", '"&amp;', "无此"]
)
def test_what_is_asked_stays_text(client: FlaskClient, asked: str, lang: str) -> None:
    """Markup and patterns are words like others; what is nowhere is said to be nowhere."""
    page = client.get(f"/rules?lang={lang}&q={quote(asked)}").text
    assert "<script>alert" not in page
    assert text(lang, "view.rules.none", asked=asked) in unescape(page)


def test_an_empty_search_is_none(client: FlaskClient) -> None:
    """The list of books, as without it."""
    assert client.get("/rules?q=%20").text.count("<section") == len(game_names())


@pytest.mark.parametrize(
    ("sentence", "asked", "pieces"),
    [
        ("a bomb is", "bomb", [("a ", False), ("bomb", True), (" is", False)]),
        ("aab", "a aa", [("aa", True), ("b", False)]),
        ("plain", "", [("plain", False)]),
        ("all", "ALL", [("all", True)]),
    ],
)
def test_a_text_is_cut_at_what_was_asked(
    sentence: str, asked: str, pieces: list[tuple[str, bool]]
) -> None:
    """The longest word first; joined, the pieces are the text."""
    assert cut_at(sentence, asked) == pieces
