"""The table recorder in a real pseudo-terminal: questions, entries, a killed terminal, the live view."""

import io
import os
import re
import signal
import sys

import pexpect
import pytest

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.record import Recorder, Table

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
ENTRY = r"entry \(\? help, q leave\): "


class Terminal:
    """A terminal with a command in it."""

    def __init__(self, home, *words, size=(40, 100), **environment):
        self.seen = io.StringIO()
        surroundings = {
            name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")
        }
        surroundings |= {
            "ONO_REPLAY_HOME": str(home),
            "TERM": "xterm-256color",
            "PYTHONUTF8": "1",
            **environment,
        }
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "ono_replay", *map(str, words)],
            env=surroundings,
            encoding="utf-8",
            codec_errors="replace",
            timeout=20,
            dimensions=size,
        )
        self.child.logfile_read = self.seen
        self.child.delaybeforesend = None

    def answer(self, question, text):
        self.child.expect(question)
        self.child.sendline(text)

    def enter(self, *entries):
        for entry in entries:
            self.answer(ENTRY, entry)

    def wait_for(self, pattern):
        self.child.expect(pattern)
        return self.child.match

    def screen(self):
        """What has been shown since the screen was last cleared, without colours, up to the next entry."""
        self.child.expect(ENTRY)
        return ESCAPES.sub("", (self.child.before or "").rpartition("\x1b[2J")[2])

    def colours(self):
        return (self.child.before or "").rpartition("\x1b[2J")[2]

    def end(self):
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus

    def kill(self):
        self.child.kill(signal.SIGKILL)
        self.child.wait()


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def report_of(path):
    (report,) = validate([str(path)])
    assert isinstance(report, GameReport)
    return report


def test_a_new_user_records_a_game_of_three(home):
    """One undo, one illegal card, one elimination, one kill -9: a valid log."""
    terminal = Terminal(home, "record")
    terminal.answer("players in seat order, names with commas: ", "Ann, Jürgen, Cy")
    terminal.answer(r"edition, 1980 or 2022 \(Enter: 2022\): ", "")
    terminal.answer("house rules", "")
    terminal.answer("who deals", "Cy")
    terminal.enter(*["10"] * 8, "8")
    terminal.enter("7", "undo")
    terminal.answer(ENTRY, "p")
    terminal.answer(ENTRY, "10")
    # 88 + 10 is legal: the second of the pair is not.
    terminal.answer(ENTRY, "9")
    assert "ONO303" in terminal.wait_for(r"ONO303[^\r]*")[0]
    terminal.answer(r"Let it stand\? \[y/N\]", "n")
    terminal.answer(ENTRY, "out")
    terminal.answer("cards laid down", "9 9 8 o")
    assert "out" in terminal.screen()
    terminal.kill()

    terminal = Terminal(home, "record", "--resume")
    shown = terminal.screen()
    assert "eliminated: 9 9 8 ono_99" in shown
    assert "total 98" in shown
    terminal.child.sendline("0")
    terminal.answer(ENTRY, "out")
    terminal.answer("cards laid down", "")
    terminal.answer("Enter ends the game", "")
    terminal.answer("Enter closes the log", "")
    path = ESCAPES.sub("", terminal.wait_for("Finished: ([^\r]+)")[1])
    terminal.answer(r"put it into the library .+\? \[y/N\]", "y")
    assert terminal.end() == 0
    assert list((home / "library").rglob("*.parquet"))
    report = report_of(path)
    assert (report.verdict, report.errors, report.warnings) == ("valid", 0, 0)


def test_the_screen(home, tmp_path):
    log = tmp_path / "game.ono.jsonl"
    terminal = Terminal(home, "record", log, "-e", "2022", "-p", "Ann,Bo,Cy")
    assert re.search(r"▶\s+0\s+Ann", terminal.screen())
    terminal.child.sendline("7")
    shown = terminal.screen()
    assert re.search(r"▶\s+1\s+Bo\s+4 cards", shown)
    assert "Ann (seat 0) plays 7: 7" in shown
    assert "↻ clockwise" in shown
    assert shown.count("██████") == 1, "the top of a big seven"
    terminal.child.sendline("r")
    assert "↺ counter-clockwise" in terminal.screen()
    terminal.child.sendline("p")
    shown = terminal.screen()
    assert re.search(r"▶\s+2\s+Cy\s+4 cards\s+owes two", shown)
    assert "Cy to play the first of TWO cards" in shown
    terminal.child.sendline("3")
    assert "owes the second" in terminal.screen()
    terminal.child.sendline("x")
    assert "ONO110: 'x' is no entry" in terminal.screen()
    terminal.child.sendline("?")
    terminal.wait_for("four ONO 99 are discarded")
    terminal.answer("Enter goes on", "")
    terminal.enter("q")
    assert str(log) in terminal.wait_for("Go on with: ono-replay record ([^\r]+) --resume")[1]
    assert terminal.end() == 0
    assert Table(Recorder.resume(log)).state.total == 10


def test_a_game_broken_off_after_it_was_decided_has_no_winner(home, tmp_path):
    log = tmp_path / "game.ono.jsonl"
    terminal = Terminal(home, "record", log, "-e", "2022", "-p", "Ann,Bo")
    terminal.enter("7", "out")
    terminal.answer("cards laid down", "")
    terminal.answer("Enter ends the game", "abandon")
    terminal.answer(r"Break it off all the same, without a winner\? \[y/N\]", "")
    terminal.wait_for("not entered: abandon")
    terminal.answer("Enter ends the game", "abandon")
    terminal.answer("all the same", "y")
    terminal.wait_for("The game is broken off; nobody wins")
    terminal.child.expect("Enter closes the log")
    assert "wins." not in (terminal.child.before or "").replace("nobody wins.", "")
    terminal.child.sendline("q")
    assert terminal.end() == 0
    follower = Terminal(home, "follow", log)
    follower.wait_for("The game is broken off; nobody wins")
    assert follower.end() == 0
    assert "Ann wins" not in follower.seen.getvalue()


def test_a_question_takes_no_entry_for_an_answer(home, tmp_path):
    terminal = Terminal(home, "record", tmp_path / "game.ono.jsonl", "-e", "2022", "-p", "Ann,Bo")
    terminal.enter("7 by Ann", "9 by 0")
    terminal.answer(r"Let it stand\? \[y/N\]", "8")
    terminal.answer(r"y, n or Enter, not '8'", "")
    terminal.wait_for("not entered: 9 by 0")
    terminal.enter("hold")
    terminal.wait_for("ONO311")
    terminal.enter("8")
    assert "total 15" in terminal.screen()
    terminal.child.sendline("q")
    assert terminal.end() == 0


def test_the_total_is_coloured_near_the_limit(home, tmp_path):
    terminal = Terminal(home, "record", tmp_path / "game.ono.jsonl", "-e", "2022", "-p", "Ann,Bo")
    terminal.enter(*["10"] * 8)
    colours = []
    for entry in ("8", "1", "5"):
        terminal.screen()
        colours.append(re.findall(r"\x1b\[(1(?:;\d+)?)m +█", terminal.colours())[0])
        terminal.child.sendline(entry)
    terminal.screen()
    colours.append(re.findall(r"\x1b\[(1(?:;\d+)?)m +█", terminal.colours())[0])
    assert colours == ["1", "1", "1;33", "1;31"], "80, 88, 89, 94"
    terminal.child.sendline("q")
    assert terminal.end() == 0


def test_a_total_that_was_announced_wrong(home, tmp_path):
    log = tmp_path / "game.ono.jsonl"
    terminal = Terminal(home, "record", log, "-e", "2022", "-p", "Ann,Bo")
    terminal.enter("7", "= 8")
    terminal.answer(r"By the cards the total is 7. Did the table play on from another\? \[y/N\]", "n")
    terminal.enter("= 8")
    terminal.answer("By the cards the total is 7", "y")
    shown = terminal.screen()
    assert "Ann (seat 0) plays 7: 8  (let stand)" in shown
    assert "announced: 8" in shown
    terminal.child.sendline("q")
    assert terminal.end() == 0
    assert report_of(log).errors == 0


def test_a_points_match_asks_for_the_cards_left(home, tmp_path):
    log = tmp_path / "game.ono.jsonl"
    rules = ["-r", "match=points_last_standing", "-r", "points_target=100", "-r", "max_total=20"]
    terminal = Terminal(home, "record", log, "-e", "1980", "-p", "Ann,Bo", *rules)
    terminal.enter("10", "10", "out")
    terminal.answer("bust card", "5")
    terminal.answer("cards laid down", "7 9 o")
    terminal.answer(r"1 card of Ann \(seat 0\)", "r")
    terminal.answer(r"4 cards of Bo \(seat 1\)", "10 10 10 10 10")
    terminal.wait_for("5 cards; the hand has 4")
    terminal.answer(r"4 cards of Bo \(seat 1\)", "=99")
    terminal.wait_for(r"Bo \(seat 1\) has 0 to 80 points of this round, not 99")
    terminal.answer(r"4 cards of Bo \(seat 1\)", "10, 10 ? 5")
    shown = terminal.screen()
    assert "76 points" in shown, "25 for being out, 7, 9, 20 for the ono_99, 15 for the reverse"
    assert "25 points + ?" in shown
    assert "tell all: points N N" in shown
    terminal.child.sendline("points 76, 31")
    shown = terminal.screen()
    assert "31 points" in shown
    assert "+ ?" not in shown
    terminal.child.sendcontrol("d")
    assert terminal.end() == 0
    assert report_of(log).errors == 0
    assert "61 points" not in terminal.seen.getvalue(), "no standing before the points are told"


def test_eight_players_on_24_rows(home, tmp_path):
    names = "Ann,Bo,Cy,Dee,Eve,Flo,Gus,Maximiliane-Theodora"
    terminal = Terminal(home, "record", tmp_path / "l.ono.jsonl", "-e", "1980", "-p", names, size=(24, 80))
    shown = terminal.screen()
    assert "Ann starts; another: starter NAME" in shown
    terminal.child.sendline("starter max")
    terminal.screen()
    terminal.child.sendline("p by Max")
    for entry in ("x", "r", "7", "out"):
        shown = terminal.screen()
        lines = shown.replace("\r", "").split("\n")
        assert len(lines) <= 24, shown
        assert max(map(len, lines)) <= 79
        terminal.child.sendline(entry)
    terminal.answer("cards laid down", "7 8 9")
    terminal.answer(r"3 cards; the hand has 4", "")
    shown = terminal.screen()
    terminal.child.sendline("?")
    terminal.wait_for("Enter goes on")
    terminal.child.sendline("")
    terminal.enter("q")
    assert terminal.end() == 0


def test_a_chip_is_paid(home, tmp_path):
    terminal = Terminal(home, "record", tmp_path / "game.ono.jsonl", "-e", "1980", "-p", "Ann,Bo")
    terminal.enter("7", "out")
    terminal.answer("cards laid down", "")
    assert "Round 1 is over: Bo (seat 1) pays a chip (2 left)" in terminal.screen()
    terminal.child.sendline("q")
    assert terminal.end() == 0


def test_who_starts_is_asked_where_it_is_free(home, tmp_path):
    log = tmp_path / "game.ono.jsonl"
    rules = ["-r", "match=chips", "-r", "next_starter=any"]
    terminal = Terminal(home, "record", log, "-e", "2022", "-p", "Ann,Bo,Cy", *rules)
    terminal.enter("7", "left 1")
    terminal.answer("who starts", "Cy")
    assert "Cy to play" in terminal.screen()
    terminal.child.sendcontrol("c")
    assert "Left open" in terminal.wait_for("Left open[^\r]*")[0]
    assert terminal.end() == 0


def test_players_and_rules_are_remembered(home):
    terminal = Terminal(home, "record")
    terminal.answer("players in seat order", "Ann, Bo")
    terminal.answer("edition", "1980")
    terminal.answer("house rules", "match=single max_total=99")
    terminal.answer("a name to remember", "kitchen")
    terminal.answer("who deals", "")
    terminal.enter("abandon")
    terminal.answer("Break the game off", "y")
    terminal.answer("Enter closes", "")
    terminal.answer("put it into the library", "n")
    assert terminal.end() == 0
    terminal = Terminal(home, "record")
    terminal.wait_for("1  Ann")
    terminal.answer(r"names or numbers with commas \(Enter: Ann, Bo\): ", "2, 1, Cy")
    terminal.wait_for("kitchen: edition 1980, max_total 99, match single")
    # Other players begin without these house rules.
    terminal.answer(r"\(Enter: 1980\): ", "1")
    terminal.answer("who deals", "7")
    terminal.wait_for("There is no seat 7; there are 0 Bo, 1 Ann, 2 Cy")
    terminal.answer("who deals", "1")
    assert "Cy to play" in terminal.screen()
    terminal.child.sendline("q")
    path = ESCAPES.sub("", terminal.wait_for("Left open: ([^\r]+)")[1])
    assert terminal.end() == 0
    with Recorder.resume(path) as recorder:
        assert recorder.names == ["Bo", "Ann", "Cy"]
        assert recorder.ruleset.max_total == 99


def test_every_question_leads_back_and_out(home):
    terminal = Terminal(home, "record")
    terminal.answer("players in seat order", "back")
    terminal.wait_for("this is the first question")
    terminal.answer("players in seat order", "A, B, C, D, E, F, G, H, I")
    terminal.answer("edition", "")
    terminal.wait_for("9 players can not play")
    terminal.answer("edition", "back")
    terminal.answer("players in seat order", "Ann, ann")
    terminal.wait_for("Two players are called Ann and ann")
    terminal.answer("players in seat order", "Zoe, Zoë")
    terminal.answer(r"two players are named Zoe and Zoë; is that right\? \[y/N\]", "")
    terminal.answer("players in seat order", "Ann, Chloé")
    terminal.answer("edition", "2022")
    terminal.answer("house rules", "back")
    terminal.answer("edition", "1980")
    terminal.answer("house rules", "yes")
    terminal.wait_for("name them")
    terminal.answer("house rules", "max_total=99, ono_99_on_zero = yes")
    terminal.answer("a name to remember", "")
    terminal.answer("who deals", "back")
    terminal.answer("house rules", "no")
    terminal.answer("who deals", "chl")
    terminal.wait_for("recorded in ")
    terminal.enter("q")
    path = ESCAPES.sub("", terminal.wait_for("Left open: ([^\r]+)")[1])
    assert terminal.end() == 0
    with Recorder.resume(path) as recorder:
        assert recorder.ruleset.max_total == 98
        assert recorder.start.dealer == 1
    terminal = Terminal(home, "record")
    terminal.wait_for("left open: [^\r]*: Ann, Chloé; round 1, total 0")
    terminal.answer("players in seat order", "Ann, chloe")
    terminal.answer(r"is chloe a new player, not Chloé\? \[y/N\]", "")
    terminal.answer(r"edition, 1980 or 2022 \(Enter: 1980\)", "q")
    terminal.wait_for("Nothing was recorded")
    assert terminal.end() == 0
    assert len(list(home.rglob("*.jsonl"))) == 1


def test_resume_asks_which_of_several(home):
    folder = home / "recordings"
    folder.mkdir(parents=True)
    for number, names in enumerate((["Ann", "Bo"], ["Cy", "Dee"], ["Eve", "Flo"])):
        path = folder / f"{number}.ono.jsonl"
        table = Table(Recorder.create(path, "2022", names, view="public"))
        table.enter("7")
        if number == 2:
            table.enter("abandon")
            table.close()
        table.recorder.close()
        os.utime(path, (number, number))
    terminal = Terminal(home, "record", "--resume")
    terminal.wait_for("1  1.ono.jsonl: Cy, Dee; round 1, total 7")
    terminal.wait_for("2  0.ono.jsonl: Ann, Bo")
    terminal.answer(r"go on with which \(Enter: 1, q: leave\): ", "3")
    terminal.answer("go on with which", "2")
    assert "Bo to play" in terminal.screen()
    terminal.child.sendline("q")
    assert terminal.end() == 0


def test_a_plain_terminal_will_do(home, tmp_path):
    names = "Ann\x1b[2J,\u202eBo"
    log = tmp_path / "game.ono.jsonl"
    surroundings = {
        "TERM": "dumb",
        "NO_COLOR": "1",
        "PYTHONUTF8": "0",
        "LC_ALL": "C",
        "PYTHONIOENCODING": "ascii",
    }
    terminal = Terminal(home, "record", log, "-e", "2022", "-p", names, **surroundings)
    terminal.enter("7")
    terminal.child.expect(ENTRY)
    assert "\x1b[2J" not in ESCAPES.sub("", terminal.seen.getvalue()), "a name does not clear the screen"
    assert r"Ann\u{1b}[2J" in terminal.seen.getvalue()
    assert r"\u{202e}Bo" in terminal.seen.getvalue()
    assert "######" in terminal.seen.getvalue()
    terminal.child.sendline("q")
    assert terminal.end() == 0


def test_nothing_is_begun_where_nothing_was_answered(home):
    terminal = Terminal(home, "record")
    terminal.child.expect("players")
    terminal.child.sendcontrol("d")
    terminal.wait_for("Nothing was recorded")
    assert terminal.end() == 0
    assert not list(home.rglob("*.jsonl"))


def test_follow_shows_the_table_live(home, tmp_path):
    log = tmp_path / "game.ono.jsonl"
    table = Table(Recorder.create(log, "2022", ["Ann", "Bo"], view="public"))
    terminal = Terminal(home, "follow", log)
    terminal.wait_for("Ann[^\r]* to play")
    table.enter("7")
    terminal.wait_for(r"Ann \(seat 0\) plays 7: 7")
    with log.open("ab") as file:
        file.write(b'{"seq":5,"type":"dr')
    table.recorder.close()
    table = Table(Recorder.resume(log))
    table.enter("8")
    terminal.wait_for(r"Bo \(seat 1\) plays 8: 15")
    table.enter("left 0")
    table.enter("end")
    terminal.wait_for("The game has ended")
    assert terminal.end() == 0
    table.close()
