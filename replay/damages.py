"""What is wrong with the bytes of a log, in one sentence; no engine is needed for it."""

from replay.messages import text
from replay.messages.matched import matched
from schema.damage import Damage


def damage_text(damage: Damage, lang: str) -> str:
    """The sentence; both its sides in the language too, as far as they are our words."""
    sides = (damage.expected, damage.found)
    expected, found = (matched(lang, "damage", side) or side for side in sides)
    slots = {"record": damage.record, "offset": damage.offset}
    return text(lang, f"format.{damage.fault.value}", expected=expected, found=found, **slots)
