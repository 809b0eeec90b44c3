"""游戏级别: the titles of accounts (gunzi-11). No hand changes an account."""

_TITLES = (
    (400, "穷光蛋"),
    (800, "流浪汉"),
    (1600, "包身工"),
    (6200, "打工"),
    (12800, "贫苦百姓"),
    (51200, "店伙计"),
    (202400, "货郎"),
    (804800, "小商贩"),
    (1638400, "行商"),
    (8276800, "暴发户"),
    (23107200, "大富商"),
    (52428800, "天才商人"),
    (109715200, "一代巨贾"),
    (419430400, "富可敌国"),
    (838860800, "富甲天下"),
    (1677721600, "财神现世"),
)
"""From how much on an account has a title; the numbers as printed, odd ones included."""


def title(account: int) -> str | None:
    """gunzi-11.1: the highest title that an account has reached; None below the first."""
    reached = [word for least, word in _TITLES if least <= account]
    return reached[-1] if reached else None
