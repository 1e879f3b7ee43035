"""The definitions of schemas/LIBRARY.md on small games in which each of their words decides."""

import json

import pytest

from ono_replay.library.importing import import_logs
from ono_replay.library.store import Library


class Table:
    """Writes a log of hidden hands, entry by entry: `0:7=7` a play and its draw, `0:7=7!` let stand, `out 1` …"""

    def __init__(self, players=3, **ruleset):
        ruleset = {"edition": "2022", **ruleset}
        names = [{"name": name} for name in "ABCDEF"[:players]]
        self.events = [
            {"type": "game_start", "format": "ono-log", "version": "1.0", "game_id": "g", "ruleset": ruleset,
             "players": names, "dealer": players - 1, "view": "public"},
            {"type": "round_start", "round": 1, "dealer": players - 1, "starter": 0},
            *({"type": "deal", "seat": seat, "cards": ["?"] * 4} for seat in range(players)),
        ]  # fmt: skip

    def __call__(self, *entries):
        for entry in entries:
            kind, _, rest = entry.partition(" ")
            if kind in ("out", "left", "timeout"):
                seat, *hand = rest.split()
                reason = "no_legal_play" if kind == "out" else kind
                self._add("eliminate", seat=int(seat), reason=reason, **({"hand": hand} if hand else {}))
            elif kind == "bust":
                seat, card = rest.split()
                self._add("eliminate", seat=int(seat), reason="no_legal_play", card=card)
                self._add("draw", seat=int(seat), card="?")
            elif kind == "four":
                self._add("discard_four", seat=int(rest))
                for _ in range(4):
                    self._add("draw", seat=int(rest), card="?")
            elif kind == "end":
                self._add(**json.loads(rest))
            else:
                self._play(entry)
        return self

    def _play(self, entry):
        who, _, total = entry.partition("=")
        seat, _, card = who.partition(":")
        more = {"irregular": True} if total.endswith("!") else {}
        self._add("play", seat=int(seat), card=card, total=int(total.rstrip("!")), **more)
        self._add("draw", seat=int(seat), card="?")

    def _add(self, type, **keys):  # noqa: A002 - the key of the log
        self.events.append({"type": type, **keys})

    @property
    def log(self):
        return "".join(json.dumps({"seq": seq, **event}) + "\n" for seq, event in enumerate(self.events))


ROUND_END = 'end {"type":"round_end","round":1,"winner":%s,"loser":%s}'
GAME_END = 'end {"type":"game_end","winners":[%s],"reason":"completed"}'
ABANDONED = 'end {"type":"game_end","winners":[],"reason":"abandoned"}'


@pytest.fixture
def ask(tmp_path):
    def ask(table, columns, view):
        path = tmp_path / "log.ono.jsonl"
        path.write_text(table.log, encoding="utf-8")
        summary = import_logs([str(path)], tmp_path / "library", jobs=1)
        assert summary.notes == [], summary.notes
        with Library(tmp_path / "library") as library:
            return [tuple(row.values()) for row in library.query(f"select {columns} from {view}").to_pylist()]

    return ask


CHAINS = {
    "hit and survived": (["0:play_2=0", "1:3=3", "1:4=7"], [(0, 1, 1, True)]),
    "the second card is still owed": (["0:play_2=0", "1:3=3"], [(0, 1, 1, None)]),
    "nobody has answered": (["0:play_2=0"], [(0, 1, None, None)]),
    "passed on twice": (["0:play_2=0", "1:play_2=0", "2:reverse=0", "1:3=3", "1:4=7"], [(0, 3, 1, True)]),
    "falls at the first card": (["0:play_2=0", "out 1"], [(0, 1, 1, False)]),
    "falls at the second card": (["0:play_2=0", "1:3=3", "out 1"], [(0, 1, 1, False)]),
    "leaves while two are owed": (["0:play_2=0", "left 1"], [(0, 1, 1, False)]),
    "times out at the second card": (["0:play_2=0", "1:3=3", "timeout 1"], [(0, 1, 1, False)]),
    "somebody else leaves": (["0:play_2=0", "left 2", "1:3=3", "1:4=7"], [(0, 1, 1, True)]),
    "the second card starts another": (
        ["0:play_2=0", "1:3=3", "1:play_2=3", "2:4=7", "2:5=12"], [(0, 1, 1, True), (1, 1, 2, True)],
    ),
    "four ono_99 are the first card": (["0:play_2=0", "four 1", "1:3=3"], [(0, 1, 1, True)]),
    "four ono_99 are the second card": (["0:play_2=0", "1:3=3", "four 1"], [(0, 1, 1, True)]),
    "everyone else leaves before": (
        ["0:play_2=0", "left 2", "left 0", ROUND_END % (1, 2), GAME_END % 1], [(0, 1, None, None)],
    ),
    "everyone else leaves between": (
        ["0:play_2=0", "1:3=3", "left 2", "left 0", ROUND_END % (1, 2), GAME_END % 1], [(0, 1, 1, True)],
    ),
    "abandoned between": (["0:play_2=0", "1:3=3", ABANDONED], [(0, 1, 1, None)]),
}  # fmt: skip


@pytest.mark.parametrize(("entries", "expected"), CHAINS.values(), ids=CHAINS)
def test_a_pair_chain(ask, entries, expected):
    assert ask(Table()(*entries), "started_by, length, hit, survived", "pair_chains") == expected


def test_four_that_cost_nothing_are_no_answer_to_a_pair(ask):
    table = Table(four_ono_99="free_action")("0:play_2=0", "four 1", "1:play_2=0", "2:3=3", "2:4=7")
    assert ask(table, "started_by, length, hit, survived", "pair_chains") == [(0, 2, 2, True)]


def test_a_reverse_that_does_not_deflect_between_two_is_the_first_card(ask):
    table = Table(2, reverse_deflects_two_players=False)("0:play_2=0", "1:reverse=0", "1:3=3")
    assert ask(table, "started_by, length, hit, survived", "pair_chains") == [(0, 1, 1, True)]


CAUSES = {
    "first card": (["0:7=7", "out 1"], ("first_card", 7, 0)),
    "an ordinary turn is a first card": (["out 0"], ("first_card", 0, None)),
    "second card": (["0:play_2=0", "1:3=3", "out 1"], ("second_card", 3, 1)),
    "a hand of ono_99": (["0:7=7", "out 1 ono_99 ono_99 ono_99 ono_99"], ("only_ono_99", 7, 0)),
    "a hand of ono_99 at the second card": (
        ["0:play_2=0", "1:3=3", "out 1 ono_99 ono_99 ono_99 ono_99"], ("only_ono_99", 3, 1),
    ),
    "one card unknown": (["0:7=7", "out 1 ono_99 ono_99 ono_99 ?"], ("first_card", 7, 0)),
    "left": (["0:7=7", "left 1 ono_99 ono_99 ono_99 ono_99"], ("left", 7, 0)),
    "timeout": (["0:7=7", "timeout 2"], ("timeout", 7, 0)),
    "who changed nothing set nothing": (["0:7=7", "1:0=7", "2:-10=0", "0:-10=0", "out 1"], ("first_card", 0, 2)),
    "a wrong total let stand is a change": (["0:7=7", "1:0=9!", "out 2"], ("first_card", 9, 1)),
}  # fmt: skip


@pytest.mark.parametrize(("entries", "expected"), CAUSES.values(), ids=CAUSES)
def test_an_elimination(ask, entries, expected):
    table = Table(four_ono_99="off")(*entries)
    assert ask(table, "cause, total, set_by", "eliminations") == [expected]


def test_a_bust_card_comes_before_everything_else(ask):
    table = Table(edition="1980", match="points_low_score", points_target=100)
    table("0:10=10", *(f"{n % 3}:10={10 * n + 10}" for n in range(1, 9)), "bust 0 10")
    (row,) = ask(table, "cause, total, len(hand), set_by", "eliminations")
    assert row == ("bust", 90, 3, 2)


def test_the_total_of_another_round_sets_nothing(ask):
    table = Table(edition="1980")(
        "0:7=7", "out 1", 'end {"type":"round_end","round":1,"winner":null,"loser":1,"chips":[3,2,3]}'
    )
    table('end {"type":"round_start","round":2,"dealer":2,"starter":1}')
    for seat in range(3):
        table(f'end {{"type":"deal","seat":{seat},"cards":["?","?","?","?"]}}')
    table("out 1")
    assert ask(table, "round, seat, set_by", "eliminations") == [(1, 1, 0), (2, 1, None)]


def test_legal_is_null_with_an_unknown_card_and_forced_as_well(ask):
    table = Table()("0:7=7")
    assert ask(table, "hand, legal, forced", "decisions") == [(["?"] * 4, None, None)]


def test_won_is_null_unless_completed(ask):
    table = Table(2)("0:7=7", ABANDONED)
    assert ask(table, "won", "players") == [(None,), (None,)]


def test_winners_are_empty_when_abandoned(ask):
    assert ask(Table(2)("0:7=7", ABANDONED), "winners, reason, verdict", "games") == [
        ([], "abandoned", "valid")
    ]


def test_winners_are_null_when_unfinished(ask):
    assert ask(Table(2)("0:7=7"), "winners, reason, verdict", "games") == [(None, None, "unfinished")]


def test_events_before_the_first_round_have_no_state(ask):
    table = Table()
    table.events.insert(1, {"type": "comment", "text": "welcome"})
    found = ask(table, "seq, type, round, total, total_before, hands", "events limit 3")
    assert found == [
        (0, "game_start", None, None, None, None),
        (1, "comment", None, None, None, None),
        (2, "round_start", 1, 0, None, [[], [], []]),
    ]


def test_undone_events_are_in_no_view(ask):
    table = Table()("0:7=7", "1:9=16")
    table.events.append({"type": "undo", "to": 6})
    table("1:8=15")
    assert ask(table, "seq, type, card", "events where seq > 4") == [
        (5, "play", "7"), (6, "draw", "?"), (10, "play", "8"), (11, "draw", "?"),
    ]  # fmt: skip


def test_a_started_time_is_in_utc_beside_the_text(ask):
    table = Table()
    table.events[0]["started_at"] = "2026-01-31T20:15:00.5+01:00"
    assert ask(table, "started_at, started::varchar", "games") == [
        ("2026-01-31T20:15:00.5+01:00", "2026-01-31 19:15:00.5")
    ]


def test_who_a_player_is(ask):
    table = Table(2)
    table.events[0]["players"] = [{"name": "Zoe\u0308"}, {"name": "Bo", "id": "u-7"}]
    assert ask(table, "player, name, id", "players") == [
        ("Zo\u00eb", "Zoe\u0308", None),
        ("u-7", "Bo", "u-7"),
    ]


@pytest.mark.parametrize("total", [2**62, -(2**62)])
def test_absurd_totals_that_were_let_stand_break_nothing(ask, total):
    table = Table()("0:7=7", f"1:9={total}!", f"2:0={total}!", f"0:0={total}!")
    assert ask(table, "max(abs(total))", "events") == [(2**62,)]
