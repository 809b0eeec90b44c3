"""What every test shares: how hypothesis runs, and which browser the browser tests use."""

import os
import signal

import pytest
from hypothesis import settings
from playwright.sync_api import Playwright

from tests.chromium import MISSING, chromium, is_required

if not is_required():
    # Time is never asserted. In CI hypothesis has a profile of its own, without deadline too.
    settings.register_profile("paipu", deadline=None)
    settings.load_profile("paipu")

for _number, _handler in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
):
    # Behind `&` or nohup they are ignored, and then by every process that is started here.
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, object], playwright: Playwright
) -> dict[str, object]:
    """Launch the Chromium that is there; without one, skip here and fail in CI."""
    executable = chromium(playwright)
    if executable is None:
        (pytest.fail if is_required() else pytest.skip)(MISSING)
    arguments = ["--disable-dev-shm-usage"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium's sandbox refuses to run as root
    return browser_type_launch_args | {"executable_path": executable, "args": arguments}
