"""Recordings as the page Record gets them: who writes, what is refused, what a full disk does."""

import errno
import json
import shutil

import pytest

from dashboard import sources
from dashboard.table_view import refusal_of
from dashboard.tables import Tables
from dashboard.wishes import Begin, Trouble, Wish
from ono_replay.bundle import bundle_path
from ono_replay.record.files import Files
from ono_replay.record.profiles import load_profiles
from ono_replay.record.refusal import Refusal

ANN = "page-of-ann"
BO = "page-of-bo"
OTHER = "another-browser"


@pytest.fixture
def tables(monkeypatch, tmp_path):
    monkeypatch.setenv("ONO_REPLAY_HOME", str(tmp_path))
    monkeypatch.setattr(sources, "_recorded", [])
    opened = Tables()
    yield opened
    opened.close()


def begin(tables, players=("Ann", "Bo"), **wish):
    return tables.begin(Begin(ANN, list(players), **wish))["recording"]


def enter(tables, recording, *entries, writer=ANN):
    """Enter entries, each with its place as id; return the last answer."""
    answer = {}
    for number, text in enumerate(entries):
        answer = tables.enter(recording, writer, f"{writer}-{number}-{text}", text)
    return answer


def troubled(call, *arguments, **more):
    with pytest.raises(Trouble) as caught:
        call(*arguments, **more)
    return caught.value.status, str(caught.value)


def test_what_is_shown_of_a_table(tables):
    recording = begin(tables, ["Ann", "\u202eeve", "Jürgen"], dealer=2)
    view = enter(tables, recording, "7", "play_2")["view"]
    assert [player["name"] for player in view["players"]] == ["Ann", r"\u{202e}eve", "Jürgen"]
    assert (view["total"], view["headline"], view["owes"]) == ("7", "Jürgen", "the first of two cards")
    assert view["lines"][0] == r"\u{202e}eve plays Play 2: the total stays 7, Jürgen owes two cards"
    cards = {card["token"]: card for card in view["cards"]}
    assert (cards["10"]["total"], cards["10"]["adds"], cards["-10"]["total"]) == ("17", 10, "0")
    assert (cards["ono_99"]["can"], cards["play_2"]["can"]) == (False, True)


@pytest.mark.parametrize(
    ("entries", "danger"),
    [(["10"] * 8 + ["8"], ""), (["10"] * 8 + ["9"], "near"), (["10"] * 9 + ["4"], "nearer")],
)
def test_the_total_has_a_danger_zone(tables, entries, danger):
    assert enter(tables, begin(tables), *entries)["view"]["danger"] == danger


def test_a_game_as_the_terminal_would_remember_it(tables, tmp_path):
    recording = begin(tables, ["Ann", "Zoë"], edition="1980", rules="max_total=99 match=single")
    start = json.loads((tmp_path / "recordings" / recording).read_bytes().splitlines()[0])
    assert start["ruleset"] == {"edition": "1980", "max_total": 99, "match": "single"}
    assert (start["view"], start["source"]["app"]) == ("public", "ono-replay")
    assert load_profiles(tmp_path).last_players == ["Ann", "Zoë"]
    listing = tables.listing()
    assert (listing["last"], listing["edition"]) == (["Ann", "Zoë"], "1980")
    assert [(one["recording"], one["told"]) for one in listing["open"]] == [
        (recording, "Ann, Zoë; round 1, total 0")
    ]
    assert str(tmp_path / "recordings" / recording) in sources.sources()


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"players": ["Ann"]}, "Two to 8 players"),
        ({"players": ["Ann", " "]}, "Two to 8 players"),
        ({"players": ["Ann", "B" * 81]}, "Two to 8 players"),
        ({"players": list("ABCDEFG")}, "2 to 6"),
        ({"players": ["Ann", "Bo"], "dealer": 2}, "Who deals is none of the players"),
        ({"players": ["Ann", "Bo"], "edition": "1999"}, "1999"),
        ({"players": ["Ann", "Bo"], "rules": "max_total=x"}, "max_total"),
        ({"players": ["Ann", "Bo"], "rules": "nonsense"}, "KEY=VALUE"),
    ],
)
def test_what_can_not_begin_is_told(tables, tmp_path, wish, words):
    status, told = troubled(tables.begin, Begin(ANN, **wish))
    assert status == 200  # an error in the console would be for what anybody may enter
    assert tables.fit(Wish(ANN, **wish)) == {"why": told, "typed": None}
    assert words in told
    assert str(tmp_path) not in told
    assert not list(tmp_path.glob("recordings/*"))


@pytest.mark.parametrize(
    "names", [["Anna", "Bo", " Anna"], ["Jürgen", "JU\u0308RGEN"], ["Straße", "STRASSE", "Bo", "strasse"]]
)
def test_two_players_of_one_name_do_not_begin(tables, tmp_path, names):
    status, told = troubled(tables.begin, Begin(ANN, names))
    assert status == 200
    assert "players are called" in told
    assert tables.fit(Wish(ANN, names))["why"] == told
    *others, last = names
    assert tables.fit(Wish(ANN, others[:2], typed=last))["typed"] is not None
    assert tables.fit(Wish(ANN, ["Ann", "Bo"], typed=last)) == {"why": None, "typed": None}
    assert not list(tmp_path.rglob("*.jsonl"))
    assert begin(tables, ["Anna M.", "Anna K.", "Zoe", "Zoë"])


def test_one_page_writes_at_a_time(tables):
    recording = begin(tables)
    enter(tables, recording, "7")
    assert tables.open(recording, BO)["mine"] is False
    assert troubled(enter, tables, recording, "8", writer=BO) == (409, "Another page records this game.")
    for call in (tables.finish, tables.leave):
        assert troubled(call, recording, BO)[0] == 409
    assert tables.open(recording, BO, take=True)["mine"] is True
    assert enter(tables, recording, "9", writer=BO)["view"]["total"] == "16"
    assert troubled(enter, tables, recording, "8")[0] == 409
    assert tables.look(recording, ANN)["mine"] is False


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize("says", [False, True], ids=["gone without a word", "says that it goes"])
def test_a_page_that_is_gone_does_not_stand_in_the_way(tables, says):
    tables._clock = clock = Clock()
    recording = begin(tables)
    enter(tables, recording, "7")
    if says:
        tables.away(recording, ANN)
    # It may be loaded anew; and another page does not take over from one that is alive.
    clock.now += 3
    seen = tables.open(recording, OTHER)
    assert (seen["mine"], seen["silent"]) == (False, False)
    tables.away(recording, OTHER)
    clock.now += 2 if says else 30
    seen = tables.look(recording, OTHER)
    assert (seen["mine"], seen["silent"], seen["kin"]) == (False, True, False)
    assert tables.open(recording, OTHER)["mine"] is True
    # What the first one still had to send is refused, and it does not take the game back.
    assert troubled(enter, tables, recording, "8") == (409, "Another page records this game.")
    assert tables.open(recording, ANN)["mine"] is False
    assert enter(tables, recording, "9", writer=OTHER)["view"]["total"] == "16"


def test_a_page_that_is_heard_keeps_the_game(tables):
    tables._clock = clock = Clock()
    recording = tables.begin(Begin("phone-one", ["Ann", "Bo"]))["recording"]
    for call in (
        lambda: tables.look(recording, "phone-one"),
        lambda: enter(tables, recording, "7", writer="phone-one"),
        lambda: (tables.away(recording, "phone-one"), tables.open(recording, "phone-one")),
    ):
        clock.now += 29
        call()
        assert tables.open(recording, "phone-two")["mine"] is False
    clock.now += 30
    # Only a page of the same browser is told to go on by itself.
    assert [tables.look(recording, page)["kin"] for page in ("phone-two", "other-two", "phone")] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("late", ["look", "enter", "leave", "finish"])
def test_what_comes_late_does_not_take_up_what_was_left(tables, late):
    recording = begin(tables)
    enter(tables, recording, "7")
    assert tables.leave(recording, ANN) == {"left": True}
    if late == "look":
        assert tables.look(recording, ANN) == {"closed": True, "left": True, "kin": False}
    else:
        call = {"enter": lambda: enter(tables, recording, "8"), "leave": lambda: tables.leave(recording, ANN)}
        told = troubled(call.get(late, lambda: tables.finish(recording, ANN)))
        assert told == (409, "Nobody records this game at the moment.")
    other = Tables()
    assert other.open(recording, BO)["view"]["total"] == "7"
    other.close()
    # Whoever opens it again goes on with it.
    assert tables.open(recording, ANN)["mine"] is True
    assert enter(tables, recording, "9")["view"]["total"] == "16"


@pytest.mark.parametrize(("says", "seconds"), [(True, 4), (False, 600)])
def test_a_recording_whose_page_is_gone_is_free_for_other_programs(tables, says, seconds):
    tables._clock = clock = Clock()
    recording = tables.begin(Begin("phone-one", ["Ann", "Bo"]))["recording"]
    enter(tables, recording, "7", writer="phone-one")
    if says:
        tables.away(recording, "phone-one")
    clock.now += seconds - 0.5
    tables.let_go()
    other = Tables()
    assert troubled(other.open, recording, BO)[0] == 423
    clock.now += 0.5
    tables.let_go()
    assert other.open(recording, BO)["mine"] is True
    other.close()
    # A page of the same browser goes on by itself, and so does the one that only slept.
    seen = [tables.look(recording, page) for page in ("phone-two", "other-two")]
    assert seen == [{"closed": True, "left": True, "kin": kin} for kin in (True, False)]
    assert troubled(enter, tables, recording, "8", writer="phone-two")[0] == 409
    assert enter(tables, recording, "8", writer="phone-one")["view"]["total"] == "15"
    assert tables.look(recording, "phone-one")["mine"] is True


def test_a_page_that_comes_back_in_time_keeps_the_game(tables):
    tables._clock = clock = Clock()
    recording = begin(tables)
    tables.away(recording, ANN)
    clock.now += 3
    assert tables.open(recording, ANN)["mine"] is True
    clock.now += 29
    tables.let_go()
    assert tables.look(recording, ANN)["mine"] is True


def test_what_a_page_has_given_up_is_not_done_when_it_comes_late(tables, tmp_path):
    recording = begin(tables)
    for order in (5, 7, 0, 8):
        assert tables.in_order(ANN, order, lambda order=order: {"done": order}) == {"done": order}
        late = troubled(tables.in_order, ANN, max(order, 7) - 2, dict)
        assert late == (425, "This comes too late.")
    tables.in_order(BO, 1, lambda: tables.open(recording, BO))
    # What is known of pages does not grow without end.
    for number in range(2000):
        tables.in_order(f"page-{number}", 1, dict)
    assert len(tables._orders) == 1000


def test_a_game_asked_for_again_is_begun_once(tables, tmp_path):
    asked = [Begin(ANN, ["Ann", "Bo"], id=name) for name in ("one", "one", "two")]
    first, again, other = (tables.begin(wish)["recording"] for wish in asked)
    assert first == again != other
    assert len(list((tmp_path / "recordings").glob("*.ono.jsonl"))) == 2


def test_what_was_entered_before_somebody_else_wrote_is_asked_about(tables):
    recording = begin(tables)
    seq = enter(tables, recording, "7")["view"]["seq"]
    tables.leave(recording, ANN)
    tables.open(recording, BO)
    newer = enter(tables, recording, "10", writer=BO)["view"]["seq"]
    tables.open(recording, ANN, take=True)
    told = "Somebody else has written since, the newest: Bo plays 10: the total is 17. Enter this after it?"
    late = tables.enter(recording, ANN, "late", "1", after=seq)
    assert late == {"ask": told, "since": newer}
    # Where what was entered is on disk already it is not asked about, whoever wrote since.
    answer = tables.enter(recording, ANN, f"{BO}-0-10", "10", after=seq)
    assert answer["view"]["seq"] == newer
    assert tables.enter(recording, ANN, "late", "1", after=newer)["view"]["total"] == "18"


def test_two_processes_never_write_one_log(tables):
    recording = begin(tables)
    other = Tables()
    assert troubled(other.open, recording, BO) == (423, "Another program records this game at the moment.")
    tables.leave(recording, ANN)
    assert other.open(recording, BO)["mine"] is True
    assert troubled(tables.open, recording, ANN)[0] == 423
    other.close()


def test_what_was_sent_twice_is_taken_once_also_after_a_crash(tables, tmp_path):
    recording = begin(tables)
    log = tmp_path / "recordings" / recording
    tables.enter(recording, ANN, "first", "7")
    written = log.read_bytes()
    assert tables.enter(recording, ANN, "first", "7")["view"]["total"] == "7"
    tables.close()
    assert Tables().enter(recording, BO, "first", "7")["view"]["total"] == "7"
    assert log.read_bytes() == written


def test_a_refusal_says_why_in_plain_words(tables):
    recording = begin(tables)
    enter(tables, recording, "7")
    refused = enter(tables, recording, "ono_99")["refused"]
    assert refused["message"] == "Bo plays ONO 99, which can not be played here"
    assert (refused["code"], refused["may_stand"]) == ("ONO304", True)
    assert enter(tables, recording, "hold")["refused"]["may_stand"] is False
    assert enter(tables, recording, "nonsense")["refused"]["code"] == "ONO110"
    assert enter(tables, recording, "!ono_99")["view"]["total"] == "7"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("= 80", "By the cards the total is 7. Did the table play on from 80?"),
        ("8 = 20", "By the cards the total is 15. Did the table play on from 20?"),
        ("abandon", "Break the game off, without a winner?"),
    ],
)
def test_what_is_asked_before_it_is_taken(tables, text, question):
    recording = begin(tables)
    before = enter(tables, recording, "7")["view"]["seq"]
    assert tables.enter(recording, ANN, "asked", text) == {"ask": question}
    assert tables.look(recording, ANN)["view"]["seq"] == before
    assert tables.enter(recording, ANN, "asked", text, sure=True)["view"]["seq"] > before


def test_a_full_disk_acknowledges_nothing_and_goes_on(tables, monkeypatch, tmp_path):
    recording = begin(tables)
    log = tmp_path / "recordings" / recording
    before = log.read_bytes()
    write = Files.write

    def full(self, descriptor, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Files, "write", full)
    status, told = troubled(tables.enter, recording, ANN, "one", "7")
    assert status == 507
    assert "the disk is full; make room and try again" in told
    assert str(tmp_path) not in told
    assert log.read_bytes() == before
    monkeypatch.setattr(Files, "write", write)
    assert tables.enter(recording, ANN, "one", "7")["view"]["total"] == "7"


def test_an_entry_has_so_many_letters(tables):
    recording = begin(tables)
    before = tables.look(recording, ANN)["view"]["seq"]
    told = (400, "An entry has at most 4000 letters.")
    assert troubled(tables.enter, recording, ANN, "long", "c " + "x" * 3999) == told
    assert tables.look(recording, ANN)["view"]["seq"] == before
    assert tables.enter(recording, ANN, "long", "c " + "x" * 3998)["view"]["seq"] == before + 1


def test_a_game_that_can_not_be_begun_leaves_nothing_behind(tables, monkeypatch, tmp_path):
    write = Files.write
    written = []

    def fills_up(self, descriptor, data):
        written.append(data)
        if len(written) == 2:  # the game_start is on disk, its round is not
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(self, descriptor, data)

    monkeypatch.setattr(Files, "write", fills_up)
    status, told = troubled(begin, tables)
    assert (status, "the disk is full; make room and try again" in told) == (400, True)
    assert tables.listing()["open"] == []
    assert list((tmp_path / "recordings").iterdir()) == []
    assert enter(tables, begin(tables), "7")["view"]["total"] == "7"


def test_a_log_replaced_under_it_is_not_written_to(tables, tmp_path):
    recording = begin(tables)
    log = tmp_path / "recordings" / recording
    content = log.read_bytes()
    log.unlink()
    status, told = troubled(tables.enter, recording, ANN, "one", "7")
    assert status == 409
    assert str(tmp_path) not in told
    log.write_bytes(content)
    # It is looked at anew, and gone on with.
    assert tables.enter(recording, ANN, "one", "7")["view"]["total"] == "7"


def test_the_end_of_a_game(tables, tmp_path):
    recording = begin(tables)
    view = enter(tables, recording, "7", "out")["view"]
    assert (view["phase"], view["headline"], view["can"]["end"]) == ("match_over", "Ann wins", True)
    assert enter(tables, recording, "end")["view"]["can"]["finish"] is True
    ended = {"finished": True, "game": view["game"], "headline": "Ann wins"}
    assert tables.finish(recording, ANN) == ended
    # Who comes back to it is told how it ended.
    assert tables.open(recording, ANN) == ended
    assert troubled(enter, tables, recording, "8") == (410, "The game has ended, and its log is closed.")
    assert tables.listing()["open"] == []
    assert tables.keep(recording)["kept"] == "In your library: 1 game added."
    assert str(tmp_path / "library") in sources.sources()


def test_only_finished_recordings_are_put_into_the_library(tables, tmp_path):
    recording = begin(tables)
    assert troubled(tables.keep, recording)[0] == 404
    assert troubled(tables.keep, "none.ono.jsonl")[0] == 404
    # Nor one that was left open, to be gone on with.
    tables.leave(recording, ANN)
    assert troubled(tables.keep, recording)[0] == 404
    # Nor what a link among the recordings leads to.
    elsewhere = tmp_path / "elsewhere.ono.jsonl"
    shutil.copy(bundle_path("sample_logs") / "ok/2022-table.ono.jsonl", elsewhere)
    (tmp_path / "recordings/link.ono.jsonl").symlink_to(elsewhere)
    assert troubled(tables.keep, "link.ono.jsonl")[0] == 404


def test_points_and_starter(tables):
    recording = begin(tables, edition="1980", rules="match=points_last_standing points_target=100")
    assert tables.look(recording, ANN)["view"]["can"]["starter"] == 0
    view = enter(tables, recording, "starter Bo")["view"]
    assert (view["headline"], view["can"]["starter"]) == ("Bo", 1)
    view = enter(tables, recording, *["10"] * 9, "7", "bust 9 9 9 8")["view"]
    # The bust card is drawn again, so one card of the hand is not known.
    assert [(one["name"], one["least"], one["told"], one["cards"]) for one in view["points"]] == [
        ("Ann", 0, 0, 4),
        ("Bo", 51, 51, 1),
    ]
    view = enter(tables, recording, "points 30 58")["view"]
    assert [player["standing"] for player in view["players"]] == ["30 pts", "58 pts"]


def test_what_could_have_been_played_is_told_once_with_the_names_of_cards():
    refused = refusal_of(
        Refusal(
            "ONO401",
            legal=("reverse", "hold", "-10"),
            message="hold (seat 0) is eliminated as unable to play, but could play reverse, hold or ono_99",
        ),
        ["hold", "reverse"],
    )
    assert (
        refused["message"] == "hold is eliminated as unable to play, but could play Reverse, Hold or ONO 99"
    )
    assert refused["legal"] == []
