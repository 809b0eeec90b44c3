"""axe-core on a page under the viewer's own strict policy: what it finds, one line each."""

import json
from collections import Counter
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.everywhere import lay_out

_AXE = Axe()
_OPTIONS: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
_CONTEXT = {
    "exclude": [["tbody tr:nth-child(n+13)"], [".event:nth-child(n+40)"], [".rule:nth-child(n+9)"]]
}
"""A long list has the same in every line: its first ones are looked at."""
checked: Counter[str] = Counter()
"""How often axe ran, and how many things it found: for the summary of the tests."""


def violations(page: Page, only: str = "") -> list[str]:
    """What axe finds on a page at rest: rule, element, why. With `only`, one rule is asked."""
    lay_out(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.axe_script)  # by the debugger: no script of the page, so no policy
    options = _OPTIONS | ({"runOnly": [only]} if only else {})
    found = page.evaluate(f"axe.run({json.dumps(_CONTEXT)}, {json.dumps(options)})")["violations"]
    lines = [_line(rule, node) for rule in found for node in rule["nodes"]]
    checked["runs"] += 1
    checked["violations"] += len(lines)
    return lines


def _line(rule: dict[str, Any], node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    why = checks[0]["message"] if checks else rule["help"]
    return f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['html'][:120]}: {why}"
