"""What plotly brings beside its charts, under the policy of the pages."""

from playwright.sync_api import Page, expect


def test_the_styles_that_plotly_brings_are_let_in(page: Page, site: str) -> None:
    """Nothing that it inserts is refused, which every console would tell; its maps have rules."""
    page.add_init_script(
        "window.refused = [];"
        "addEventListener('securitypolicyviolation', (e) => refused.push(e.violatedDirective));"
    )
    page.goto(f"{site}/?lang=en")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    assert page.evaluate("refused") == []
    brought = page.evaluate(
        "[...document.querySelectorAll('style')].map((style) => style.sheet.cssRules.length)"
    )
    assert len(brought) >= 2
    assert min(brought) > 0
