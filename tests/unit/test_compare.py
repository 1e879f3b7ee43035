"""Two logs against each other; a log against states from elsewhere."""

import io
import json

import pytest

from ono_replay.compare import KEYS, BadStates, CannotCompare, check_states, first_difference
from ono_replay.log.jsonl import encode_game
from ono_replay.log.reader import read_games
from ono_replay.log.redact import view_of
from ono_replay.replay import read_replays
from tests.unit.test_branch import ROUND, start

LOG = start(edition='"2022"') + ROUND


def replays(text):
    return read_replays(io.BytesIO(text.encode() if isinstance(text, str) else text))


def difference(a, b, **options):
    return first_difference(replays(a), replays(b), **options)


class TestFirstDifference:
    def test_one_log_is_like_itself(self):
        assert difference(LOG, LOG) is None
        assert difference(LOG, LOG, everything=True) is None

    def test_the_first_event_and_both_states(self):
        found = difference(LOG, LOG.replace('"card":"7","total":7', '"card":"7","total":8'))
        assert found is not None
        assert (found.game, found.key, found.values) == (1, "total", (7, 8))
        ours, theirs = found.moments
        assert (ours.event.seq, theirs.event.seq) == (4, 4)
        assert (ours.state.total, theirs.state.total) == (7, 8)
        assert ours.state_json()["total"] == 7

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ('"game_id":"g"', '"game_id":"h"'),
            ('"text":"look at this"', '"text":"look"'),
            ('"card":"3"}', '"card":"3","at_ms":5}'),
            ('"card":"3"}', '"card":"3","meta":{"bot":1}}'),
            ('"card":"3"}', '"card":"3","colour":"red"}'),
        ],
    )
    def test_what_is_not_about_the_game_counts_only_on_demand(self, old, new):
        other = LOG.replace(old, new)
        assert other != LOG
        assert difference(LOG, other) is None
        assert difference(LOG, other, everything=True) is not None

    def test_numbers_never_count_and_undone_events_do_not_stand(self):
        comment = '{"seq":5,"type":"comment","text":"x"}\n{"seq":6,"type":"undo","to":4}\n'
        lines = LOG.splitlines(keepends=True)
        moved = [line.replace(f'"seq":{seq}', f'"seq":{seq + 2}') for seq, line in enumerate(lines)][5:8]
        assert (
            difference("".join(lines[:8]), "".join(lines[:5]) + comment + "".join(moved), everything=True)
            is None
        )

    def test_a_ruleset_is_what_it_means(self):
        assert difference(LOG, LOG.replace('"edition":"2022"', '"edition":"2022","max_total":98')) is None
        found = difference(LOG, LOG.replace('"edition":"2022"', '"edition":"2022","max_total":99'))
        assert (found.key, found.values) == ("ruleset.max_total", (98, 99))

    def test_hands_in_any_order(self):
        assert difference(LOG, LOG.replace('["7","10","4","0"]', '["0","4","7","10"]')) is None
        found = difference(LOG, LOG.replace('["7","10","4","0"]', '["0","4","7","7"]'))
        assert found.key == "cards"

    def test_one_ends_first(self):
        shorter = "".join(LOG.splitlines(keepends=True)[:-1])
        found = difference(shorter, LOG)
        assert found.moments[0] is None
        assert found.moments[1].event.seq == 11
        found = difference(LOG + LOG, LOG)
        assert (found.game, found.moments[1]) == (2, None)

    def test_a_log_is_like_its_view_if_unknown_cards_fit(self):
        events = next(read_games(io.BytesIO(LOG.encode()))).events
        view = encode_game(view_of(events, 0))
        assert difference(LOG, view).key == "view"
        assert difference(LOG, view, unknown_fits=True) is None
        assert difference(
            LOG.replace('"card":"7","total":7', '"card":"7","total":8'), view, unknown_fits=True
        )

    def test_positions(self):
        position = (
            '{"seq":1,"type":"round_start","round":1,"dealer":null,"starter":0,"position":{"total":5,"direction":1,'
            '"turn":0,"plays_due":1,"second":false,"hands":[["7","4"],["2"]],"out":[],"draw_pile":%s,'
            '"discard_pile":0}}\n'
        )
        known = start(edition='"2022"') + position % '["8","9"]'
        assert difference(known, known.replace('["7","4"]', '["4","7"]')) is None
        counted = start(edition='"2022"') + position % "2"
        assert difference(known, counted).key == "position.draw_pile"
        assert difference(known, counted, unknown_fits=True) is None

    def test_logs_are_paths_files_or_replays(self, tmp_path):
        path = tmp_path / "a.ono.jsonl"
        path.write_text(LOG)
        other = LOG.replace('"card":"7","total":7', '"card":"7","total":8')
        for log in (path, str(path), io.BytesIO(LOG.encode()), replays(LOG), next(replays(LOG))):
            found = first_difference(log, io.BytesIO(other.encode()))
            assert found is not None
            assert found.key == "total"

    def test_one_game_of_several(self):
        other = LOG.replace('"g"', '"other"').replace('"card":"7","total":7', '"card":"7","total":8')
        assert difference(other + LOG, LOG) is not None
        assert difference(other + LOG, LOG, game_id="g") is None

    def test_what_can_not_be_compared_is_told(self, tmp_path):
        """Two files without a game were said to be without a difference."""
        letter = tmp_path / "letter.txt"
        letter.write_text("Dear Ann,\n")
        for other in (letter, io.BytesIO()):
            with pytest.raises(CannotCompare, match="there is no game in either log"):
                first_difference(letter, other)
        assert first_difference(letter, replays(LOG)) is not None
        with pytest.raises(CannotCompare, match=r"letter.txt: no game has the id 'g'"):
            first_difference(replays(LOG), letter, game_id="g")
        with pytest.raises(CannotCompare, match="one of the logs: no game has the id 'h'; there is 'g'"):
            difference(LOG, LOG, game_id="h")
        with pytest.raises(CannotCompare, match="standard input"):
            first_difference("-", "-")

    def test_a_start_that_can_not_be_read(self):
        assert difference("[]\n" + LOG, LOG) is None
        assert difference(LOG.replace('"dealer":null', '"dealer":"x"'), LOG) is not None


def checked(states, log=LOG, **options):
    lines = "".join(json.dumps(state) + "\n" for state in states)
    return check_states(io.BytesIO(log.encode()), io.BytesIO(lines.encode()), **options)


class TestCheckStates:
    def ours(self, log=LOG):
        return [state for replay in replays(log) for state in replay.states_json()]

    def test_our_own(self):
        result = checked(self.ours())
        assert (result.compared, result.difference, result.unknown_keys) == (10, None, [])

    def test_any_of_the_keys_and_states(self):
        result = checked(
            [{"seq": 9, "total": 16}, {"game_id": "g", "seq": 11, "draws_due": 0, "mood": "good"}]
        )
        assert (result.compared, result.difference, result.unknown_keys) == (2, None, ["mood"])

    def test_the_keys_of_a_state_are_all_there(self):
        assert set(self.ours()[0]) == set(KEYS)

    def test_the_first_difference(self):
        result = checked([{"seq": 9, "total": 16}, {"total": 0, "seq": 11, "turn": 0, "plays_due": 2}])
        found = result.difference
        assert (result.compared, found.line, found.seq) == (1, 2, 11)
        assert (found.key, found.values) == ("total", (16, 0))
        assert found.moment.event.type == "draw"

    @pytest.mark.parametrize(
        ("wrong", "key"),
        [
            ({"second": 0}, "second"),
            ({"total": True}, "total"),
            ({"hands": [["0"], []]}, "hands[0]"),
            ({"hands": None}, "hands"),
            ({"hands": [[1], []]}, "hands[0]"),
            ({"out": [1]}, "out"),
        ],
    )
    def test_values_are_of_the_right_kind(self, wrong, key):
        found = checked([{"seq": 2, **wrong}]).difference
        assert found is not None
        assert found.key == key

    def test_a_hand_may_stand_in_any_order(self):
        assert checked([{"seq": 2, "hands": [["7", "10", "4", "0"], []]}]).difference is None

    def test_unknown_cards_may_fit(self):
        log = LOG.replace('"view":"full"', '"view":"public"').replace(
            '["7","10","4","0"]', '["?","?","?","?"]'
        )
        states = [{"seq": 2, "hands": [["7", "10", "4", "0"], []]}]
        assert checked(states, log).difference.key == "hands[0]"
        assert checked(states, log, unknown_fits=True).difference is None

    @pytest.mark.parametrize("seq", [0, 10, 12])
    def test_a_state_that_is_not_there(self, seq):
        found = checked([{"seq": seq, "total": 0}]).difference
        assert (found.seq, found.key) == (seq, None)

    def test_several_games(self):
        two = LOG + LOG.replace('"game_id":"g"', '"game_id":"h"')
        result = checked([{"game_id": "h", "seq": 4, "total": 7}], two)
        assert (result.compared, result.difference) == (1, None)
        assert checked([{"game_id": "x", "seq": 4}], two).difference.key is None
        with pytest.raises(BadStates, match="line 1: the log has several games"):
            checked([{"seq": 4, "total": 7}], two)
        with pytest.raises(BadStates, match="line 2: the games do not come in the order"):
            checked([{"game_id": "h", "seq": 4}, {"game_id": "g", "seq": 4}], two)

    def test_behind_an_error_nothing_is_compared(self):
        log = LOG.replace('"card":"9","total":16', '"card":"9","total":17')
        result = checked([{"seq": 6, "total": 7}, {"seq": 9, "total": 99}, {"seq": 11, "total": 99}], log)
        assert (result.compared, result.left_out, result.difference) == (1, 2, None)
        assert [error.code for error in result.errors] == ["ONO306"]

    def test_behind_a_line_that_can_not_be_read_nothing_is_compared(self):
        lines = LOG.splitlines(keepends=True)
        result = checked(
            [{"seq": 6, "total": 7}, {"seq": 7, "total": 99}], "".join([*lines[:7], "{\n", *lines[8:]])
        )
        assert (result.compared, result.left_out) == (1, 1)

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            (b"{", "line 1: no state"),
            (b"[]", "line 1: no state"),
            (b'{"total":7}', "line 1: a state needs an integer `seq`"),
            (b'{"seq":true}', "line 1: a state needs an integer `seq`"),
            (b'{"seq":1,"game_id":7}', "line 1: `game_id` must be a string"),
            (b"x" * ((1 << 20) + 1), "line 1: longer than 1 MiB"),
            (b"\x1f\x8b\x08\x00", "stream"),
        ],
    )
    def test_what_is_no_state(self, line, why):
        with pytest.raises(BadStates, match=why):
            check_states(io.BytesIO(LOG.encode()), io.BytesIO(line))

    @pytest.mark.parametrize(
        ("states", "why"),
        [
            ([], "there are no states in it"),
            ([{"seq": 4, "totl": 8}], "nothing was compared; .* totl .did you mean total.*"),
            ([{"seq": 4, "game_id": "g"}], "nothing was compared; its states have only `seq` and `game_id`"),
        ],
    )
    def test_where_nothing_is_compared_it_is_not_said_to_be_alike(self, states, why):
        with pytest.raises(BadStates, match=why):
            checked(states)

    def test_a_difference_or_an_error_of_the_log_is_an_answer(self):
        assert checked([{"seq": 77}]).difference is not None
        wrong = LOG.replace('"card":"7","total":7', '"card":"7","total":8')
        assert checked([{"seq": 4, "totl": 8}], wrong).left_out == 1

    def test_only_one_is_standard_input(self):
        with pytest.raises(BadStates, match="standard input"):
            check_states("-", "-")
