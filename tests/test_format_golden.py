"""Golden files: the bytes of the format, pinned. Changing one is changing the format."""

import io
import zlib
from pathlib import Path

import pytest

from schema.items import Hand
from schema.logfile import open_log
from tests.format_logs import faults, items, unsealed
from tests.golden.format.make import FOLDER, golden

NAMES = sorted(golden())
PINNED_ZLIB = "789c4b4c4a4e494d4bcfc8ccca4e443001640808c5"
"""What zlib 1.2 and 1.3 make of a sample at level 6; other compressors may differ."""


def has_the_pinned_zlib() -> bool:
    """This Python's zlib compresses as the one that made the golden files."""
    return zlib.compress(b"abcdefghijkabcdefghijk", 6).hex() == PINNED_ZLIB


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_file_is_written_byte_for_byte(name: str) -> None:
    """Field order, encodings, checksums, leaves: nothing moves unnoticed."""
    if "sealed" in name and not has_the_pinned_zlib():
        pytest.skip("another zlib: the compressed bytes are no part of the format")
    assert golden()[name] == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("name", [name for name in NAMES if "sealed" in name])
def test_a_golden_sealed_file_unseals_to_its_live_twin(name: str) -> None:
    """Whatever compressor is at hand."""
    twin = FOLDER / name.replace("sealed", "live")
    assert unsealed((FOLDER / name).read_bytes()) == twin.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_file_has_no_damage(name: str) -> None:
    """And its form is the one its name says."""
    data = (FOLDER / name).read_bytes()
    assert faults(data) == []
    assert open_log(io.BytesIO(data)).form == Path(name).suffixes[0].removeprefix(".")
    open_hands = [i for i in items(data) if isinstance(i, Hand) and not i.committed]
    assert bool(open_hands) == ("in_progress" in name)


def test_no_golden_file_is_forgotten() -> None:
    """Every file in the folder is made by the script."""
    assert sorted(path.name for path in FOLDER.glob("*.paipu")) == NAMES
