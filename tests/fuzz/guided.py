"""Coverage-guided fuzzing of what reads bytes of strangers, with atheris.

    python -m tests.fuzz.guided TARGET [CORPUS…] [-runs=N] [-max_total_time=SECONDS] …

TARGET is `lines` (the line decoder), `logs` (reader and validator, whole files) or `scanner` (the columnar scanner
against the decoder). The other arguments are libFuzzer's. What it finds is written to `crash-…` in the current folder.
"""

import io
import json
import sys
from collections.abc import Callable

import atheris

with atheris.instrument_imports(
    include=["ono_replay.log", "ono_replay.check", "ono_replay.rules", "json.decoder"]
):
    from ono_replay.log.jsonl import LineFault, RawObject, canonical, encode_value, parse_line
    from ono_replay.log.reader import read_log
    from ono_replay.log.shape import check_shape
    from ono_replay.log.streams import Unreadable
    from ono_replay.rules.events import Event
    from tests.fuzz.test_validator_damage import check

FAULTS = {"ONO101", "ONO102", "ONO104", "ONO109"}


def fuzz_line(data: bytes) -> None:
    """A line is an event in its canonical bytes, an object, or a fault with a code; and JSON is JSON."""
    found = parse_line(data)
    if isinstance(found, LineFault):
        assert found.code in FAULTS
        assert found.column is None or 0 <= found.column <= len(data)
        return
    json.loads(data)
    if isinstance(found, Event):
        assert canonical(found) == data
        return
    assert isinstance(found, RawObject)
    written = encode_value(found.keys)
    again = parse_line(written)
    assert not isinstance(again, LineFault), written
    shape = check_shape(found.keys, None)
    if shape.event is not None and shape.fault is None:
        bare = canonical(shape.event)
        same = parse_line(bare)
        assert isinstance(same, (Event, RawObject)), bare
        assert not isinstance(same, Event) or canonical(same) == bare


def fuzz_log(data: bytes) -> None:
    """Every line of a log has its record, and validator and replayer say the same of it; or it is no log at all."""
    try:
        for record in read_log(io.BytesIO(data)):
            assert record.event is not None or record.fault is not None
    except Unreadable:
        assert not data.startswith(b"{")
        return
    check(data, show=len(data) % 8 == 0)


def fuzz_scanner(data: bytes) -> None:
    """What the scanner takes of a line is what the decoder reads in it."""
    from tests.fuzz.test_scanner import START, take

    if b"\n" not in data:
        take([[START, data]] if not data.startswith(b'{"seq":0,') else [[data]])


TARGETS: dict[str, Callable[[bytes], None]] = {"lines": fuzz_line, "logs": fuzz_log, "scanner": fuzz_scanner}


def main() -> None:
    target, arguments = TARGETS[sys.argv[1]], sys.argv[2:]

    def run(data: bytes) -> None:
        target(data)

    atheris.Setup([sys.argv[0], *arguments], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
