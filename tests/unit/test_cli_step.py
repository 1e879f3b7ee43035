"""`ono-replay step`: what each key does, without a terminal."""

import io
from pathlib import Path

import pytest

from ono_replay.check.render.excerpt import cell_width
from ono_replay.cli.keys import keys_in
from ono_replay.cli.main import run
from ono_replay.cli.seats import Look
from ono_replay.cli.step import HELP, Walk
from ono_replay.replay import read_replay
from ono_replay.rules.events import Play
from tests.unit.test_branch import ROUND, start

LOGS = Path(__file__).parents[1] / "data" / "conformance" / "logs"
MATCH = LOGS / "game-26-1980-points-low-score-seat.ono.jsonl"


def walk_of(source, **look):
    return Walk(read_replay(source), Look(**look))


def seq(walk):
    return walk.replay.event.seq if walk.replay.event else 0


def press(walk, keys):
    for key in keys if isinstance(keys, list) else keys_in(keys):
        walk.press(key)
    return seq(walk)


@pytest.fixture
def walk():
    """At the beginning of a match of three rounds."""
    return walk_of(MATCH)


@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_line_of_keys_fits_an_old_terminal(ascii_only):
    foot = walk_of(MATCH, ascii=ascii_only, width=200).lines(24)[-1]
    assert "jump" in foot
    assert "q quit" in foot
    assert cell_width(foot) <= 79
    assert foot.isascii() == ascii_only


def test_event_by_event(walk):
    assert [press(walk, key) for key in ("n", " ", "\x1b[C", "b", "\x1b[D")] == [1, 2, 3, 2, 1]


def test_the_ends_are_told(walk):
    press(walk, "bb")
    assert walk.note == "this is the beginning"
    assert press(walk, "Gn") == 58
    assert walk.note == "this is the end"
    assert press(walk, "g") == 0


def test_turn_by_turn(walk):
    events = walk.replay.events
    seen = []
    while not walk.note:
        press(walk, "t")
        seen.append(seq(walk))
    assert walk.note == "no turn after this"
    kinds = {event.seq: event.type for event in events}
    assert {kinds[number] for number in seen} <= {"round_start", "play", "eliminate", "round_end", "game_end"}
    assert "draw" not in {kinds[number] for number in seen[:-1]}
    assert press(walk, "T") == seen[-3]


def test_round_by_round(walk):
    assert [press(walk, key) for key in ("r", "r", "r", "r", "R")] == [1, 30, 44, 44, 30]


def test_by_meaning():
    replay = read_replay(MATCH)
    falls = [event.seq for event in replay.events if event.type == "eliminate"]
    walk = Walk(replay, Look())
    assert [press(walk, "e") for _ in falls] == falls
    press(walk, "e")
    assert walk.note == "no elimination after this"
    assert press(walk, "E") == falls[-2]
    press(walk, "g")
    first = press(walk, "p")
    assert isinstance(replay.event, Play)
    assert replay.event.card == "double_play"
    assert press(walk, "P") == first
    press(walk, "f")
    assert walk.note == "no fault after this"


def test_to_a_fault():
    log = start(edition='"2022"') + ROUND.replace('"card":"9","total":16', '"card":"9","total":17')
    walk = walk_of(io.BytesIO(log.encode()))
    assert press(walk, "f") == 9
    assert any("error ONO306" in line for line in walk.lines(24))


def test_jumps(walk):
    assert press(walk, "30\r") == 30
    assert press(walk, "+5\r") == 35
    assert press(walk, "-10\r") == 25
    assert press(walk, "+999\r") == 58
    assert press(walk, "-999\r") == 0
    assert press(walk, "99\r") == 0
    assert walk.note == "no event 99 stands in this game; the nearest is 58"
    press(walk, "+\r")
    assert walk.note.startswith("+: type a seq")
    assert press(walk, "0\r") == 0


def test_a_jump_is_shown_and_can_be_changed(walk):
    press(walk, "51")
    assert walk.lines(24)[-1] == "jump to: 51_"
    assert press(walk, ["backspace", "enter"]) == 5
    press(walk, ["7", "escape"])
    assert walk.typed == ""
    assert press(walk, "7n") == 6


def test_back_to_where_one_was(walk):
    press(walk, "u")
    assert walk.note == "there was no jump yet"
    press(walk, "nnnG")
    assert press(walk, "u") == 3
    assert press(walk, "u") == 58


def test_seats_and_hidden_hands():
    walk = walk_of(io.BytesIO((start(edition='"2022"') + ROUND).encode()))
    press(walk, "5\r")
    assert "[−10]" in "".join(walk.lines(24))
    press(walk, "v")
    assert walk.note == "from seat 0"
    assert "[−10]" not in "".join(walk.lines(24))
    press(walk, "v")
    assert "[−10]" in "".join(walk.lines(24))
    press(walk, "v")
    assert walk.note == "all hands"
    press(walk, "h")
    assert not {"[0]", "[−10]"} & set("".join(walk.lines(24)).split())
    press(walk, "h")
    assert "[−10]" in "".join(walk.lines(24))


def test_help_and_back(walk):
    press(walk, "n?")
    shown = walk.lines(24)
    assert shown[0] == "Keys"
    assert len(shown) == len(HELP) + 2
    assert press(walk, ["escape"]) == 1
    assert not walk.helping
    assert press(walk, "?n") == 1


@pytest.mark.parametrize("key", ["q", "eof"])
def test_quitting(walk, key):
    press(walk, [key])
    assert walk.done


def test_keys_for_nothing_do_nothing(walk):
    assert press(walk, ["x", "\x01", "ü", "enter", "backspace", "escape"]) == 0
    assert not walk.done


@pytest.mark.parametrize("height", [1, 2, 10, 24, 50])
def test_it_fills_the_screen_and_no_more(walk, height):
    press(walk, "21\r")
    assert len(walk.lines(height)) == height
    press(walk, "?")
    assert len(walk.lines(height)) <= height


def test_a_terminal_without_signs(walk):
    walk.look = Look(ascii=True)
    assert walk.lines(24)[-1].isascii()
    press(walk, "?")
    assert "\n".join(walk.lines(24)).isascii()


def test_every_game_can_be_gone_through():
    for path in sorted(LOGS.glob("fault-*")):
        try:
            walk = walk_of(path)
        except KeyError:
            continue  # a file without a game
        for keys in ("t" * 30, "R", "ffF", "eeE", "ppP", "v", "G", "u", "h"):
            press(walk, keys)
            assert walk.lines(24)


def test_without_a_terminal_it_is_2(capsys):
    assert run(["step", str(MATCH)]) == 2
    assert capsys.readouterr().err == (
        "ono-replay: this needs a terminal; `ono-replay show` prints one moment of a game\n"
    )


def test_keys_of_terminals():
    typed = "\x1b[A\x1b[B\x1bOC\x1bOD\x1b[H\x1b[4~\x1b[6~\x1b[1;5C\x7f\x04\x1b"
    assert list(keys_in(typed)) == [
        "up", "down", "right", "left", "home", "end", "pgdn", "backspace", "eof", "escape",
    ]  # fmt: skip
