"""Dropping a log on a page, in a real browser: by mouse, by form, pasted, and without scripts."""

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from replay.reader import open_reader
from schema.logfile import open_log
from schema.textform import write_text
from tests.browser.pages import open_hand
from tests.dropping import shelf_of
from tests.viewer_logs import CLEAN, FAULTY, HOSTILE, ids_in
from tests.viewer_site import on_a_port
from webviewer import create_app
from webviewer.dropped.limits import Limits

PHONE = {"width": 360, "height": 640}
DRAG = """([name, packed, kinds]) => {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name));
  for (const kind of kinds) {
    const init = { dataTransfer: data, bubbles: true, cancelable: true };
    document.querySelector("main").dispatchEvent(new DragEvent(kind, init));
  }
}"""
PASTE = """(text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const init = { clipboardData: data, bubbles: true, cancelable: true };
  document.querySelector("main").dispatchEvent(new ClipboardEvent("paste", init));
}"""


@pytest.fixture
def app(folder: Path) -> Iterator[Flask]:
    """The viewer's application."""
    app = create_app(open_reader(folder))
    yield app
    shelf_of(app).close()


@pytest.fixture
def site(app: Flask) -> Iterator[str]:
    """The viewer, served on a port of its own; its address without the last slash."""
    with on_a_port(app) as port:
        yield f"http://127.0.0.1:{port}"


def drag(page: Page, name: str, data: bytes, *kinds: str) -> None:
    """Drag a file over the page, or drop it there."""
    page.evaluate(DRAG, [name, base64.b64encode(data).decode(), list(kinds)])


def expect_report(page: Page, name: str) -> None:
    """The report of a dropped log stands there, and says that it is not stored."""
    page.wait_for_url(re.compile(r"/dropped/[\w-]{22}/log/"))
    expect(page.locator(".dropped-banner bdi")).to_have_text(name)
    expect(page.locator("h1")).to_be_visible()


def text_of(path: Path) -> str:
    """A log in text form."""
    sink = io.BytesIO()
    with open(path, "rb") as stream:
        write_text(open_log(stream), sink)
    return sink.getvalue().decode()


def test_a_file_dropped_on_any_page_is_shown(page: Page, site: str, folder: Path) -> None:
    """Over the page it is offered a place; let go, it leads to its report, hands and steps."""
    data = (folder / FAULTY).read_bytes()
    open_hand(page, site, folder, 0)
    drag(page, HOSTILE, data, "dragenter", "dragover")
    expect(page.locator("#drop-over")).to_be_visible()
    drag(page, HOSTILE, data, "drop")
    expect(page.locator("#drop-over")).to_be_hidden()
    expect_report(page, HOSTILE)
    page.locator(".findings .hand-link").first.click()
    expect(page.locator("body[data-ready]")).to_be_attached()
    assert "/dropped/" in page.url
    page.keyboard.press("End")
    expect(page.locator(".dropped-banner")).to_be_visible()


def test_a_drag_that_leaves_is_no_drop(page: Page, site: str, folder: Path) -> None:
    """The place it was offered goes away."""
    page.goto(f"{site}/?lang=en")
    drag(page, "a", b"x", "dragenter", "dragover")
    expect(page.locator("#drop-over")).to_be_visible()
    drag(page, "a", b"x", "dragleave")
    expect(page.locator("#drop-over")).to_be_hidden()


def test_a_bad_file_is_told_where_one_is(page: Page, site: str, complaints: list[str]) -> None:
    """A dialog says what was found, and closes with the keyboard; the page stays."""
    page.goto(f"{site}/?lang=en")
    drag(page, "photo.png", b"\x89PNG\r\n\x1a\n", "dragenter", "drop")
    box = page.locator("#drop-box")
    expect(box.locator(".drop-fault")).to_contain_text("a PNG image")
    expect(box.locator(".drop-name")).to_have_text("photo.png")
    expect(box.locator("progress")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    assert page.url == f"{site}/?lang=en"
    assert [said for said in complaints if "422" not in said] == []
    complaints.clear()


def test_a_file_that_is_too_large_is_not_sent(page: Page, app: Flask, site: str) -> None:
    """The limit is said at once; nothing travels."""
    app.config["DROP_LIMITS"] = Limits(log=1 << 20)
    page.goto(f"{site}/drop?lang=en")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method))
    drag(page, "large", bytes((1 << 20) + 1), "dragenter", "drop")
    expect(page.locator("#drop-box .drop-fault")).to_contain_text("larger than 1 MB")
    page.locator("#drop-box button").click()
    expect(page.locator("#drop-box")).to_be_hidden()
    assert "POST" not in asked


def test_the_form_takes_a_file_with_the_keyboard(page: Page, site: str, folder: Path) -> None:
    """Chosen and sent without a mouse, on a phone that need not scroll sideways."""
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(f"{site}/drop?lang=en")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator("#drop-log").set_input_files(folder / CLEAN)
    page.locator("#drop-log").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_report(page, CLEAN)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.locator(".hand-link").count() == len(ids_in(folder / CLEAN))


def test_text_that_is_pasted_on_a_page_is_shown(page: Page, site: str, folder: Path) -> None:
    """A log in text form; other text is left alone."""
    page.goto(f"{site}/logs?lang=en")
    page.evaluate(PASTE, "hello")
    expect(page.locator("#drop-box")).to_be_hidden()
    page.evaluate(PASTE, text_of(folder / FAULTY))
    expect_report(page, "pasted text")


def test_it_is_let_go_of_with_a_button(page: Page, app: Flask, site: str, folder: Path) -> None:
    """The form stands there again, and going back says that the file is gone."""
    page.goto(f"{site}/drop?lang=en")
    drag(page, "a.paipu", (folder / CLEAN).read_bytes(), "dragenter", "drop")
    expect_report(page, "a.paipu")
    page.locator(".dropped-banner button").click()
    expect(page.locator("h1")).to_have_text("Open a log file")
    assert shelf_of(app).pids() == []


def test_it_works_without_scripts(browser: Browser, site: str, folder: Path) -> None:
    """The form alone posts the file and lands on its report; a bad one has a page."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/drop?lang=en")
    page.locator("#drop-log").set_input_files(folder / FAULTY)
    page.locator(".drop-form button").first.click()
    expect_report(page, FAULTY)
    page.goto(f"{site}/drop?lang=zh")
    junk = {"name": "a.zip", "mimeType": "application/zip", "buffer": b"PK\x03\x04"}
    page.locator("#drop-log").set_input_files(junk)  # type: ignore[arg-type]
    page.locator(".drop-form button").first.click()
    expect(page.locator("[role=alert]").last).to_contain_text("zip 压缩包")
    page.goto(f"{site}/drop?lang=en")
    page.locator("#drop-text").fill(text_of(folder / CLEAN))
    page.locator(".drop-form button").last.click()
    expect_report(page, "pasted text")
    context.close()
