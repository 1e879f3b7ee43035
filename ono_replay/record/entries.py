"""What the table types: one short entry for everything that happens (schemas/RECORDING.md section 1).

>>> from ono_replay.rules.ruleset import EDITIONS
>>> parse_entry("-10", ["Ann", "Bo"], EDITIONS["2022"])
Entry(kind='card', card='-10', ...)
>>> parse_entry("!p = 40", ["Ann", "Bo"], EDITIONS["2022"])
Entry(kind='card', card='play_2', cards=None, seat=None, number=40, points=(), text='', let_stand=True)
>>> parse_entry("11", ["Ann", "Bo"], EDITIONS["2022"]).code
'ONO110'
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from ono_replay.check.phrases import join_words
from ono_replay.record.names import DASHES, list_seats, seat_meant, why_no_seat
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


_Needs = Callable[[Ruleset], bool]


def _always(_ruleset: Ruleset) -> bool:
    return True


def _in_deck(*cards: str) -> _Needs:
    return lambda ruleset: any(card in ruleset.deck for card in cards)


_PAIRS = tuple(token for token in TOKENS if EFFECTS[token].pair)
ENTRIES: tuple[tuple[str, str, _Needs], ...] = (
    ("0 … 10, -10", "the player to act plays this card", _always),
    ("r", "a Reverse", _in_deck("reverse")),
    ("h", "a Hold", _in_deck("hold")),
    ("p", "the pair card: Play 2 or Double Play", _in_deck(*_PAIRS)),
    ("o", "an ONO 99", lambda ruleset: ruleset.ono_99_on_zero and ONO_99 in ruleset.deck),
    ("o4", "four ONO 99 are discarded", lambda ruleset: ruleset.four_ono_99 != "off"),
    ("7 = 34, = 34", "the total that was announced: with the card, or after it", _always),
    ("7 by SEAT", "another player plays; SEAT is a number or a name", _always),
    ("f", "the last draw is forfeited", lambda ruleset: ruleset.missed_draw == "forfeit"),
    ("out [CARD…]", "the player to act can't play, and lays down this hand", _always),
    (
        "bust CARD [CARD…]",
        "the same with a bust card, then the rest of the hand",
        lambda ruleset: ruleset.scores_points,
    ),
    ("left SEAT", "a player leaves; timeout SEAT: is timed out", _always),
    ("points N N …", "of the round just ended, a number a player", lambda ruleset: ruleset.scores_points),
    ("starter SEAT", "who starts the round, where that is free", _always),
    ("!ENTRY", "let it stand although it breaks a rule", _always),
    ("undo, redo", "take back the last entry; take that back", _always),
    ("c TEXT", "a comment", _always),
    ("reshuffle", "the draw pile is used up (usually written by itself)", _always),
    ("end, abandon", "the game is over; it is broken off", _always),
    ("?", "this help", _always),
)
"""Every entry, what it means, and the games that can use it, for a help page."""

HELP = "Like 7, -10, r, p, h, o, o4, out, left Bo, undo, c TEXT, end; ? lists them all."


def list_entries(ruleset: Ruleset | None = None) -> list[str]:
    """Return the entries with their meanings, a line each: those of a game, without one all.

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> lines = list_entries(EDITIONS["2022"])
    >>> lines[0]
    '0 … 10, -10        the player to act plays this card'
    >>> len(lines) <= 20, max(map(len, lines)) <= 76, any(line.startswith("h ") for line in lines)
    (True, True, False)
    """
    return [f"{entry:19}{meaning}" for entry, meaning, needs in ENTRIES if ruleset is None or needs(ruleset)]


_WORDS: dict[str, Kind] = {
    "o4": "four", "discardfour": "four", "out": "out", "bust": "out", "left": "left", "timeout": "timeout",
    "f": "forfeit", "forfeitdraw": "forfeit", "reshuffle": "reshuffle", "points": "points",
    "starter": "starter", "undo": "undo", "redo": "redo", "c": "comment", "comment": "comment", "end": "end",
    "abandon": "abandon", "?": "show", "help": "show", "h?": "show",
}  # fmt: skip
_ALONE = ("four", "forfeit", "reshuffle", "undo", "redo", "end", "abandon", "show")
_SHORT = {"r": "reverse", "h": "hold", "o": ONO_99, "d": "double_play", "p": "pair"}
_CARDS = {token.replace("_", ""): token for token in TOKENS if token[0].isalpha()} | {"pair": "pair"}
"""Cards by their tokens without the underscore."""
_SPELT = re.compile(r"(?<![\w-])(double|play|ono)[\s_-]*(play|2|99)(?!\w)")
_CARD = re.compile(r"(\S+?)(?:\s*=\s*([-+]?\d+))?")
_BY = re.compile(r"(.*?)\s+by\s+(.+)", re.IGNORECASE)
_TOTAL = re.compile(r"=\s*([-+]?\d{1,9})")


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
        return _card("_".join(_words(word)), ruleset)
    except _NotUnderstood as error:
        return error.refusal


class _NotUnderstood(Exception):
    def __init__(self, code: str, message: str, **values: Any) -> None:
        super().__init__(message)
        self.refusal = refuse_plainly(code, message, **values)


def _parse(text: str, names: Sequence[str], ruleset: Ruleset) -> Entry:
    head, *rest = text.split(maxsplit=1) or [""]
    argument = "".join(rest)
    alone = _kind(_joined(text)) if text[:1].isalpha() or text[:1] == "?" else None
    kind = alone if alone in _ALONE else _kind(_joined(head))
    if kind == "comment":
        return Entry(kind, text=argument)
    if kind in _ALONE:
        if argument and kind != alone:
            raise _NotUnderstood("ONO107", f"Nothing may follow {head}", actual=argument[:80])
        return Entry(kind)
    if kind == "points":
        return Entry(kind, points=tuple(_number(word) for word in _words(argument)))
    if kind == "starter":
        return Entry(kind, seat=_seat(argument, names, head))
    if kind == "out":
        return _parse_out(_joined(head), argument, ruleset)
    if kind is not None:
        return _parse_leaver(kind, head, argument, names, ruleset)
    return _parse_card(text, names, ruleset)


def _kind(word: str) -> Kind | None:
    """Return what a word without spaces begins, None where that is a card or nothing."""
    if word in _WORDS or word in _SHORT or word in _CARDS or len(word) < 1:
        return _WORDS.get(word)
    meant = {known for known in (*_WORDS, *_CARDS) if known.startswith(word) and known != "abandon"}
    if len(meant) > 1:
        raise _NotUnderstood(
            "ONO110", f"{word!r} could be {join_words(sorted(meant), 'or')}", actual=word[:80], help_text=HELP
        )
    return _WORDS.get(meant.pop()) if meant else None


def _joined(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text.translate(DASHES).casefold())


def _words(text: str) -> list[str]:
    """Return the words of what is no name: commas are spaces, a dash belongs to its number, cards are tokens."""
    text = unicodedata.normalize("NFKC", text).translate(DASHES).casefold()
    text = re.sub(r"(?<!\S)-\s+(?=\d)", "-", re.sub(r"[,;]", " ", text))
    return _SPELT.sub(r"\1_\2", text).split()


def _parse_out(head: str, argument: str, ruleset: Ruleset) -> Entry:
    cards = [_card(word, ruleset) for word in _words(argument)]
    bust = None
    if head.startswith("b"):
        if not cards:
            raise _NotUnderstood("ONO106", "bust needs the card: bust 10", expected="a card")
        bust = cards.pop(0)
    return Entry("out", card=bust, cards=tuple(cards) or None)


def _parse_leaver(kind: Kind, head: str, argument: str, names: Sequence[str], ruleset: Ruleset) -> Entry:
    words = argument.split()
    for count in range(len(words), 0, -1):
        seat = seat_meant(names, " ".join(words[:count]).removesuffix(","))
        if seat is not None:
            cards = [_card(word, ruleset) for word in _words(" ".join(words[count:]))]
            return Entry(kind, seat=seat, cards=tuple(cards) or None)
    return Entry(kind, seat=_seat(" ".join(words[:1]), names, head))


def _parse_card(text: str, names: Sequence[str], ruleset: Ruleset) -> Entry:
    by = _BY.fullmatch(text)
    words = _words(by[1] if by else text)
    what = " ".join(words)
    if (total := _TOTAL.fullmatch(what)) is not None and by is None:
        return Entry("total", number=int(total[1]))
    if what.startswith("="):
        raise _NotUnderstood("ONO107", "= needs the total: = 34", expected="a number", actual=text[:80])
    found = _CARD.fullmatch(what)
    if found is None:
        raise _no_such_card(text)
    card, number = found.groups()
    return Entry(
        "card",
        card=_card(card, ruleset),
        number=None if number is None else _number(number),
        seat=None if by is None else _seat(by[2], names, "by"),
    )


def _card(word: str, ruleset: Ruleset) -> str:
    if word in EFFECTS or word == HIDDEN:
        return word
    typed = word.replace("_", "")
    meant = [token for token in _CARDS if typed and token.startswith(typed)]
    token = _SHORT.get(typed) or (_CARDS[meant[0]] if len(meant) == 1 else "")
    if token == "pair":
        return next((pair for pair in _PAIRS if pair in ruleset.deck), "play_2")
    if not token:
        raise _no_such_card(word)
    return token


def _no_such_card(word: str) -> _NotUnderstood:
    message = f"{word[:80]!r} is no entry" if word else "The entry is empty"
    return _NotUnderstood(
        "ONO110", f"{message}; ? shows what can be entered", actual=word[:80], help_text=HELP
    )


def _number(word: str) -> int:
    if not re.fullmatch(r"[-+]?\d{1,9}", word, re.ASCII):
        raise _NotUnderstood("ONO107", f"{word[:80]!r} is no number", expected="a number", actual=word[:80])
    return int(word)


def _seat(word: str, names: Sequence[str], head: str) -> int:
    if not word.strip():
        message = f"{head} needs a seat or a name, like {head} {names[-1]}; there are {list_seats(names)}"
        raise _NotUnderstood("ONO106", message, expected="a seat")
    seat = seat_meant(names, word)
    if seat is None:
        raise _NotUnderstood(
            "ONO206", why_no_seat(names, word), expected=f"0 to {len(names) - 1}", actual=word.strip()[:80],
            help_text=f"SEAT is a number or a name: {list_seats(names)}.",
        )  # fmt: skip
    return seat
