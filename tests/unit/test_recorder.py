"""The recorder: judged, on disk, then part of the game; refused or not written changes nothing."""

import errno
import io
import json
import threading
from datetime import UTC, datetime, timedelta

import pytest

from ono_replay.check.validator import validate
from ono_replay.log.jsonl import canonical, digest_of
from ono_replay.log.reader import read_games
from ono_replay.record import (
    Damaged,
    IsFinished,
    JournalError,
    LogExists,
    LogHeld,
    NoGame,
    NotWritten,
    Recorder,
)
from ono_replay.record.sink import Memory
from ono_replay.rules.events import Comment, GameEnd, Play, Player, Undo
from ono_replay.rules.ruleset import BadRuleset
from ono_replay.rules.state import Phase
from tests.faulty_files import FaultyFiles


class Clock:
    """A clock that is set by hand."""

    def __init__(self, now=datetime(2024, 5, 1, 20, 0, tzinfo=UTC), ms=1000):
        self.time, self.monotonic = now, ms

    def now(self):
        return self.time

    def ms(self):
        return self.monotonic

    def wait(self, **span):
        self.time += timedelta(**span)
        self.monotonic += int(timedelta(**span).total_seconds() * 1000)


HANDS = (("7", "ono_99", "reverse", "0"), ("10", "-10", "play_2", "4"))


def begin(path, *, clock=None, **options):
    recorder = Recorder.create(
        path, "2022", ["Ann", "Bo"], dealer=1, game_id="kitchen-7", clock=clock, **options
    )
    assert recorder.start_round() is None
    for seat, hand in enumerate(HANDS):
        assert recorder.deal(seat, hand) is None
    return recorder


def code_of(refused):
    assert refused is not None
    return refused.code


def report_of(data):
    (report,) = validate([io.BytesIO(data)])
    return report


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.ono.jsonl"


class TestCreate:
    def test_the_example_of_the_format(self):
        log = Memory()
        recorder = begin(log)
        assert recorder.play(0, "7") is None
        assert recorder.draw(0, "9") is None
        assert log.data.decode() == (
            '{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"kitchen-7",'
            '"ruleset":{"edition":"2022"},"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":1,"view":"full"}\n'
            '{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":0}\n'
            '{"seq":2,"type":"deal","seat":0,"cards":["7","ono_99","reverse","0"]}\n'
            '{"seq":3,"type":"deal","seat":1,"cards":["10","-10","play_2","4"]}\n'
            '{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
            '{"seq":5,"type":"draw","seat":0,"card":"9"}\n'
        )

    def test_what_is_handed_in(self):
        log = Memory()
        players = [Player("Ann", id="a1"), Player("Deep", bot=True)]
        Recorder.create(
            log,
            {"edition": "1980", "match": "single"},
            players,
            new_id=lambda: "id-1",
            clock=Clock(),
            meta={"place": "kitchen"},
        )
        start = json.loads(log.data)
        assert start["game_id"] == "id-1"
        assert start["started_at"] == "2024-05-01T20:00:00Z"
        assert start["ruleset"] == {"edition": "1980", "match": "single"}
        assert start["players"] == [{"name": "Ann", "id": "a1"}, {"name": "Deep", "bot": True}]
        assert start["meta"] == {"place": "kitchen"}

    @pytest.mark.parametrize(
        ("options", "fault"),
        [
            ({"ruleset": "1999"}, BadRuleset),
            ({"ruleset": 2022}, BadRuleset),
            ({"players": ["Ann"]}, BadRuleset),
            ({"players": [str(n) for n in range(7)]}, BadRuleset),
            ({"game_id": ""}, ValueError),
            ({"game_id": "x" * 129}, ValueError),
            ({"dealer": 2}, ValueError),
            ({"view": "seat"}, ValueError),
            ({"view": "both"}, ValueError),
        ],
    )
    def test_what_no_game_can_begin_with_makes_no_file(self, path, options, fault):
        with pytest.raises(fault):
            Recorder.create(path, **{"ruleset": "2022", "players": ["Ann", "Bo"]} | options)
        assert not path.exists()

    def test_half_of_a_surrogate_pair_is_named(self, path):
        with pytest.raises(ValueError, match="half of a surrogate pair"):
            Recorder.create(path, "2022", ["A\udcff", "Bo"])
        assert not path.exists()

    def test_no_cards_are_not_four_unknown_ones(self):
        recorder = Recorder.create(Memory(), "2022", ["Ann", "Bo"], view="public", clock=None)
        assert recorder.start_round() is None
        refused = recorder.deal(0, [])
        assert refused is not None
        assert refused.code == "ONO207"
        assert recorder.deal(0) is None

    def test_a_full_disk_makes_no_file(self, path):
        files = FaultyFiles()
        files.fail("write", errno.ENOSPC)
        with pytest.raises(NotWritten):
            Recorder.create(path, "2022", ["Ann", "Bo"], files=files)
        assert not path.exists()

    @pytest.mark.parametrize("names", [["Ann", "Ann"], ["Ann", "Bo", "ANN "]])
    def test_two_players_of_one_name_are_refused(self, path, names):
        """In statistics they would be one; a table could not tell them apart."""
        for players in (names, [Player(name) for name in names]):
            with pytest.raises(ValueError, match="Two players are called Ann"):
                Recorder.create(path, "2022", players)
            assert not path.exists()

    @pytest.mark.parametrize(
        "players",
        [
            [Player("Guest", id="u1"), Player("Guest", id="u2")],
            [Player("Guest", id="u1"), "Guest"],
            [Player("low", bot=True), Player("low", bot=True)],
            ["", ""],
            ["Chloé", "Chloe"],
        ],
    )
    def test_what_tells_players_apart_besides_their_names(self, players):
        assert len(Recorder.create(Memory(), "2022", players).names) == 2

    def test_players_are_a_list(self, path):
        with pytest.raises(ValueError, match="a list of names, not the one string 'Ann'"):
            Recorder.create(path, "2022", "Ann")
        assert not path.exists()

    def test_a_log_that_is_there_is_resumed_in_the_words_of_the_api(self, path):
        Recorder.create(path, "2022", ["Ann", "Bo"]).close()
        with pytest.raises(LogExists, match=r"Recorder\.resume"):
            Recorder.create(path, "2022", ["Ann", "Bo"])


class TestRefused:
    @pytest.fixture
    def log(self):
        return Memory()

    @pytest.fixture
    def game(self, log):
        return begin(log)

    @pytest.mark.parametrize(
        ("call", "code"),
        [
            (lambda game: game.play(1, "10"), "ONO301"),
            (lambda game: game.play(0, "9"), "ONO302"),
            (lambda game: game.play(0, "ono_99"), "ONO304"),
            (lambda game: game.play(0, "7", 8), "ONO306"),
            (lambda game: game.play(2, "7"), "ONO206"),
            (lambda game: game.play(0, "11"), "ONO110"),
            (lambda game: game.play(0, "?"), "ONO210"),
            (lambda game: game.draw(0), "ONO210"),
            (lambda game: game.draw(0, "7"), "ONO309"),
            (lambda game: game.forfeit_draw(0), "ONO309"),
            (lambda game: game.discard_four(0), "ONO313"),
            (lambda game: game.reshuffle(), "ONO314"),
            (lambda game: game.eliminate(0), "ONO401"),
            (lambda game: game.eliminate(0, "bored"), "ONO107"),
            (lambda game: game.start_round(), "ONO204"),
            (lambda game: game.end_round(), "ONO404"),
            (lambda game: game.end_game(), "ONO404"),
            (lambda game: game.finish(), "ONO404"),
            (lambda game: game.undo(99), "ONO209"),
            (lambda game: game.redo(), "ONO209"),
            (lambda game: game.comment("x" * (1 << 20)), "ONO111"),
        ],
    )
    def test_it_changes_nothing(self, game, log, call, code):
        before = log.data, game.state, game.events, game.next_seq
        refused = call(game)
        assert refused is not None
        assert refused.code == code
        assert refused.message
        assert refused.help
        assert (log.data, game.state, game.events, game.next_seq) == before

    def test_it_tells_the_legal_choices(self, game):
        for call in (lambda: game.play(0, "9"), lambda: game.play(0, "7", 8), lambda: game.eliminate(0)):
            assert call().legal == ("0", "7", "reverse")
        assert game.play(1, "10").legal == ()

    def test_as_a_diagnostic(self, game):
        found = game.play(1, "10").diagnostic("game.ono.jsonl", "kitchen-7")
        assert (found.code, found.name, found.severity) == ("ONO301", "out-of-turn", "error")
        assert (found.file, found.line, found.game_id, found.seq, found.seat) == (
            "game.ono.jsonl", None, "kitchen-7", None, 1,
        )  # fmt: skip
        assert (found.expected, found.actual) == (0, 1)

    def test_of_several_events_none_is_written(self, game, log):
        before = log.data
        refused = game.write(Play(0, 0, "7", 7), Comment(0, text="hm"), Play(0, 1, "10", 17))
        assert refused.code == "ONO308"
        assert log.data == before


class TestIrregular:
    def test_a_play_that_broke_the_rules_stands(self):
        log = Memory()
        game = begin(log)
        assert game.play(1, "10", irregular=True) is None
        assert game.draw(1, "3") is None
        assert game.play(0, "7", 18, irregular=True) is None
        assert game.comment("the table played on from 18", ref=6) is None
        assert game.draw(0, "1") is None
        assert game.play(1, "4", 22) is None
        report = report_of(log.data)
        assert (report.verdict, report.errors) == ("unfinished", 0)
        assert [finding.code for finding in report.diagnostics] == ["ONO301", "ONO306"]

    def test_one_that_broke_none_is_not_marked(self):
        log = Memory()
        game = begin(log)
        assert game.play(0, "7", irregular=True) is None
        assert b"irregular" not in log.data

    @pytest.mark.parametrize(
        "call",
        [
            lambda game: game.play(2, "7", irregular=True),
            lambda game: game.play(0, "11", irregular=True),
            lambda game: game.draw(0, irregular=True),
        ],
    )
    def test_what_is_no_event_does_not_stand(self, call):
        assert call(begin(Memory())) is not None

    def test_a_text_is_one_card_not_its_letters(self):
        """A hand "10" was laid down as a 1 and a 0, which are cards, too."""
        game = Recorder.create(Memory(), "2022", ["Ann", "Bo"], view="public", dealer=1)
        game.start_round()
        assert game.deal(0, "1010") is not None
        for seat in (0, 1):
            assert game.deal(seat) is None
        assert game.eliminate(0, "left", hand="1010") is not None
        assert game.eliminate(0, "left", hand=["10", "1", "0", "?"]) is None

    def test_nothing_stands_where_it_can_not_be_gone_on_from(self):
        game = Recorder.create(Memory(), "2022", ["Ann", "Bo"])
        assert code_of(game.play(0, "7", irregular=True)) == "ONO204"
        game = begin(Memory())
        assert game.eliminate(0, "left") is None
        assert code_of(game.play(1, "4", irregular=True)) == "ONO405"


class TestUndo:
    def test_back_and_forth(self):
        log = Memory()
        game = begin(log)
        game.play(0, "7")
        game.draw(0, "9")
        states = [game.state_at(seq) for seq in range(game.next_seq)]
        assert game.undo() is None
        assert game.state == states[4]
        assert game.undo() is None
        assert game.state == states[3]
        assert game.redo() is None
        assert game.state == states[4]
        assert game.redo() is None
        assert game.state == states[5]
        assert code_of(game.redo()) == "ONO209"
        assert game.undo(to=3) is None
        assert game.play(0, "0") is None
        assert code_of(game.redo()) == "ONO209", "a new event ends the redoing"
        report = report_of(log.data)
        assert (report.verdict, report.errors, report.warnings) == ("unfinished", 0, 0)

    def test_nothing_before_the_start(self):
        game = Recorder.create(Memory(), "2022", ["Ann", "Bo"])
        assert code_of(game.undo()) == "ONO209"

    def test_the_end_can_be_taken_back(self):
        game = begin(Memory())
        assert game.abandon() is None
        assert code_of(game.play(0, "7")) == "ONO204"
        assert game.comment("we go on") is None
        assert game.undo(to=3) is None
        assert game.play(0, "7") is None

    def test_together_with_what_comes_instead(self):
        log = Memory()
        game = begin(log)
        game.play(0, "7")
        assert (
            game.write(Undo(0, to=3), Play(0, 0, "7", 9, irregular=True), Comment(0, text="= 9", ref=6))
            is None
        )
        assert game.state.total == 9
        assert [event.seq for event in game.events] == [0, 1, 2, 3, 6, 7]


def play_out(game):
    """Let seat 0 leave: seat 1 wins."""
    assert game.eliminate(0, "left") is None
    assert game.end_round() is None


class TestFinish:
    def test_it_is_canonical_renumbered_and_carries_its_digest(self, path):
        game = begin(path, clock=Clock())
        game.play(0, "reverse")
        game.undo()
        game.play(0, "7")
        game.comment("a seven", ref=6)
        game.draw(0, "9")
        play_out(game)
        assert game.finish() is None
        assert game.is_closed
        lines = path.read_bytes().splitlines()
        events = next(read_games(path)).events
        assert [canonical(event) for event in events] == lines
        assert [event.seq for event in events] == list(range(len(events)))
        assert [event.type for event in events][-3:] == ["eliminate", "round_end", "game_end"]
        remark, end = events[5], events[-1]
        assert isinstance(remark, Comment)
        assert remark.ref == 4
        assert isinstance(end, GameEnd)
        assert end.digest == digest_of(lines[:-1])
        assert end.winners == (1,)
        report = report_of(path.read_bytes())
        assert (report.verdict, report.errors, report.warnings) == ("valid", 0, 0)
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    def test_on_a_full_disk_it_can_be_tried_again(self, path):
        files = FaultyFiles()
        game = begin(path, files=files)
        play_out(game)
        files.fail("write", -200)
        with pytest.raises(NotWritten):
            game.finish()
        assert not game.is_closed
        assert game.has_ended
        assert b"digest" not in path.read_bytes()
        assert game.finish() is None
        assert b"digest" in path.read_bytes()
        assert report_of(path.read_bytes()).verdict == "valid"


class TestContext:
    def test_a_game_that_has_ended_is_finished(self, path):
        with begin(path) as game:
            game.abandon()
        assert b"digest" in path.read_bytes()

    def test_one_that_has_not_stays_open(self, path):
        with begin(path) as game:
            game.play(0, "7")
        assert Recorder.resume(path).state.total == 7

    @pytest.mark.parametrize("ended", [False, True])
    def test_an_exception_leaves_it_open(self, path, ended):
        def play():
            with begin(path) as game:
                if ended:
                    game.abandon()
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            play()
        assert b"digest" not in path.read_bytes()
        with Recorder.resume(path) as game:
            assert game.has_ended == ended

    def test_a_closed_one_takes_nothing(self, path):
        game = begin(path)
        game.close()
        with pytest.raises(JournalError, match="closed"):
            game.play(0, "7")


class TestNotWritten:
    def test_it_can_be_tried_again(self, path):
        files = FaultyFiles()
        game = begin(path, files=files)
        for fault in ({"write": [-10]}, {"write": [errno.EDQUOT]}, {"sync_data": [errno.EIO]}):
            files.faults = fault
            before = path.read_bytes(), game.state, game.next_seq
            with pytest.raises(NotWritten):
                game.play(0, "7")
            assert (path.read_bytes(), game.state, game.next_seq) == before
        assert game.play(0, "7") is None
        assert report_of(path.read_bytes()).errors == 0


class TestResume:
    def test_where_it_was_left(self, path):
        game = begin(path)
        game.play(0, "7")
        game.undo()
        game.play(0, "0")
        left = game.state, game.events, game.next_seq
        game.close()
        with Recorder.resume(path) as again:
            assert (again.state, again.events, again.next_seq) == left
            assert again.torn is None
            assert code_of(again.redo()) == "ONO209"
            assert again.draw(0, "1") is None

    def test_an_undo_can_still_be_redone(self, path):
        game = begin(path)
        game.play(0, "7")
        game.undo()
        game.close()
        with Recorder.resume(path) as again:
            assert again.redo() is None
            assert again.state.total == 7

    def test_a_torn_line_is_put_aside(self, path):
        begin(path).close()
        whole = path.read_bytes()
        path.write_bytes(whole + b'{"seq":4,"type":"pl')
        with Recorder.resume(path) as game:
            assert game.torn == path.with_name(f"{path.name}.torn-{len(whole)}")
            assert game.torn is not None
            assert game.torn.read_bytes() == b'{"seq":4,"type":"pl'
            assert path.read_bytes() == whole
            assert game.play(0, "7") is None

    def test_a_whole_line_without_its_newline_is_kept(self, path):
        game = begin(path)
        game.play(0, "7")
        game.close()
        whole = path.read_bytes()
        path.write_bytes(whole[:-1])
        with Recorder.resume(path) as game:
            assert game.state.total == 7
        assert path.read_bytes() == whole

    def test_lines_of_another_hand(self, path):
        begin(path).close()
        lines = [json.loads(line) for line in path.read_bytes().splitlines()]
        spaced = "\ufeff" + "\r\n\r\n".join(json.dumps(line) for line in lines) + "\r\n"
        path.write_text(spaced, encoding="utf-8", newline="")
        with Recorder.resume(path) as game:
            assert game.play(0, "7") is None
            game.abandon()
        assert report_of(path.read_bytes()).verdict == "valid"
        assert b"\r" not in path.read_bytes(), "finishing writes canonical bytes"

    @pytest.mark.parametrize(
        ("damage", "line", "told"),
        [
            (lambda lines: [*lines[:2], lines[2][:20], *lines[3:]], 3, "not JSON"),
            (lambda lines: [*lines[:2], lines[2][:20] + b"\0" * 30, *lines[3:]], 3, "NUL"),
            (lambda lines: [*lines[:2], *lines[3:]], 3, "ONO202"),
            (lambda lines: lines[1:], 1, "game_start"),
            (lambda lines: lines + lines, 6, "second game"),
            (lambda lines: [*lines, lines[-1].replace(b'"seq":4', b'"seq":5')], 6, "ONO308"),
            (lambda lines: [*lines, b'{"seq":5,"type":"undo","to":5}'], 6, "ONO209"),
            (lambda lines: [*lines, b'{"seq":5,"type":"play","seat":9,"card":"7","total":7}'], 6, "ONO206"),
            (lambda lines: [lines[0].replace(b"2022", b"2023"), *lines[1:]], 1, "2023"),
        ],
    )
    def test_damage_in_the_middle_is_refused_with_its_place(self, path, damage, line, told):
        game = begin(path)
        game.play(0, "7")
        game.close()
        lines = damage(path.read_bytes().splitlines())
        data = b"".join(line + b"\n" for line in lines)
        path.write_bytes(data)
        with pytest.raises(Damaged) as caught:
            Recorder.resume(path)
        offset = sum(len(line) + 1 for line in lines[: line - 1])
        assert (caught.value.line, caught.value.offset) == (line, offset)
        assert told in str(caught.value)
        assert "recover" in str(caught.value)
        assert path.read_bytes() == data
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    def test_a_file_that_is_no_log_is_left_alone(self, path):
        path.write_bytes(b"dear diary, today we played")
        with pytest.raises(Damaged, match="no log of a game"):
            Recorder.resume(path)
        assert path.read_bytes() == b"dear diary, today we played"

    @pytest.mark.parametrize("data", [b"", b'{"seq":0,"type":"game_st', b"\0" * 100])
    def test_a_log_without_an_event(self, path, data):
        path.write_bytes(data)
        with pytest.raises(NoGame):
            Recorder.resume(path)
        assert path.read_bytes() == b"", "a new game may begin here"
        begin(path).close()

    def test_no_log(self, path):
        with pytest.raises(FileNotFoundError):
            Recorder.resume(path)

    def test_a_finished_log(self, path):
        with begin(path) as game:
            game.abandon()
        data = path.read_bytes()
        with pytest.raises(IsFinished, match="amend"):
            Recorder.resume(path)
        assert path.read_bytes() == data

    def test_a_log_that_is_open_elsewhere(self, path):
        with begin(path), pytest.raises(LogHeld):
            Recorder.resume(path)


class TestTime:
    def times(self, path):
        return [json.loads(line).get("at_ms") for line in path.read_bytes().splitlines()]

    def test_since_the_game_began(self, path):
        clock = Clock()
        game = begin(path, clock=clock)
        clock.wait(seconds=5)
        game.play(0, "7")
        clock.time -= timedelta(days=1)
        clock.wait(milliseconds=250)
        game.draw(0, "9")
        assert self.times(path) == [None, 0, 0, 0, 5000, 5250]
        game.close()

    @pytest.mark.parametrize(("pause", "then"), [(timedelta(hours=1), 3_605_000), (timedelta(days=-3), 5000)])
    def test_after_a_break(self, path, pause, then):
        clock = Clock()
        game = begin(path, clock=clock)
        clock.wait(seconds=5)
        game.play(0, "7")
        game.close()
        later = Clock(clock.time + pause, ms=17)
        with Recorder.resume(path, clock=later) as game:
            game.draw(0, "9")
            later.wait(seconds=1)
            game.play(1, "4")
        assert self.times(path)[-2:] == [then, then + 1000]
        assert report_of(path.read_bytes()).warnings == 0


def test_several_threads_each_with_its_log_and_some_with_one(tmp_path):
    paths = [tmp_path / f"{number}.ono.jsonl" for number in range(6)]
    shared = begin(tmp_path / "shared.ono.jsonl", mode="none")

    def work(path):
        with begin(path, mode="batch") as game:
            for number in range(100):
                assert game.comment(str(number)) is None
                assert shared.comment(path.name) is None
            game.abandon()

    threads = [threading.Thread(target=work, args=[path]) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shared.close()
    assert {report_of(path.read_bytes()).verdict for path in paths} == {"valid"}
    report = report_of((tmp_path / "shared.ono.jsonl").read_bytes())
    assert (report.verdict, report.events, report.errors) == ("unfinished", 604, 0)


def test_a_match_of_chips(path):
    ruleset = {"edition": "1980", "chips": 1}
    with Recorder.create(path, ruleset, ["Ann", "Bo"], view="public", dealer=0, clock=None) as game:
        for _ in range(2):
            assert game.start_round() is None
            assert game.deal(0) is None
            assert game.deal(1) is None
            assert game.state.turn == 1, "the dealer's left begins, then the loser"
            assert game.eliminate(1) is None
            assert game.end_round() is None
        assert game.state.phase is Phase.MATCH_OVER
        assert game.state.match.winners == (0,)
        assert game.finish() is None
    report = report_of(path.read_bytes())
    assert (report.verdict, report.errors) == ("valid", 0)
