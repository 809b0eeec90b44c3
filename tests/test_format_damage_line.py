"""What is wrong with bytes, in the one line that an archive keeps of it."""

from hypothesis import given
from hypothesis import strategies as st

from schema.damage import Damage, Fault, damage_in

NUMBERS = st.integers(0, 10**12)
SIDES = st.text(min_size=1).filter(lambda side: "; found " not in side)


@given(
    wrong=st.builds(
        Damage,
        fault=st.sampled_from(Fault),
        record=NUMBERS,
        offset=NUMBERS,
        expected=SIDES,
        found=st.text(),
        hand=st.none() | NUMBERS,
        event=st.none() | NUMBERS,
    )
)
def test_the_line_of_a_damage_tells_all_of_it(wrong: Damage) -> None:
    """What was written of it in one line is read again; other lines are none of it."""
    assert damage_in(str(wrong)) == wrong
    assert damage_in(f"{wrong}"[1:]) is None
    assert damage_in(f"odd {wrong}") is None
