"""Every single bit of a log flipped, every byte cut off: a record for each line, never an exception."""

import io
import re

import pytest

from ono_replay.bundle import bundle_path
from ono_replay.log.reader import read_log

SPECIFICATION = (bundle_path("schemas") / "SPECIFICATION.md").read_text(encoding="utf-8")
GAMES = re.findall(r"^```jsonl (?:valid|unfinished)\n(.*?)^```$", SPECIFICATION, re.MULTILINE | re.DOTALL)


def records(data):
    found = list(read_log(io.BytesIO(data)))
    assert all(record.event is not None or record.fault is not None for record in found)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_bit_flipped(game):
    data = game.encode()
    sound = records(data)
    for place in range(len(data)):
        line = data.count(b"\n", 0, place)
        for bit in range(8):
            damaged = bytearray(data)
            damaged[place] ^= 1 << bit
            found = records(bytes(damaged))
            assert found[:line] == sound[:line]


@pytest.mark.parametrize("game", GAMES)
def test_every_cut(game):
    data = game.encode()
    sound = records(data)
    for size in range(len(data)):
        found = records(data[:size])
        whole = data.count(b"\n", 0, size)
        assert found[:whole] == sound[:whole]
        assert len(found) <= whole + 1
