"""The rule pages in a browser: search as one types, languages side by side, anchors, a phone."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from replay.engine.registry import game_named, game_names
from replay.messages import text

RULES = {game: [rule.id for rule in game_named(game).rules] for game in game_names()}
GAME = game_names()[-1]
PHONE = {"width": 360, "height": 640}


def test_the_search_follows_what_is_typed(page: Page, site: str) -> None:
    """The rules change with the words, and the address with them; it opens the same page again."""
    page.goto(f"{site}/rules?lang=en")
    expect(page.locator(".book")).to_have_count(len(RULES))
    page.get_by_label(text("en", "view.rules.search")).fill(RULES[GAME][0])
    expect(page.locator(".rule mark").first).to_have_text(RULES[GAME][0])
    expect(page).to_have_url(re.compile(f"q={RULES[GAME][0]}"))
    expect(page).to_have_url(re.compile("lang=en"))
    found = page.locator(".rule").count()
    page.reload()
    expect(page.locator(".rule")).to_have_count(found)
    page.locator("#rule-query").fill("")
    expect(page.locator(".book")).to_have_count(len(RULES))
    expect(page).not_to_have_url(re.compile("q="))


def test_the_search_works_without_scripts(browser: Browser, site: str) -> None:
    """The form asks the server."""
    with browser.new_context(java_script_enabled=False) as context:
        plain = context.new_page()
        plain.goto(f"{site}/rules?lang=zh")
        plain.locator("#rule-query").fill("炸弹")
        plain.locator("#rule-query").press("Enter")
        expect(plain.locator(".rule mark").first).to_have_text("炸弹")


@pytest.mark.parametrize("is_phone", [False, True])
def test_languages_stand_side_by_side_or_below_one_another(
    page: Page, site: str, is_phone: bool
) -> None:
    """Two columns on a desktop, one on a phone, where nothing is wider than the window."""
    if is_phone:
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    for address in (f"/rules/{GAME}", "/rules?q=bomb", "/rules"):
        page.goto(f"{site}{address}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
    page.goto(f"{site}/rules/{GAME}")
    both = page.locator(".side-by-side").first
    chinese = both.locator("[lang=zh-Hans]").bounding_box()
    english = both.locator("[lang=en]").bounding_box()
    assert chinese
    assert english
    if is_phone:
        assert english["y"] >= chinese["y"] + chinese["height"]
    else:
        assert english["x"] >= chinese["x"] + chinese["width"]


def test_the_rule_of_the_address_stands_out(page: Page, site: str) -> None:
    """An anchor scrolls to its rule and colours it; the sign beside a rule is that anchor."""
    rule = RULES[GAME][-1]
    page.goto(f"{site}/rules/{GAME}#{rule}")
    article = page.locator(f"[id='{rule}']")
    expect(article).to_be_in_viewport()
    shade = "element => getComputedStyle(element).backgroundColor"
    other = page.locator(f"[id='{RULES[GAME][0]}']")
    assert article.evaluate(shade) != other.evaluate(shade)
    other.locator(".anchor").click()
    expect(page).to_have_url(re.compile(f"#{RULES[GAME][0]}$"))
    assert other.evaluate(shade) != article.evaluate(shade)
