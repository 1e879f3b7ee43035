"""What-if games: their position is that of the source, and they keep the rules."""

import io
from pathlib import Path
from typing import Any

import pytest

from ono_replay.branch import CannotBranch, branch, write_branch
from ono_replay.log.jsonl import encode_game
from ono_replay.log.output import Unwritable
from ono_replay.replay import read_replay, read_replays, state_json
from ono_replay.rules.events import Position, RoundStart
from ono_replay.rules.ruleset import make_ruleset
from ono_replay.rules.setup import gone_at
from ono_replay.rules.state import Match, Phase

LOGS = Path(__file__).parents[1] / "data" / "conformance" / "logs"


def start(game_id="g", players=2, view="full", **ruleset):
    names = ",".join(f'{{"name":"P{seat}"}}' for seat in range(players))
    options = ",".join(f'"{key}":{value}' for key, value in ruleset.items())
    return (
        f'{{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"{game_id}",'
        f'"ruleset":{{{options}}},"players":[{names}],"dealer":null,"view":"{view}"}}\n'
    )


ROUND = """\
{"seq":1,"type":"round_start","round":1,"dealer":null,"starter":0}
{"seq":2,"type":"deal","seat":0,"cards":["7","10","4","0"]}
{"seq":3,"type":"deal","seat":1,"cards":["10","-10","play_2","4"]}
{"seq":4,"type":"play","seat":0,"card":"7","total":7}
{"seq":5,"type":"draw","seat":0,"card":"9"}
{"seq":6,"type":"play","seat":1,"card":"play_2","total":7}
{"seq":7,"type":"draw","seat":1,"card":"3"}
{"seq":8,"type":"comment","text":"look at this","ref":6}
{"seq":9,"type":"play","seat":0,"card":"9","total":16}
{"seq":10,"type":"undo","to":9}
{"seq":11,"type":"draw","seat":0,"card":"2"}
"""
SIMPLE = start(edition='"2022"') + ROUND


def replay_of(text):
    return read_replay(io.BytesIO(text.encode()))


def after(replay, seq):
    """The state of a replay without what says where it is."""
    state = replay.seek(seq)
    shown = state_json(None, replay.event or replay.start, state)
    return {key: value for key, value in shown.items() if key not in ("seq", "type")}


def head(made) -> tuple[Any, Any]:
    """The game_start and the round_start of a branch."""
    return made.events[0], made.events[1]


def last(events):
    replay = read_replay(io.BytesIO(encode_game(events)))
    assert replay.report.errors == 0
    return after(replay, events[-1].seq)


def test_it_starts_from_the_position():
    replay = replay_of(SIMPLE)
    made = branch(replay, 8)
    game_start, round_start = head(made)
    assert (game_start.game_id, game_start.view) == ("g-branch-8", "full")
    assert game_start.meta == {"branch_of": {"game_id": "g", "seq": 8}}
    assert round_start.position == Position(
        total=7,
        direction=1,
        turn=0,
        plays_due=2,
        second=False,
        hands=(("0", "4", "9", "10"), ("3", "4", "10", "-10")),
        out=(),
        draw_pile=102,
        discard_pile=("7", "play_2"),
    )
    assert made.lost == ()


def test_while_draws_are_due_it_starts_before_the_card():
    replay = replay_of(SIMPLE)
    made = branch(replay, 9)
    assert [(event.seq, event.type) for event in made.events] == [
        (0, "game_start"),
        (1, "round_start"),
        (2, "play"),
    ]
    assert made.state.draws_due == 1
    assert last(made.events) == after(replay, 9)
    # A comment in between comes along, its reference follows its event.
    assert [event.type for event in branch(replay, 11).events] == ["game_start", "round_start"]


def test_while_the_first_round_is_dealt_it_is_the_head_of_the_game():
    replay = replay_of(SIMPLE)
    assert [event.type for event in branch(replay, 2).events] == ["game_start", "round_start", "deal"]
    assert [event.type for event in branch(replay, 0).events] == ["game_start"]


def test_a_long_id_is_shortened_and_another_can_be_given():
    replay = replay_of(SIMPLE.replace('"g"', f'"{"x" * 128}"'))
    assert head(branch(replay, 8))[0].game_id == "x" * 119 + "-branch-8"
    assert head(branch(replay, 8, game_id="mine"))[0].game_id == "mine"


@pytest.mark.parametrize(
    ("text", "seq", "why", "nearest"),
    [
        (SIMPLE, 10, "no event 10 stands in this game; the nearest is 9", 9),
        (SIMPLE, 99, "no event 99 stands in this game; the nearest is 11", 11),
        (SIMPLE + '{"seq":12,"type":"game_end","winners":[],"reason":"abandoned"}\n', 12, "has ended", 11),
    ],
)
def test_where_there_is_no_branch(text, seq, why, nearest):
    with pytest.raises(CannotBranch, match=why) as caught:
        branch(replay_of(text), seq)
    assert caught.value.nearest == nearest


def test_a_later_round_that_is_dealt_points_to_its_first_moment():
    replay = read_replay(LOGS / "game-26-1980-points-low-score-seat.ono.jsonl")
    with pytest.raises(CannotBranch, match=r"still being dealt.* after event 32$") as caught:
        branch(replay, 31)
    assert caught.value.nearest == 32


def test_the_game_start_must_be_known():
    with pytest.raises(CannotBranch, match="can not be read"):
        branch(replay_of(SIMPLE.replace('"players"', '"player"')), 4)


def test_a_position_that_breaks_the_rules_is_no_branch():
    text = start(edition='"2022"', deck='{"7":4,"10":9}') + ROUND.replace('"10"', '"7"')
    with pytest.raises(CannotBranch, match="ONO211"):
        branch(replay_of(text), 5)


def test_the_order_of_the_draw_pile_comes_along():
    replay = next(
        replay
        for path in sorted(LOGS.glob("game-*-full.*"))
        for replay in read_replays(path)
        if isinstance(replay.events[0], RoundStart) and replay.events[0].deck
    )
    place = next(place for place, state in enumerate(replay.states) if state.phase is Phase.PLAYING)
    state = replay.states[place]
    _, round_start = head(branch(replay, replay.events[place].seq))
    assert state.stack is not None
    assert round_start.position.draw_pile == state.stack[-state.draw_pile :]


@pytest.mark.parametrize("path", sorted(LOGS.glob("game-*")), ids=lambda path: path.name.partition(".")[0])
def test_every_moment_of_a_sound_game(path):
    """Each branch has no error and ends in the state it was asked for; each refusal names a moment that works."""
    for replay in read_replays(path):
        for event in replay.events:
            try:
                made = branch(replay, event.seq)
            except CannotBranch as reason:
                nearest = reason.nearest
            else:
                wanted, got = after(replay, event.seq), last(made.events)
                if "scores" in made.lost:
                    wanted["scores"] = got["scores"]
                assert got == wanted
                assert made.state.match.gone == replay.seek(event.seq).match.gone
                continue
            assert replay.seek(event.seq).phase is not Phase.PLAYING
            assert nearest is not None
            branch(replay, nearest)


def test_what_a_position_can_not_say_is_told():
    replay = read_replay(LOGS / "game-26-1980-points-low-score-seat.ono.jsonl")
    assert branch(replay, 21).lost == ("forfeits", "left")
    assert branch(replay, 34).lost == ("scores",)


def test_in_a_match_to_the_last_a_full_score_without_cards_is_out():
    """schemas/RULES.md section 8: a player whose score reaches the target is out of the match."""
    ruleset = make_ruleset({"edition": "1980", "match": "points_last_standing", "points_target": 100})
    match = Match(ruleset=ruleset, seats=4, scores=(0, 0, 0, 0))
    position = Position(
        total=0,
        direction=1,
        turn=2,
        plays_due=1,
        second=False,
        hands=((), ("7",), ("8",), ()),
        out=(),
        draw_pile=10,
        discard_pile=0,
        scores=(120, 130, 10, None),
    )
    assert gone_at(match, position) == {0, 3}


def test_into_a_file_it_is_one_call(tmp_path):
    log, out = tmp_path / "a.ono.jsonl", tmp_path / "b.ono.jsonl.gz"
    log.write_text(SIMPLE, encoding="utf-8")
    made = write_branch(log, out, 7, new_id="mine")
    assert (tuple(read_replay(out).events), read_replay(out).game_id) == (made.events[1:], "mine")
    with pytest.raises(Unwritable, match="exists already"):
        write_branch(log, out, 7)
    assert write_branch(read_replay(log), out, 6, overwrite=True).events != made.events
    for seq, more, told in (
        (99, {}, "no event 99 stands"),
        (7, {"game_id": "x"}, "a.ono.jsonl: no game has the id 'x'"),
        (7, {"new_id": "x" * 129}, "an id has 1 to 128 characters"),
    ):
        before = out.read_bytes()
        with pytest.raises(CannotBranch, match=told):
            write_branch(log, out, seq, overwrite=True, **more)
        assert out.read_bytes() == before
