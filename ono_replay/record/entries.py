"""What the table types: one short entry for everything that happens (FORMAT.md section 7, `record`).

>>> from ono_replay.rules.ruleset import EDITIONS
>>> parse_entry("-10", ["Ann", "Bo"], EDITIONS["2022"])
Entry(kind='card', card='-10', ...)
>>> parse_entry("!p = 40", ["Ann", "Bo"], EDITIONS["2022"])
Entry(kind='card', card='play_2', cards=None, seat=None, number=40, points=(), text='', let_stand=True)
>>> parse_entry("11", ["Ann", "Bo"], EDITIONS["2022"]).code
'ONO110'
"""

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from ono_replay.record.refusal import Refusal, refuse_plainly
from ono_replay.rules.cards import EFFECTS, HIDDEN, ONO_99, TOKENS
from ono_replay.rules.ruleset import Ruleset

Kind = Literal[
    "card", "four", "out", "left", "timeout", "forfeit", "reshuffle", "total", "points", "starter",
    "undo", "redo", "comment", "end", "abandon", "show",
]  # fmt: skip


class Entry(msgspec.Struct, frozen=True):
    """One entry, understood."""

    kind: Kind
    card: str | None = None
    """The card played, or the bust card of `out`."""
    cards: tuple[str, ...] | None = None
    """The hand laid down."""
    seat: int | None = None
    number: int | None = None
    """The announced total."""
    points: tuple[int, ...] = ()
    text: str = ""
    let_stand: bool = False


ENTRIES: tuple[tuple[str, str], ...] = (
    ("0 … 10, -10", "the player to act plays this card"),
    ("r", "plays a Reverse"),
    ("p", "plays the pair card: Play 2 or Double Play"),
    ("h", "plays a Hold"),
    ("o", "plays an ONO 99, where the house rules allow it"),
    ("o4", "discards four ONO 99"),
    ("7 = 34", "plays a card, and this total was announced"),
    ("= 34", "the total that was announced for the last card"),
    ("f", "the last draw is forfeited"),
    ("out [CARD…]", "the player to act can play nothing, and lays down this hand"),
    ("bust CARD [CARD…]", "the same with a bust card (points match)"),
    ("left SEAT", "a player leaves; timeout SEAT: is timed out"),
    ("!ENTRY", "let it stand although it breaks a rule"),
    ("7 by SEAT", "another player than the one to act plays"),
    ("points N N …", "the points of the round that has just ended, a number a player"),
    ("starter SEAT", "who starts the round, where that is free"),
    ("reshuffle", "the draw pile is used up (written by itself where it should be)"),
    ("undo, redo", "take back the last entry; take that back"),
    ("c TEXT", "a comment"),
    ("end", "the game, or a round in which nobody can play, is over"),
    ("abandon", "the game is broken off"),
    ("?", "this help"),
)
"""Every entry and what it means, for a help page."""

_WORDS: dict[str, Kind] = {
    "o4": "four", "out": "out", "bust": "out", "left": "left", "timeout": "timeout", "f": "forfeit",
    "reshuffle": "reshuffle", "points": "points", "starter": "starter", "undo": "undo", "redo": "redo",
    "c": "comment", "end": "end", "abandon": "abandon", "?": "show",
}  # fmt: skip
_ALONE = ("four", "forfeit", "reshuffle", "undo", "redo", "end", "abandon", "show")
_SHORT = {"r": "reverse", "h": "hold", "o": ONO_99, "hold": "hold"}
_CARD = re.compile(r"(\S+?)(?:\s*=\s*([-+]?\d+))?(?:\s+by\s+(.+))?", re.IGNORECASE)
_TOTAL = re.compile(r"=\s*([-+]?\d{1,9})")
_PAIRS = tuple(token for token in TOKENS if EFFECTS[token].pair)


def parse_entry(text: str, names: Sequence[str], ruleset: Ruleset) -> Entry | Refusal:
    """Return what an entry means at a table with these players and rules, or why it means nothing."""
    text = text.strip()
    let_stand = text.startswith("!")
    text = text.removeprefix("!").strip()
    try:
        entry = _parse(text, names, ruleset)
    except _NotUnderstood as error:
        return error.refusal
    return msgspec.structs.replace(entry, let_stand=True) if let_stand else entry


def parse_card(word: str, ruleset: Ruleset) -> str | Refusal:
    """Return the token of a card as the table types it, or why it is none.

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> parse_card("p", EDITIONS["1980"]), parse_card("R", EDITIONS["1980"])
    ('double_play', 'reverse')
    """
    try:
        return _card(word, ruleset)
    except _NotUnderstood as error:
        return error.refusal


class _NotUnderstood(Exception):
    def __init__(self, code: str, message: str, **values: object) -> None:
        super().__init__(message)
        self.refusal = refuse_plainly(code, message, **values)


def _parse(text: str, names: Sequence[str], ruleset: Ruleset) -> Entry:
    head, *rest = text.split() or [""]
    kind = _WORDS.get(head.lower())
    if kind == "comment":
        return Entry(kind, text=text[1:].strip())
    if kind in _ALONE:
        if rest:
            raise _NotUnderstood("ONO107", f"Nothing may follow {head}", actual=" ".join(rest)[:80])
        return Entry(kind)
    if kind == "points":
        return Entry(kind, points=tuple(_number(word) for word in rest))
    if kind == "starter":
        return Entry(kind, seat=_seat(" ".join(rest), names))
    if kind == "out":
        cards = [_card(word, ruleset) for word in rest]
        bust = None
        if head.lower() == "bust":
            if not cards:
                raise _NotUnderstood("ONO106", "bust needs the card: bust 10", expected="a card")
            bust = cards.pop(0)
        return Entry(kind, card=bust, cards=tuple(cards) or None)
    if kind is not None:
        return _parse_leaver(kind, head, rest, names, ruleset)
    return _parse_card(text, names, ruleset)


def _parse_leaver(kind: Kind, head: str, rest: list[str], names: Sequence[str], ruleset: Ruleset) -> Entry:
    if not rest:
        raise _NotUnderstood("ONO106", f"{head} needs the seat: {head} 1", expected="a seat")
    seat = _find_seat(" ".join(rest), names)
    if seat is not None:
        return Entry(kind, seat=seat)
    cards = tuple(_card(word, ruleset) for word in rest[1:])
    return Entry(kind, seat=_seat(rest[0], names), cards=cards or None)


def _parse_card(text: str, names: Sequence[str], ruleset: Ruleset) -> Entry:
    if (total := _TOTAL.fullmatch(text)) is not None:
        return Entry("total", number=int(total[1]))
    if text.startswith("="):
        raise _NotUnderstood("ONO107", "= needs the total: = 34", expected="a number", actual=text[:80])
    found = _CARD.fullmatch(text)
    if found is None:
        raise _no_such_card(text)
    card, number, by = found.groups()
    return Entry(
        "card",
        card=_card(card, ruleset),
        number=None if number is None else _number(number),
        seat=None if by is None else _seat(by, names),
    )


def _card(word: str, ruleset: Ruleset) -> str:
    word = word.lower()
    if word in ("p", "pair"):
        return next((token for token in _PAIRS if token in ruleset.deck), "play_2")
    token = _SHORT.get(word, word)
    if token not in EFFECTS and token != HIDDEN:
        raise _no_such_card(word)
    return token


def _no_such_card(word: str) -> _NotUnderstood:
    message = f"{word!r} is no entry" if word else "The entry is empty"
    return _NotUnderstood("ONO110", f"{message}; ? shows what can be entered", actual=word[:80])


def _number(word: str) -> int:
    if not re.fullmatch(r"[-+]?\d{1,9}", word, re.ASCII):
        raise _NotUnderstood("ONO107", f"{word[:80]!r} is no number", expected="a number", actual=word[:80])
    return int(word)


def _find_seat(word: str, names: Sequence[str]) -> int | None:
    if re.fullmatch(r"\d{1,9}", word, re.ASCII):
        return int(word) if int(word) < len(names) else None
    matching = [seat for seat, name in enumerate(names) if name.casefold() == word.casefold()]
    return matching[0] if len(matching) == 1 else None


def _seat(word: str, names: Sequence[str]) -> int:
    seat = _find_seat(word.strip(), names)
    if seat is None:
        message = f"There is no seat {word.strip()[:80]!r}; seats are 0 to {len(names) - 1}"
        raise _NotUnderstood("ONO206", message, expected=f"0 to {len(names) - 1}", actual=word.strip()[:80])
    return seat
