"""Following a log while it is written, and what is remembered from game to game."""

import json

import msgspec
import pytest

from ono_replay.record import Recorder, Table
from ono_replay.record.follow import Follower
from ono_replay.record.journal import Journal
from ono_replay.record.profiles import Profiles, data_folder, load_profiles, save_profiles
from ono_replay.record.reading import Misread
from ono_replay.replay import state_json
from ono_replay.rules.events import Player


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.ono.jsonl"


def record(path, *entries, close=True):
    table = Table(Recorder.create(path, "2022", ["Ann", "Bo"], view="public", game_id="g", mode="none"))
    for entry in entries:
        assert table.enter(entry) is None
    if close:
        table.recorder.close()
    return table


def told(moments):
    return [(moment.event.type, moment.state.total) for moment in moments]


class TestFollow:
    def test_never_half_an_event(self, tmp_path, path):
        record(path, "7", "c Jürgen", "p", "3", "4")
        data = path.read_bytes()
        growing = tmp_path / "growing.ono.jsonl"
        growing.write_bytes(b"")
        follower = Follower(growing)
        moments = []
        for place in range(len(data)):
            with growing.open("ab") as file:
                file.write(data[place : place + 1])
            moments += follower.poll()
            assert len(moments) == max(0, data[: place + 1].count(b"\n") - 1)
        assert follower.poll() == []
        last = moments[-1]
        assert (last.event.type, last.state.total) == ("play", 14)

    def test_the_same_states_as_the_recorder(self, path):
        follower = None
        table = record(path, close=False)
        follower = Follower(path)
        follower.poll()
        for entry in ("7", "undo", "r", "redo", "8", "= 9", "undo", "out"):
            table.enter(entry)
            moments = follower.poll()
            assert not moments or moments[-1].state == table.state
            assert follower.standing == table.recorder.events
        table.recorder.close()

    def test_an_undo_tells_where_it_leads(self, path):
        table = record(path, "7", close=False)
        follower = Follower(path)
        assert told(follower.poll())[-1] == ("play", 7)
        table.enter("undo")
        assert told(follower.poll()) == [("deal", 0)]
        table.recorder.close()

    def test_a_finished_log_in_its_place_tells_nothing_twice(self, path):
        table = record(path, "7", "undo", "8", "out", close=False)
        follower = Follower(path)
        before = told(follower.poll())
        assert before[-1] == ("round_end", 8)
        table.close()
        assert told(follower.poll()) == [("game_end", 8)]
        assert follower.has_ended
        assert follower.poll() == []

    def test_another_game_in_its_place_is_told(self, path):
        record(path, "7")
        follower = Follower(path)
        follower.poll()
        path.unlink()
        table = Table(Recorder.create(path, "1980", ["Cy", "Di"], view="public", mode="none"))
        assert [moment.start.players[0].name for moment in follower.poll()] == ["Cy"] * 3
        table.recorder.close()

    def test_a_comment_after_the_end_does_not_go_on(self, path):
        record(path, "7", "abandon", "c good game")
        follower = Follower(path)
        follower.poll()
        assert follower.has_ended

    def test_several_games_in_one_file(self, tmp_path, path):
        record(path, "7", "abandon")
        first = path.read_bytes()
        path.write_bytes(first + first.replace(b'"g"', b'"h"'))
        follower = Follower(path)
        assert [moment.start.game_id for moment in follower.poll()] == ["g"] * 6 + ["h"] * 6

    @pytest.mark.parametrize(
        ("damage", "what"),
        [
            (lambda line: b"nonsense\n", "ONO102"),
            (lambda line: line.replace(b'"seq":4', b'"seq":5'), "ONO202"),
            (lambda line: b'{"seq":4,"type":"undo","to":9}\n', "ONO209"),
            (lambda line: line.replace(b'"seat":0', b'"seat":7'), "ONO206"),
        ],
    )
    def test_a_line_that_is_no_event(self, path, damage, what):
        record(path, "7")
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join([*lines[:-1], damage(lines[-1])]))
        follower = Follower(path)
        # What stands before it is shown; then it is told, at the same place however often it is asked for.
        assert told(follower.poll()) == [("round_start", 0), ("deal", 0), ("deal", 0)]
        for _ in range(2):
            with pytest.raises(Misread, match=what) as caught:
                follower.poll()
            assert (caught.value.line, caught.value.offset) == (5, sum(map(len, lines[:-1])))

    @pytest.mark.parametrize("first", [b'{"seq":0,"type":"comment","text":"hi"}\n', b'{"seq":0\n'])
    def test_a_file_that_is_no_log(self, path, first):
        path.write_bytes(first)
        with pytest.raises(Misread):
            Follower(path).poll()

    def test_what_breaks_the_rules_is_shown_all_the_same(self, path):
        record(path, "7")
        path.write_bytes(path.read_bytes().replace(b'"total":7', b'"total":70'))
        moment = Follower(path).poll()[-1]
        assert state_json("g", moment.event, moment.state)["total"] == 70


class TestProfiles:
    def test_they_come_back(self, tmp_path):
        profiles = Profiles()
        profiles.remember([Player("Ann", id="a"), Player("Bo")], {"edition": "1980", "chips": 5}, "kitchen")
        save_profiles(tmp_path / "home", profiles)
        assert load_profiles(tmp_path / "home") == profiles
        assert [file.name for file in (tmp_path / "home").iterdir()] == ["profiles.json"]

    def test_bots_are_not_remembered(self):
        profiles = Profiles()
        profiles.remember([Player("Ann"), Player("Deep", bot=True)], {"edition": "1980"}, "1980")
        assert [player.name for player in profiles.players] == ["Ann"]
        assert profiles.last_players == ["Ann", "Deep"]

    def test_there_are_not_too_many(self):
        profiles = Profiles()
        for number in range(300):
            profiles.remember([Player(f"p{number}")], {"edition": "1980"}, f"r{number}")
        assert (len(profiles.players), len(profiles.rules)) == (200, 50)
        assert profiles.players[0].name == "p299"

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"players":7}', b"\xff"])
    def test_a_file_that_can_not_be_read_is_kept(self, tmp_path, data):
        (tmp_path / "profiles.json").write_bytes(data)
        profiles = load_profiles(tmp_path)
        assert profiles == Profiles()
        profiles.remember([Player("Ann")], {"edition": "1980"}, "1980")
        save_profiles(tmp_path, profiles)
        assert (tmp_path / "profiles.unread.json").read_bytes() == data
        assert load_profiles(tmp_path) == profiles
        # Also when it happens again.
        (tmp_path / "profiles.json").write_bytes(b"again")
        save_profiles(tmp_path, profiles)
        assert (tmp_path / "profiles.unread.json").read_bytes() == data
        assert (tmp_path / "profiles.unread-2.json").read_bytes() == b"again"

    def test_what_can_not_be_remembered_is_told(self, tmp_path):
        profiles = Profiles(last_players=["Ann"])
        (tmp_path / "elsewhere.json").write_bytes(b'{"last_players":["Bo"]}')
        (tmp_path / "profiles.json").symlink_to(tmp_path / "elsewhere.json")
        with pytest.raises(OSError, match="this is a link; name the file itself"):
            save_profiles(tmp_path, profiles)
        assert load_profiles(tmp_path).last_players == ["Bo"]

    def test_of_two_at_once_one_is_forgotten(self, tmp_path):
        save_profiles(tmp_path, Profiles(last_players=["Ann"]))
        with Journal.open(tmp_path / "profiles.json"):
            save_profiles(tmp_path, Profiles(last_players=["Bo"]))
        assert load_profiles(tmp_path).last_players == ["Ann"]

    def test_names_are_written_as_they_are(self, tmp_path):
        profiles = Profiles()
        profiles.remember([Player('J"ürgen\n\u202e')], {"edition": "1980"}, "1980")
        save_profiles(tmp_path, profiles)
        assert load_profiles(tmp_path) == profiles
        text = (tmp_path / "profiles.json").read_text(encoding="utf-8")
        assert json.loads(text) == msgspec.to_builtins(profiles)

    @pytest.mark.parametrize(
        ("platform", "environment", "folder"),
        [
            ("linux", {"HOME": "/h"}, "/h/.local/share/ono-replay"),
            ("linux", {"HOME": "/h", "XDG_DATA_HOME": "/x"}, "/x/ono-replay"),
            ("darwin", {"HOME": "/h"}, "/h/Library/Application Support/ono-replay"),
            ("win32", {"USERPROFILE": "/u"}, "/u/AppData/Local/ono-replay"),
            ("win32", {"LOCALAPPDATA": "/l"}, "/l/ono-replay"),
            ("darwin", {"HOME": "/h", "ONO_REPLAY_HOME": "/games"}, "/games"),
        ],
    )
    def test_where_they_lie(self, platform, environment, folder):
        assert data_folder(environment, platform).as_posix() == folder
