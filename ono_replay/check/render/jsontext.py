"""Answers as JSON text: exactly the keys of the format, valid whatever a log or a file name holds."""

import codecs
import re
from typing import Any, TextIO

import msgspec

from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.log.terminal import escaped

_encode = msgspec.json.Encoder(enc_hook=str).encode
_SURROGATE = re.compile("[\\ud800-\\udfff]")
_NOT_ASCII = re.compile("[^\\x00-\\x7f]")


def game_object(report: GameReport) -> dict[str, Any]:
    """Return a report as the object of schemas/SPECIFICATION.md section 13."""
    return {
        "file": report.file,
        "game_id": report.game_id,
        "line": report.line,
        "events": report.events,
        "verdict": report.verdict,
        "errors": report.errors,
        "warnings": report.warnings,
        "unverified": report.unverified,
        "diagnostics": [diagnostic_object(found) for found in report.diagnostics],
    }


def summary_object(summary: Summary) -> dict[str, int]:
    """Return a summary as the object of schemas/SPECIFICATION.md section 13."""
    return {
        "files": summary.files,
        "games": summary.games,
        "valid": summary.valid,
        "unfinished": summary.unfinished,
        "invalid": summary.invalid,
        "events": summary.events,
        "errors": summary.errors,
        "warnings": summary.warnings,
        "unverified": summary.unverified,
    }


def diagnostic_object(found: Diagnostic) -> dict[str, Any]:
    """Return a diagnostic as the object of schemas/SPECIFICATION.md section 13."""
    return {
        "code": found.code,
        "name": found.name,
        "severity": found.severity,
        "file": found.file,
        "line": found.line,
        "game_id": found.game_id,
        "seq": found.seq,
        "seat": found.seat,
        "message": found.message,
        "expected": found.expected,
        "actual": found.actual,
        "legal": found.legal,
        "help": found.help,
        "knock_on": found.knock_on,
    }


def to_json(value: Any) -> str:
    r"""Return a value as one line of JSON.

    A lone surrogate, as a file name may hold, is written as `\u{…}` in words: no reader of JSON need take it.

    >>> to_json({"name": "Ann", "seats": (0, None)})
    '{"name":"Ann","seats":[0,null]}'
    """
    try:
        return _encode(value).decode()
    except UnicodeEncodeError:
        return _encode(_without_surrogates(value)).decode()


def write_json(stream: TextIO, text: str) -> None:
    """Write JSON text to a stream, escaping what acts on a terminal, and what its encoding lacks."""
    if not text.isascii() and not _is_utf8(stream):
        text = _NOT_ASCII.sub(_escape, text)
    stream.write(escaped(text))


def _is_utf8(stream: TextIO) -> bool:
    encoding = getattr(stream, "encoding", None)
    try:
        return encoding is None or codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        return False


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", value)
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(held) for key, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_surrogates(held) for held in value]
    return value
