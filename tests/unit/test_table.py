"""Entries of the table: what each writes, what is written by itself, what is refused."""

import io
import json
from typing import Any

import pytest

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.record import Recorder, Table
from ono_replay.record.entries import ENTRIES, list_entries, parse_entry
from ono_replay.record.refusal import Refusal
from ono_replay.record.sink import Memory
from ono_replay.rules.ruleset import make_ruleset
from ono_replay.rules.state import Phase

NAMES = ["Ann", "Bo", "Cy"]
POINTS = {"edition": "1980", "match": "points_last_standing", "points_target": 100}


def sit_down(ruleset="2022", players=("Ann", "Bo", "Cy"), dealer=None, starter=None):
    log = Memory()
    recorder = Recorder.create(
        log, ruleset, players, dealer=dealer, view="public", game_id="kitchen-7", clock=None
    )
    return Table(recorder, starter=starter), log


def lines_of(log):
    return [json.loads(line) for line in log.data.splitlines()]


def short(log, since=0):
    """The events as words: `play 0 7=7`, `draw 1`, `undo 4` …"""
    words = []
    for line in lines_of(log)[since:]:
        match line:
            case {"type": "play"}:
                mark = "!" if line.get("irregular") else ""
                words.append(f"{mark}play {line['seat']} {line['card']}={line['total']}")
            case {"type": "eliminate"}:
                shown = [line.get("card", ""), *line.get("hand", [])]
                words.append(
                    f"eliminate {line['seat']} {line['reason']} {' '.join(shown)}".replace("  ", " ").strip()
                )
            case {"type": "undo"}:
                words.append(f"undo {line['to']}")
            case {"type": "comment"}:
                words.append(f"comment {line['text']}")
            case {"type": kind, "seat": seat}:
                words.append(f"{kind} {seat}")
            case {"type": "round_start"}:
                words.append(f"round_start {line['round']} by {line['starter']}")
            case _:
                words.append(line["type"])
    return words


def enter(table, *entries):
    for entry in entries:
        refused = table.enter(entry)
        assert refused is None, f"{entry}: {refused.message}"


def meant(typed, names, rules) -> Any:
    """Return an entry or a refusal; the test says which it should be."""
    return parse_entry(typed, names, rules)


def code_of(refused):
    assert isinstance(refused, Refusal)
    assert refused.message
    return refused.code


def assert_clean(log, verdict="unfinished"):
    (report,) = validate([io.BytesIO(log.data)])
    assert isinstance(report, GameReport)
    assert [finding for finding in report.diagnostics if finding.severity == "error"] == []
    assert report.verdict == verdict
    return report


class TestByItself:
    def test_the_round_and_unknown_deals(self):
        _, log = sit_down()
        assert short(log) == ["game_start", "round_start 1 by 0", "deal 0", "deal 1", "deal 2"]
        assert lines_of(log)[2]["cards"] == ["?"] * 4

    def test_the_dealers_left_starts(self):
        table, _ = sit_down(dealer=1)
        assert table.state.turn == 2

    def test_a_draw_when_the_next_entry_is_not_f(self):
        table, log = sit_down()
        enter(table, "7")
        assert short(log, 5) == ["play 0 7=7"]
        assert table.state.draws_due == 1
        enter(table, "3")
        assert short(log, 5) == ["play 0 7=7", "draw 0", "play 1 3=10"]
        assert lines_of(log)[6]["card"] == "?"

    def test_a_forfeit_in_its_place(self):
        table, log = sit_down("1980")
        enter(table, "7", "f", "3")
        assert short(log, 5) == ["play 0 7=7", "forfeit_draw 0", "play 1 3=10"]

    def test_a_reshuffle_before_the_draw_that_needs_it(self):
        table, log = sit_down({"edition": "2022", "deck": {"0": 12}}, players=["Ann", "Bo"])
        enter(table, *["0"] * 6)
        assert short(log)[-4:] == ["play 0 0=0", "reshuffle", "draw 0", "play 1 0=0"]
        assert lines_of(log)[-3]["count"] == 5
        assert_clean(log)

    def test_four_draws_after_a_four_card_discard(self):
        table, log = sit_down()
        enter(table, "o4", "7")
        assert short(log, 5) == ["discard_four 0", *["draw 0"] * 4, "play 1 7=7"]

    def test_a_refused_entry_writes_no_draw(self):
        table, log = sit_down()
        enter(table, "7")
        before = log.data
        assert code_of(table.enter("h")) == "ONO311"
        assert log.data == before
        enter(table, "= 7")
        assert log.data == before


def test_a_chips_match_from_beginning_to_end():
    table, log = sit_down({"edition": "1980", "chips": 1}, players=["Ann", "Bo"], dealer=0)
    enter(table, "7", "out")
    assert short(log, 4) == [
        "play 1 7=7", "draw 1", "eliminate 0 no_legal_play", "round_end",
        "round_start 2 by 0", "deal 0", "deal 1",
    ]  # fmt: skip
    assert lines_of(log)[7]["chips"] == [0, 1]
    enter(table, "out")
    assert table.state.phase is Phase.MATCH_OVER
    assert short(log)[-2:] == ["eliminate 0 no_legal_play", "round_end"]
    enter(table, "end")
    table.close()
    assert lines_of(log)[-1]["winners"] == [1]
    report = assert_clean(log, "valid")
    assert report.unverified == 3, "a card, and two hands that were not laid down"


class TestCards:
    @pytest.mark.parametrize(
        ("entry", "edition", "card"),
        [
            ("0", "2022", "0"), ("10", "2022", "10"), ("-10", "1980", "-10"), ("r", "2022", "reverse"),
            ("R", "2022", "reverse"), ("p", "2022", "play_2"), ("p", "1980", "double_play"), ("h", "1980", "hold"),
            ("o", "1980", "ono_99"), ("play_2", "2022", "play_2"), (" 7 ", "2022", "7"),
        ],
    )  # fmt: skip
    def test_tokens(self, entry, edition, card):
        entry = parse_entry(entry, NAMES, make_ruleset({"edition": edition}))
        assert (entry.kind, entry.card) == ("card", card)

    @pytest.mark.parametrize(
        ("typed", "card"),
        [
            ("−10", "-10"), ("–10", "-10"), ("- 10", "-10"), ("— 10", "-10"), ("REV", "reverse"),
            ("reverse", "reverse"), ("hold", "hold"), ("Play 2", "play_2"), ("play2", "play_2"),
            ("double play", "double_play"), ("Double_Play", "double_play"), ("d", "double_play"),
            ("ono 99", "ono_99"), ("ONO99", "ono_99"), ("pair", "double_play"),
        ],
    )  # fmt: skip
    def test_as_people_and_the_program_itself_write_them(self, typed, card):
        rules = make_ruleset({"edition": "1980"})
        assert meant(typed, NAMES, rules).card == card
        assert meant(f"out 7, {typed} ?", NAMES, rules).cards == ("7", card, "?")
        entry = meant(f"!{typed} = − 3 by cy", NAMES, rules)
        assert (entry.card, entry.number, entry.seat, entry.let_stand) == (card, -3, 2, True)

    @pytest.mark.parametrize(
        ("typed", "kind"),
        [
            ("u", "undo"), ("UNDO", "undo"), ("red", "redo"), ("o 4", "four"), ("discard_four", "four"),
            ("discard four", "four"), ("forfeit", "forfeit"), ("b 10", "out"), ("l 1", "left"),
            ("t Cy", "timeout"), ("help", "show"), ("h?", "show"), ("H ?", "show"), ("?", "show"),
            ("comment −10", "comment"), ("points 1, 2 3", "points"), ("abandon", "abandon"),
        ],
    )  # fmt: skip
    def test_beginnings(self, typed, kind):
        assert meant(typed, NAMES, make_ruleset({"edition": "1980"})).kind == kind

    @pytest.mark.parametrize(
        ("typed", "told"),
        [
            ("re", "'re' could be redo, reshuffle or reverse"),
            ("aba", "'aba' is no entry"),
            ("1 0", "'1 0' is no entry"),
            ("starter", "starter needs a seat or a name"),
            ("starter Boo", "There is no player Boo; there are 0 Ann, 1 Bo, 2 Cy"),
            ("left 7", "There is no seat 7; there are 0 Ann, 1 Bo, 2 Cy"),
        ],
    )
    def test_what_it_could_have_been(self, typed, told):
        assert meant(typed, NAMES, make_ruleset({"edition": "1980"})).message.startswith(told)

    def test_the_help_of_an_unknown_entry_is_about_entries(self):
        refused = meant("x", NAMES, make_ruleset({"edition": "2022"}))
        assert "? lists them all" in refused.help
        assert "token" not in refused.help

    @pytest.mark.parametrize(
        ("word", "seat"),
        [("ZOE", 0), ("zoë", 0), ("Zo", 0), ("anna", 2), ("Ann", 1), ("2", 2), ("an", None), ("Lea ve", 3)],
    )
    def test_names(self, word, seat):
        names = ["Zoë", "Ann", "Anna", "Léa  Vé"]
        entry = meant(f"left {word} 7 8", names, make_ruleset({"edition": "2022"}))
        if seat is None:
            assert entry.message == "an could be 1 Ann or 2 Anna; give the seat"
        else:
            assert (entry.seat, entry.cards) == (seat, ("7", "8"))

    @pytest.mark.parametrize("edition", ["1980", "2022"])
    @pytest.mark.parametrize("match", ["single", "points_last_standing"])
    def test_the_help_fits_a_small_terminal(self, edition, match):
        points = {} if match == "single" else {"points_target": 100}
        lines = list_entries(make_ruleset({"edition": edition, "match": match, **points}))
        assert len(lines) <= 20
        assert max(map(len, lines)) <= 76
        text = "\n".join(lines)
        assert ("points N" in text) == (match != "single")
        assert ("a Hold" in text) == (edition == "1980")

    @pytest.mark.parametrize(
        ("entry", "code"),
        [
            ("", "ONO110"), ("11", "ONO110"), ("x", "ONO110"), ("7 8", "ONO110"), ("!", "ONO110"),
            ("= x", "ONO107"), ("= ", "ONO107"), ("7 = x", "ONO110"), ("7 by Zoe", "ONO206"),
            ("left", "ONO106"), ("left 3", "ONO206"), ("left -1", "ONO206"), ("bust", "ONO106"),
            ("out 11", "ONO110"), ("undo 3", "ONO107"), ("points a", "ONO107"), ("starter 9", "ONO206"),
        ],
    )  # fmt: skip
    def test_what_is_not_understood(self, entry, code):
        table, log = sit_down()
        before = log.data
        assert code_of(table.enter(entry)) == code
        assert log.data == before

    def test_the_house_allows_an_ono_99_on_a_zero(self):
        table, log = sit_down({"edition": "1980", "ono_99_on_zero": True})
        enter(table, "10", "o")
        assert short(log)[-1] == "play 1 ono_99=10"
        assert_clean(log)

    def test_a_pair(self):
        table, _ = sit_down()
        enter(table, "p")
        assert (table.state.turn, table.state.plays_due) == (1, 2)
        enter(table, "7")
        assert (table.state.turn, table.state.second) == (1, True)
        enter(table, "8", "9")
        assert (table.state.turn, table.state.total) == (0, 24)

    def test_every_entry_of_the_help_is_understood(self):
        examples = {"0 … 10, -10": "10", "left SEAT": "left 1", "!ENTRY": "!7", "starter SEAT": "starter 1"}
        for entry, *_ in ENTRIES:
            for one in examples.get(entry, entry).split(", "):
                one = one.replace("[CARD…]", "7 8").replace("CARD", "10").replace("N N …", "1 2 3")
                one = one.replace("SEAT", "Cy").replace("TEXT", "well")
                assert not isinstance(parse_entry(one, NAMES, make_ruleset({"edition": "1980"})), Refusal), (
                    one
                )


class TestLetStand:
    def test_a_card_over_the_limit(self):
        table, log = sit_down()
        enter(table, *["10"] * 9, "8")
        refused = table.enter("1")
        assert code_of(refused) == "ONO303"
        assert refused.may_stand
        enter(table, "!1")
        assert short(log)[-1] == "!play 1 1=99"
        assert_clean(log)

    def test_a_player_out_of_turn(self):
        table, log = sit_down()
        assert code_of(table.enter("7 by Cy")) == "ONO301"
        enter(table, "!7 by Cy", "8")
        assert short(log, 5) == ["!play 2 7=7", "draw 2", "play 0 8=15"]
        assert_clean(log)

    def test_what_breaks_no_rule_is_not_marked(self):
        table, log = sit_down()
        enter(table, "!7")
        assert short(log)[-1] == "play 0 7=7"

    def test_what_can_not_stand(self):
        table, _ = sit_down()
        assert code_of(table.enter("!!7")) == "ONO110"
        assert code_of(table.enter("!end")) == "ONO404"


class TestAnnouncedTotal:
    def test_the_right_one_changes_nothing(self):
        table, log = sit_down()
        enter(table, "7")
        before = log.data
        enter(table, "= 7")
        assert log.data == before

    @pytest.mark.parametrize(
        "entries", [["7", "= 9"], ["7 = 9"], ["7=9"], ["7", "!= 9"], ["7", "= 8", "= 9"]]
    )
    def test_the_table_plays_on_from_a_wrong_one(self, entries):
        table, log = sit_down()
        enter(table, "1", *entries, "2")
        events = [event for event in table.recorder.events if event.type in ("play", "comment")]
        assert [(e.type, e.total if e.type == "play" else (e.text, e.ref)) for e in events] == [
            ("play", 1), ("play", 9), ("comment", ("= 9", events[1].seq)), ("play", 11)
        ]  # fmt: skip
        assert events[1].irregular
        report = assert_clean(log)
        assert [finding.code for finding in report.diagnostics] == ["ONO306"]

    def test_back_to_the_right_one(self):
        table, log = sit_down()
        enter(table, "7", "= 9", "= 7", "2")
        assert table.state.total == 9
        assert [event.type for event in table.recorder.events].count("comment") == 0
        assert assert_clean(log).warnings == 0

    def test_comments_in_between_stay(self):
        table, _ = sit_down()
        enter(table, "7 = 9")
        enter(table, "c hm")
        assert code_of(table.enter("= 10")) == "ONO204", "the draw is made"

    def test_an_illegal_card_is_not_saved_by_its_total(self):
        table, log = sit_down()
        enter(table, *["10"] * 9, "8")
        assert code_of(table.enter("5 = 90")) == "ONO303"
        enter(table, "!5 = 90", "2")
        assert table.state.total == 92
        assert_clean(log)

    def test_there_must_be_a_card(self):
        table, _ = sit_down()
        assert code_of(table.enter("= 9")) == "ONO204"


class TestOut:
    def test_with_the_laid_down_hand(self):
        table, log = sit_down(players=["Ann", "Bo"])
        enter(table, *["10"] * 9, "7")
        assert code_of(table.enter("out 10 9 8 1")) == "ONO401"
        enter(table, "out 10 9 8 o")
        assert short(log)[-2:] == ["eliminate 0 no_legal_play 10 9 8 ono_99", "round_end"]
        enter(table, "end")
        table.close()
        assert_clean(log, "valid")

    @pytest.mark.parametrize(
        ("entry", "told"),
        [
            ("out o o o", "3 cards; the hand has 4"),
            ("out 7, 8, 9, 9, 9", "5 cards; the hand has 4"),
            ("left Cy 8", "1 card; the hand has 4"),
        ],
    )
    def test_with_a_wrong_number_of_cards(self, entry, told):
        table, _ = sit_down()
        enter(table, *["10"] * 9)
        assert table.enter(entry).message == told

    def test_somebody_leaves(self):
        table, log = sit_down()
        enter(table, "7", "left Cy", "8")
        assert short(log, 5) == ["play 0 7=7", "draw 0", "eliminate 2 left", "play 1 8=15"]
        enter(table, "timeout 1 10 9 8 7")
        assert table.state.match.winners == (0,)
        assert_clean(log)

    def test_a_bust_card_and_its_draw(self):
        table, log = sit_down(POINTS, dealer=2)
        enter(table, *["10"] * 9, "8")
        since = len(lines_of(log))
        enter(table, "bust 5 9 o ?")
        assert short(log, since) == ["draw 0", "eliminate 1 no_legal_play 5 9 ono_99 ?", "draw 1"]
        assert table.state.turn == 2
        assert_clean(log)


class TestPoints:
    def play_a_round(self):
        table, log = sit_down(POINTS, players=["Ann", "Bo"], dealer=1)
        enter(table, "10", "f", *["10"] * 8, "8", "bust 9 9 8")
        return table, log

    def test_unknown_cards_count_nothing(self):
        table, log = self.play_a_round()
        (end,) = [line for line in lines_of(log) if line["type"] == "round_end"]
        assert end["points"] == [15 + 25 + 9 + 8, 0], "a forfeited draw, out, and the cards that were shown"
        assert (table.state.round, table.state.turn) == (2, 0)
        assert_clean(log)

    def test_the_table_tells_them(self):
        table, log = self.play_a_round()
        assert code_of(table.enter("points 60")) == "ONO107"
        assert code_of(table.enter("points 56 0")) == "ONO407"
        assert code_of(table.enter("points 60 81")) == "ONO407"
        enter(table, "c counting", "points 60 44")
        assert table.state.match.scores == (60, 44)
        assert table.recorder.events[-1].type == "comment"
        enter(table, "points 61 45", "3")
        assert table.state.match.scores == (61, 45)
        assert code_of(table.enter("points 1 2")) == "ONO204"
        assert_clean(log)

    def test_they_can_be_taken_back(self):
        table, log = self.play_a_round()
        enter(table, "points 60 44", "points 61 45", "undo")
        assert table.state.match.scores == (60, 44)
        enter(table, "undo")
        assert table.state.match.scores == (57, 0)
        enter(table, "redo", "redo")
        assert table.state.match.scores == (61, 45)
        enter(table, "undo", "undo", "undo")
        assert (table.state.round, table.state.turn, table.state.total) == (1, 0, 98)
        assert_clean(log)

    def test_they_decide_who_goes_on(self):
        table, log = self.play_a_round()
        enter(table, "points 70 80", "left 0", "points 25 0")
        assert table.state.match.winners == (1,)
        enter(table, "end")
        table.close()
        assert_clean(log, "valid")

    def test_only_in_a_points_match(self):
        table, _ = sit_down()
        assert code_of(table.enter("points 1 2 3")) == "ONO204"


class TestStarter:
    def test_where_it_is_free(self):
        table, log = sit_down()
        enter(table, "starter Bo", "7")
        assert short(log)[-1] == "play 1 7=7"
        assert code_of(table.enter("starter 0")) == "ONO204"
        assert_clean(log)

    def test_where_it_is_not(self):
        table, _ = sit_down(dealer=0)
        assert code_of(table.enter("starter 0")) == "ONO319"

    def test_from_the_beginning(self):
        table, _ = sit_down(starter=2)
        assert table.state.turn == 2


class TestUndo:
    def test_each_entry_is_one_step(self):
        table, log = sit_down({"edition": "1980", "chips": 1}, dealer=2)
        entries = ["7", "f", "c hm", "p", "3", "8 = 20", "left Cy", "r", "out", "10"]
        states = [table.state]
        for entry in entries:
            enter(table, entry)
            states.append(table.state)
        for state in reversed(states[:-1]):
            enter(table, "undo")
            assert table.state == state
        assert code_of(table.enter("undo")) == "ONO209"
        for state in states[1:]:
            enter(table, "redo")
            assert table.state == state
        assert code_of(table.enter("redo")) == "ONO209"
        assert_clean(log)

    def test_after_another_process_went_on(self, tmp_path):
        path = tmp_path / "game.ono.jsonl"
        table = Table(Recorder.create(path, "2022", NAMES, view="public", mode="none"))
        enter(table, "7", "3", "p")
        table.close()
        table = Table(Recorder.resume(path, mode="none"))
        enter(table, "undo", "undo")
        assert table.state.total == 7
        table.close()
        table = Table(Recorder.resume(path, mode="none"))
        enter(table, "redo")
        assert table.state.total == 10
        table.close()

    def test_the_end(self):
        table, log = sit_down(players=["Ann", "Bo"])
        enter(table, "7", "out", "end", "undo")
        assert table.state.phase is Phase.MATCH_OVER
        enter(table, "undo", "8", "abandon", "undo", "9")
        assert table.state.total == 24
        assert_clean(log)


class TestForfeit:
    def test_after_a_comment_all_the_same(self):
        table, log = sit_down("1980")
        enter(table, "7", "c he forgot", "f")
        assert table.state.forfeits == (1, 0, 0)
        assert [event.type for event in table.recorder.events][5:] == ["play", "forfeit_draw", "comment"]
        assert_clean(log)

    def test_not_in_every_edition(self):
        table, _ = sit_down()
        enter(table, "7")
        assert code_of(table.enter("f")) == "ONO312"
        enter(table, "!f")
        assert table.state.forfeits == (1, 0, 0)

    def test_only_a_draw_that_is_due(self):
        table, _ = sit_down("1980")
        assert code_of(table.enter("f")) == "ONO309"
        enter(table, "7", "f")
        assert code_of(table.enter("f")) == "ONO309"


class TestEnd:
    def test_not_in_the_middle(self):
        table, _ = sit_down()
        assert code_of(table.enter("end")) == "ONO404"

    def test_a_round_in_which_nobody_can_play(self):
        table, log = sit_down({"edition": "2022", "nobody_can_play": "last_to_play"})
        enter(table, "7", "8", "end")
        assert short(log)[-3:] == ["draw 1", "round_end", "game_end"]
        assert lines_of(log)[-1]["winners"] == [1]
        table.close()
        assert_clean(log, "valid")

    def test_such_a_round_of_a_match(self):
        ruleset = {"edition": "1980", "nobody_can_play": "last_to_play"}
        table, log = sit_down(ruleset, dealer=2)
        enter(table, "7", "8", "end")
        assert (table.state.round, table.state.match.chips) == (2, (3, 3, 3))
        enter(table, "starter Cy", "9")
        assert short(log)[-1] == "play 2 9=9"
        enter(table, "undo", "undo")
        assert (table.state.round, table.state.turn) == (2, 1), "as it was without being told"
        enter(table, "undo")
        assert table.state.total == 15
        assert_clean(log)

    def test_nothing_comes_after_it(self):
        table, _ = sit_down()
        enter(table, "7", "abandon")
        for entry in ("8", "!8", "out", "o4", "!o4", "end", "!end", "abandon", "f", "left 1"):
            assert code_of(table.enter(entry)) == "ONO204"
        enter(table, "c good game")

    def test_closing_finishes_a_match_that_is_decided(self):
        table, log = sit_down(players=["Ann", "Bo"])
        enter(table, "out")
        table.close()
        assert_clean(log, "valid")
        assert "digest" in lines_of(log)[-1]


class TestReshuffle:
    def test_by_itself_is_the_right_moment(self):
        table, _ = sit_down()
        assert code_of(table.enter("reshuffle")) == "ONO314"
        enter(table, "7")
        assert code_of(table.enter("reshuffle")) == "ONO314"

    def test_a_deck_with_cards_missing(self):
        table, log = sit_down()
        enter(table, *["r"] * 5, "!reshuffle", "7")
        assert short(log)[-3:] == ["reshuffle", "draw 0", "play 2 7=7"]
        assert table.state.draw_pile == 4
        assert_clean(log)


def test_a_log_that_shows_all_cards_is_for_programs():
    with pytest.raises(ValueError, match="view full"):
        Table(Recorder.create(Memory(), "2022", NAMES))


def test_what_a_crash_left_out_is_written_when_it_goes_on(tmp_path):
    path = tmp_path / "game.ono.jsonl"
    table = Table(Recorder.create(path, {"edition": "1980", "chips": 1}, NAMES, view="public", clock=None))
    enter(table, "7", "out")
    table.close()
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    for cut in range(1, len(lines)):
        path.write_bytes(b"".join(lines[:cut]))
        table = Table(Recorder.resume(path, clock=None))
        assert table.state.phase is Phase.PLAYING
        table.close()
    path.write_bytes(b"".join(lines[: lines.index(next(line for line in lines if b"eliminate" in line)) + 1]))
    Table(Recorder.resume(path, clock=None)).close()
    assert path.read_bytes() == data


def test_the_state_as_it_is_printed():
    table, _ = sit_down(players=["Ann", "Bo"])
    enter(table, "7")
    assert table.state_json() == {
        "game_id": "kitchen-7", "seq": 4, "type": "play", "round": 1, "total": 7, "direction": 1, "turn": 1,
        "plays_due": 1, "second": False, "draws_due": 1, "hands": [["?"] * 3, ["?"] * 4], "out": [],
        "draw_pile": 104, "discard_pile": 1, "chips": None, "scores": None,
    }  # fmt: skip


def test_show_writes_nothing():
    table, log = sit_down()
    enter(table, "7")
    before = log.data
    enter(table, "?")
    assert log.data == before


def test_an_entry_with_an_id_is_taken_once(tmp_path):
    path = tmp_path / "kitchen.ono.jsonl"
    table = Table(Recorder.create(path, POINTS, ["Ann", "Bo"], view="public", game_id="g", clock=None))
    sent = [("7", "a"), ("10", "b"), ("= 17", "c"), ("= 18", "d"), ("undo", "e"), ("out", "f")]
    for text, entry_id in sent:
        assert table.enter(text, entry_id=entry_id) is None
        written = path.read_bytes()
        # Sent again, because its answer was lost.
        assert table.enter(text, entry_id=entry_id) is None
        assert path.read_bytes() == written
    table.recorder.close()
    table = Table(Recorder.resume(path, clock=None))
    # What wrote nothing needs no place in the log.
    for text, entry_id in sent[:2] + sent[3:]:
        assert table.enter(text, entry_id=entry_id) is None
    assert path.read_bytes() == written
    assert [table.has_taken(entry_id) for _, entry_id in sent] == [True, True, False, True, True, True]
    entered = [line for line in map(json.loads, written.splitlines()) if "meta" in line]
    assert [line["type"] for line in entered] == ["play", "play", "play", "undo", "eliminate"]


def test_a_refused_entry_is_not_taken():
    table, log = sit_down()
    before = log.data
    refused = table.enter("7 by Cy", entry_id="a")
    assert refused is not None
    assert not table.has_taken("a")
    assert table.enter("!7 by Cy", entry_id="a") is None
    assert table.has_taken("a")
    assert log.data != before
