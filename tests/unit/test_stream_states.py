"""States streamed are the states replayed, however long a game is and whatever is taken back."""

import io
import json
from pathlib import Path

import pytest

from ono_replay.replay import read_replays, stream_states
from tests.unit.test_branch import ROUND, start

LOGS = Path(__file__).parents[1] / "data" / "conformance" / "logs"
HEAD = start(view="public", edition='"2022"', deck='{"0":112}')


def long_game(events, undo_to=None):
    """A game of nothing but zeros, which ends with an undo."""
    rows = [{"type": "round_start", "round": 1, "dealer": None, "starter": 0}]
    rows += [{"type": "deal", "seat": seat, "cards": ["?"] * 4} for seat in (0, 1)]
    left, seat = 104, 0
    while len(rows) < events:
        rows.append({"type": "play", "seat": seat, "card": "0", "total": 0})
        if not left:
            rows.append({"type": "reshuffle", "count": 105})
            left = 105
        rows.append({"type": "draw", "seat": seat, "card": "?"})
        left, seat = left - 1, 1 - seat
    if undo_to is not None:
        rows.append({"type": "undo", "to": undo_to})
    return HEAD + "".join(json.dumps({"seq": seq, **row}) + "\n" for seq, row in enumerate(rows, 1))


def streamed(source):
    return [json.loads(line) for states in stream_states(source) for line in states]


def replayed(source):
    return [state for replay in read_replays(source) for state in replay.states_json()]


@pytest.mark.parametrize("path", sorted(LOGS.iterdir()), ids=lambda path: path.name.partition(".")[0])
def test_of_all_cases(path):
    assert streamed(path) == replayed(path)


@pytest.mark.parametrize("events", [1023, 1024, 1025, 3000])
@pytest.mark.parametrize("undo_to", [None, 2, 500])
def test_of_a_long_game(events, undo_to):
    log = long_game(events, undo_to).encode()
    found = streamed(io.BytesIO(log))
    assert found == replayed(io.BytesIO(log))
    assert found[-1]["seq"] == (undo_to or found[-1]["seq"])


def test_games_are_kept_apart():
    log = start(edition='"2022"') + ROUND
    both = (log + log.replace('"g"', '"hé"')).encode()
    games = list(stream_states(io.BytesIO(both)))
    assert [states.report.game_id for states in games] == ["g", "hé"]
    assert [len(list(states)) for states in games] == [10, 10]
    assert {json.loads(line)["game_id"] for line in games[1]} == {"hé"}
