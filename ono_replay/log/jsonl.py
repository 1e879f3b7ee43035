"""Lines to records and back: the fast typed path, the strict path behind it, and canonical bytes.

>>> line = b'{"seq":4,"type":"play","seat":0,"card":"7","total":7}'
>>> parse_line(line)
Play(seq=4, seat=0, card='7', total=7, at_ms=None, irregular=False, meta=UNSET, extra=UNSET)
>>> canonical(parse_line(line)) == line
True
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any, BinaryIO

import msgspec
from msgspec import UNSET

from ono_replay.log.strict import LineFault, NumberText, RawObject, parse_strictly
from ono_replay.rules.cards import ORDER
from ono_replay.rules.events import (
    EVENT_TYPES,
    Event,
    GameEvent,
    GameStart,
    RoundStart,
    UnknownEvent,
)
from ono_replay.rules.ruleset import OPTIONS

__all__ = [
    "LineFault",
    "NumberText",
    "RawObject",
    "canonical",
    "digest_of",
    "encode_game",
    "encode_value",
    "event_keys",
    "parse_line",
    "write_events",
]

_decode = msgspec.json.Decoder(GameEvent).decode
_LONG_NUMBER = re.compile(rb"[0-9]{19}")
_SURELY_SHALLOW = 60
_SMALL = 1 << 31
_ODD = (msgspec.MsgspecError, UnicodeError, RecursionError, MemoryError, OverflowError)
"""What msgspec raises for a line that is no canonical event."""


def _verbatim(value: Any) -> Any:
    if isinstance(value, NumberText):
        return msgspec.Raw(value.text.encode())
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a log can not hold a {type(value).__name__}")


_encode = msgspec.json.Encoder(enc_hook=_verbatim).encode


def encode_value(value: Any) -> bytes:
    """Return a JSON value as canonical bytes, a `NumberText` as it was read.

    >>> encode_value({"scores": [1, NumberText("1.50")]})
    b'{"scores":[1,1.50]}'
    """
    return _encode(value)


def _splice(cls: type[Event]) -> tuple[int, bytes]:
    # msgspec writes the tag first, the format has `seq` first.
    return len(f'{{"type":"{cls.type}","seq":'), f',"type":"{cls.type}"'.encode()


_SPLICES = {cls: _splice(cls) for cls in EVENT_TYPES.values() if cls not in (GameStart, RoundStart)}
"""How to put `seq` first; the two types left out hold objects that may have unknown keys."""
_OPENINGS: dict[type[Event], tuple[int, bytes]] = {cls: _splice(cls) for cls in (GameStart, RoundStart)}
_COMMON = ("at_ms", "irregular", "meta", "extra")


def _own_fields(cls: type[msgspec.Struct]) -> tuple[tuple[str, Any], ...]:
    """Name each own key of a record and its default, `msgspec.NODEFAULT` where it is required."""
    return tuple(
        (field.name, field.default)
        for field in msgspec.structs.fields(cls)
        if field.name not in ("seq", "extra") and (not issubclass(cls, Event) or field.name not in _COMMON)
    )


_OWN: dict[type[msgspec.Struct], tuple[tuple[str, Any], ...]] = {
    cls: _own_fields(cls) for cls in EVENT_TYPES.values()
}


def parse_line(raw: bytes) -> Event | RawObject | LineFault:
    """Return the event that a line holds in canonical bytes, else its object, else its fault; never raise.

    An `Event` has keys of the right JSON types, but nothing more has been checked (see `shape`). Whatever
    is odd (an unknown key, another order, spaces, a value of a wrong type) comes back as a `RawObject`.

    >>> parse_line(b'{"type":"draw","seq":5}')
    RawObject(keys={'type': 'draw', 'seq': 5})
    >>> parse_line(b'[1]').code
    'ONO104'
    """
    try:
        event: Event = _decode(raw)
        if _is_plain(event, raw) and _is_canonical(event, raw):
            return event
    except _ODD:
        pass
    return parse_strictly(raw)


def _is_canonical(event: Event, raw: bytes) -> bool:
    start = _OPENINGS.get(event.__class__)
    if start is not None and b'"extra":' not in raw and _has_rules_in_order(event):
        # The same as below, some times faster.
        seq = b"%d" % event.seq
        told = _encode(event)
        if raw == b'{"seq":' + seq + start[1] + told[start[0] + len(seq) :]:
            return True
    return canonical(event) == raw


def _has_rules_in_order(event: Event) -> bool:
    if not isinstance(event, GameStart):
        return True
    rules = event.ruleset
    if len(rules) < 2 and "deck" not in rules:
        return True
    deck = rules.get("deck")
    return list(_in_order(rules, OPTIONS)) == list(rules) and (
        not isinstance(deck, Mapping) or list(_in_order(deck, ORDER)) == list(deck)
    )


def _is_plain(event: Event, raw: bytes) -> bool:
    """Whether free values of a line surely hold no integer past 64 bits and are not nested too deep."""
    if event.meta is UNSET and (not isinstance(event, GameStart) or _is_flat(event.ruleset)):
        return True
    return raw.count(b"[") + raw.count(b"{") <= _SURELY_SHALLOW and not _LONG_NUMBER.search(raw)


def _is_flat(values: Mapping[str, Any]) -> bool:
    """Whether all values are words, flags or small numbers."""
    for value in values.values():
        if value.__class__ is int:
            if not -_SMALL < value < _SMALL:
                return False
        elif value.__class__ is not str and value.__class__ is not bool:
            return False
    return True


def canonical(event: Event) -> bytes:
    """Return the canonical bytes of an event, without the newline.

    Raises `TypeError` for a value in `meta` or `extra` that JSON can't hold.

    >>> from ono_replay.rules.events import Draw
    >>> canonical(Draw(seq=5, seat=0, card="9", at_ms=12))
    b'{"seq":5,"type":"draw","seat":0,"card":"9","at_ms":12}'
    """
    splice = _SPLICES.get(event.__class__)
    if splice is None or event.extra is not UNSET:
        return _encode(event_keys(event))
    start, middle = splice
    seq = b"%d" % event.seq
    return b'{"seq":' + seq + middle + _encode(event)[start + len(seq) :]


def event_keys(event: Event) -> dict[str, Any]:
    """Return an event as the object of its line, keys in canonical order, arrays as tuples.

    >>> from ono_replay.rules.events import Draw
    >>> event_keys(Draw(seq=5, seat=0, card="9"))
    {'seq': 5, 'type': 'draw', 'seat': 0, 'card': '9'}
    """
    if isinstance(event, UnknownEvent):
        keys: dict[str, Any] = {"seq": event.seq, "type": event.name}
    else:
        keys = {"seq": event.seq, "type": event.type}
        _add_own(keys, event, _OWN[event.__class__])
    if event.extra is not UNSET:
        keys.update(event.extra)
    if event.at_ms is not None:
        keys["at_ms"] = event.at_ms
    if event.irregular:
        keys["irregular"] = True
    if event.meta is not UNSET:
        keys["meta"] = event.meta
    return keys


def _add_own(keys: dict[str, Any], record: msgspec.Struct, fields: tuple[tuple[str, Any], ...]) -> None:
    for name, default in fields:
        value = getattr(record, name)
        if value is default or (value is False and default is False):
            continue
        if isinstance(value, msgspec.Struct):
            value = _part_keys(value)
        elif name == "players":
            value = tuple(map(_part_keys, value))
        elif name == "ruleset":
            value = _in_order(value, OPTIONS)
            if isinstance(value.get("deck"), Mapping):
                value["deck"] = _in_order(value["deck"], ORDER)
        keys[name] = value


def _part_keys(part: Any) -> dict[str, Any]:
    """Return an object inside an event with its unknown keys last."""
    keys: dict[str, Any] = {}
    cls = part.__class__
    if cls not in _OWN:
        _OWN[cls] = _own_fields(cls)
    _add_own(keys, part, _OWN[cls])
    if part.extra is not UNSET:
        keys.update(part.extra)
    return keys


def _in_order(found: Mapping[str, Any], order: Iterable[str]) -> dict[str, Any]:
    """Return the keys in a given order, those that are not in it last, as they stood."""
    known = {key: found[key] for key in order if key in found}
    return {**known, **found} if len(known) < len(found) else known


def write_events(events: Iterable[Event], file: BinaryIO) -> int:
    """Write events as canonical lines and return how many there were."""
    written = 0
    for event in events:
        file.write(canonical(event) + b"\n")
        written += 1
    return written


def encode_game(events: Iterable[Event]) -> bytes:
    r"""Return events as the bytes of a plain log.

    >>> from ono_replay.rules.events import Comment
    >>> encode_game([Comment(seq=1, text="hi")])
    b'{"seq":1,"type":"comment","text":"hi"}\n'
    """
    return b"".join(canonical(event) + b"\n" for event in events)


def digest_of(lines: Iterable[bytes]) -> str:
    """Return the digest of canonical lines (given without newlines), as `game_end.digest` has it.

    >>> digest_of([])
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    """
    hashed = hashlib.sha256()
    for line in lines:
        hashed.update(line + b"\n")
    return "sha256:" + hashed.hexdigest()
