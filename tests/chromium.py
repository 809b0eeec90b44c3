"""The Chromium of the browser tests: where it is, and `python -m tests.chromium` to get one.

`CHROMIUM` in the environment names one; else the PATH is searched, then Playwright's own folder.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "no Chromium found: install Debian's package `chromium`, run `playwright install chromium`, "
    "or name one in the environment variable CHROMIUM"
)


def chromium(playwright: Playwright) -> str | None:
    """Path of the Chromium to use; FileNotFoundError if CHROMIUM names none."""
    named = os.environ.get("CHROMIUM")
    if named:
        if not shutil.which(named):
            raise FileNotFoundError(f"CHROMIUM is {named!r}, which is no program")
        return named
    installed = (shutil.which(name) for name in NAMES)
    own = playwright.chromium.executable_path
    return next(filter(None, installed), own if Path(own).exists() else None)


def is_required() -> bool:
    """In CI a browser test is never skipped."""
    return os.environ.get("CI", "") not in ("", "0", "false")


def _has_chinese_font() -> bool:
    fc_list = shutil.which("fc-list")
    if not fc_list:
        return False
    return bool(subprocess.run([fc_list, ":lang=zh-cn"], capture_output=True, check=False).stdout)


def _install(packages: list[str]) -> None:
    """Ask Debian for `packages` if we may; what cannot be had is said by apt-get and by `main`."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    print(f"Installing Debian's {', '.join(packages)} …", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["install", "-qq", "--yes", "--no-install-recommends", *packages]
    for arguments in (["update", "-qq"], install):
        subprocess.run(
            ["apt-get", *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=False,
        )


def main() -> int:
    """Find a Chromium or install one; 1 if there is none and it is required."""
    with sync_playwright() as playwright:
        wanted = [] if chromium(playwright) else ["chromium"]
        if not _has_chinese_font():
            wanted.append("fonts-noto-cjk")
        if wanted:
            _install(wanted)
        found = chromium(playwright)
    if found:
        print(f"Browser tests use {found}.")
    else:
        print(f"Browser tests {'fail' if is_required() else 'are skipped'}: {MISSING}.")
    return 1 if is_required() and not found else 0


if __name__ == "__main__":
    sys.exit(main())
