"""`ono-replay show`, and the table that it and `step` draw."""

import io
import re
from pathlib import Path

import pytest

from ono_replay.check.render.excerpt import cell_width
from ono_replay.check.render.style import Style
from ono_replay.cli.main import run
from ono_replay.cli.seats import Look, table_lines
from ono_replay.replay import read_replay, read_replays
from tests.unit.test_branch import ROUND, start

LOGS = Path(__file__).parents[1] / "data" / "conformance" / "logs"
LOG = start(edition='"2022"') + ROUND
DRAWN = Look(width=80)
PLAIN = Look(drawn=False)


def lines_at(log, seq, look):
    replay = read_replay(io.BytesIO(log.encode()))
    replay.seek(seq)
    return table_lines(replay, look)


class TestDrawn:
    def test_the_whole_picture(self):
        assert lines_at(LOG, 7, DRAWN) == [
            "round 1  event 7 (draw) of 11  edition 2022, single  g",
            "P1 draws 3",
            "",
            "  1 P1",
            "    [3] [4] [10] [−10]",
            "",
            "    ██████    total 7 of 98",
            "        ██    ↻ clockwise",
            "        ██    P0 to play, who owes two cards",
            "        ██    draw pile 102",
            "        ██    discard pile 2, PLAY 2 on top",
            "",
            "▶ 0 P0 owes 2",
            "    [0] [4] [9] [10]",
            "",
            "P0 could play: 0, 4, 9, 10",
        ]

    def test_a_long_id_pushes_nothing_away(self):
        log = LOG.replace('"game_id":"g"', f'"game_id":"{"9f" * 60}"')
        head = lines_at(log, 7, DRAWN)[0]
        assert head.startswith("round 1  event 7 (draw) of 11  edition 2022, single  9f9f")
        assert cell_width(head) <= 80

    def test_from_a_seat_the_other_hands_are_not_seen(self):
        lines = lines_at(LOG, 7, Look(seat=1))
        assert lines[3:5] == ["▶ 0 P0 owes 2", "    [?] [?] [?] [?]"]
        assert lines[12:] == ["  1 P1", "    [3] [4] [10] [−10]"]

    def test_no_hand_is_seen(self):
        assert not re.search(r"\[\d", "".join(lines_at(LOG, 7, Look(hide=True))))

    @pytest.mark.parametrize(
        ("total", "colour"), [(88, "1"), (89, "1;33"), (93, "1;33"), (94, "1;31"), (98, "1;31")]
    )
    def test_the_total_is_coloured_near_the_limit(self, total, colour):
        log = LOG.replace('"card":"7","total":7', f'"card":"7","total":{total}')
        assert any(
            f"\x1b[{colour}m" in line and "█" in line
            for line in lines_at(log, 4, Look(style=Style(colour=True)))
        )

    def test_a_terminal_without_signs(self):
        shown = "\n".join(lines_at(LOG.replace('"P1"', f'"{"x" * 300}"'), 7, Look(ascii=True, width=60)))
        assert shown.isascii()
        assert "> 0 P0 owes 2" in shown
        assert "[-10]" in shown

    def test_seats_go_clockwise_around_the_table(self):
        log = (
            start(players=5, edition='"2022"')
            + '{"seq":1,"type":"round_start","round":1,"dealer":null,"starter":0}\n'
        )
        rows = [re.findall(r"\d P\d", line) for line in lines_at(log, 1, Look(seat=2))]
        assert [row for row in rows if row] == [["4 P4", "0 P0", "1 P1"], ["3 P3", "2 P2"]]

    def test_a_narrow_terminal_and_a_large_table_get_plain_lines(self):
        assert any(line.startswith("seat 0, P0: ") for line in lines_at(LOG, 7, Look(width=50)))
        many = start(players=9, edition='"1980"', players_max=9)
        assert sum(line.startswith("seat ") for line in lines_at(many, 0, DRAWN)) == 9

    def test_players_with_one_name_are_told_apart(self):
        lines = lines_at(LOG.replace('"P1"', '"P0"'), 7, DRAWN)
        assert lines[1] == "P0 (1) draws 3"
        assert "    P0 (0) to play" in lines[8].replace("██", "").replace("        ", "    ")

    def test_what_was_found_stands_with_the_event(self):
        log = LOG.replace('"card":"7","total":7', '"card":"7","total":8')
        assert lines_at(log, 4, DRAWN)[2].startswith("error ONO306 P0 (seat 0) plays 7")

    def test_a_hostile_name_can_not_leave_its_line(self):
        lines = lines_at(LOG.replace('"P0"', '"a\\u001b[2J\\nb\\u202e"'), 6, DRAWN)
        assert not re.search("[\x1b\n\u202e]", "".join(lines))


def test_plain_lines():
    assert lines_at(LOG, 9, PLAIN) == [
        "round 1  event 9 (play) of 11  edition 2022, single  g",
        "P0 plays 9: the total is 16, one more card to play",
        "total: 16 (limit 98)",
        "direction: clockwise",
        "next: P0 to draw 1 card, then P0 to play, the second of two cards",
        "piles: draw pile 102, discard pile 3, 9 on top",
        "seat 0, P0: 0, 4, 10",
        "seat 1, P1: 3, 4, 10, −10",
    ]


@pytest.mark.parametrize("path", sorted(LOGS.iterdir()), ids=lambda path: path.name.partition(".")[0])
def test_every_moment_of_every_game_can_be_shown(path):
    """Also of faulty ones; nothing is wider than the screen."""
    for replay in read_replays(path):
        for index in range(-1, len(replay)):
            replay.index = index
            for line in table_lines(replay, Look(width=64)):
                assert cell_width(line) <= 64, line
            assert table_lines(replay, PLAIN)


class TestCommand:
    @pytest.fixture
    def log(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "a.jsonl").write_text(LOG + LOG.replace('"g"', '"h"').replace('"P0"', '"Zoe"'))

    def test_without_a_terminal_it_is_plain_and_the_last_moment(self, log, capsys):
        assert run(["show", "a.jsonl"]) == 0
        shown, told = capsys.readouterr()
        assert told == "ono-replay: the log has several games; this is the first, g (--game ID)\n"
        assert shown.startswith(
            "round 1  event 11 (draw) of 11  edition 2022, single  g\nP0 draws 2\ntotal: 16"
        )

    def test_a_moment_of_a_game_from_a_seat(self, log, capsys):
        assert run(["show", "a.jsonl", "--game", "h", "--seq", "7", "--seat", "1"]) == 0
        shown = capsys.readouterr().out
        assert "seat 0, Zoe: ?, ?, ?, ?\n" in shown
        assert "seat 1, P1: 3, 4, 10, −10\n" in shown

    def test_a_seat_by_the_name_of_its_player(self, log, capsys):
        assert run(["show", "a.jsonl", "--game", "h", "--seq", "7", "--seat", "zoe"]) == 0
        shown = capsys.readouterr().out
        assert "seat 0, Zoe: 0, 4, 9, 10\n" in shown
        assert "seat 1, P1: ?, ?, ?, ?\n" in shown

    def test_before_the_first_round(self, log, capsys):
        assert run(["show", "a.jsonl", "--seq", "0"]) == 0
        shown = capsys.readouterr().out
        assert (
            "before the first round  edition 2022, single  g\nONO 99, edition 2022: 2 players, a single round\n"
            in shown
        )

    @pytest.mark.parametrize(
        ("arguments", "why"),
        [
            (["--seq", "10"], "no event 10 stands in this game; the nearest is 9"),
            (["--game", "x\x07"], "a.jsonl: no game has the id 'x\\u{7}'; there is 'g', 'h'"),
            (["--game", "gg"], "a.jsonl: no game has the id 'gg'; the nearest: 'g'"),
            (["--seat", "2"], "there is no seat 2; a seat: 0 P0, 1 P1"),
            (["--seat", "-1"], "there is no seat -1; a seat: 0 P0, 1 P1"),
            (["--game", "h", "--seat", "Ann"], "there is no seat Ann; a seat: 0 Zoe, 1 P1"),
        ],
    )
    def test_what_is_not_there_is_2(self, log, capsys, arguments, why):
        assert run(["show", "a.jsonl", *arguments]) == 2
        assert capsys.readouterr().err.splitlines()[-1] == f"ono-replay: {why}"

    def test_a_log_without_games_is_2(self, log, capsys, tmp_path):
        (tmp_path / "empty.jsonl").write_text("")
        assert run(["show", "empty.jsonl"]) == 2
        assert capsys.readouterr().err == "ono-replay: empty.jsonl: there is no game in it\n"

    def test_a_game_whose_rules_can_not_be_read(self, log, capsys, tmp_path):
        (tmp_path / "bad.jsonl").write_text(LOG.replace('"2022"', '"1999"'))
        assert run(["show", "bad.jsonl"]) == 0
        assert "can not be read" in capsys.readouterr().out
