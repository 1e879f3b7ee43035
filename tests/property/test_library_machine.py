"""Hypothesis at a library and at a replay: whatever is done in whatever order, both are what a plain model says."""

import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from ono_replay.library.anonymising import anonymise
from ono_replay.library.exporting import export_log
from ono_replay.library.importing import import_logs
from ono_replay.library.maintenance import aliases, check_library, compact, remove_games, set_alias
from ono_replay.library.manifest import LibraryFault
from ono_replay.library.store import Library
from ono_replay.log.jsonl import encode_game
from ono_replay.log.reader import read_games
from ono_replay.replay import Replay, read_replay
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

SIMULATOR = Simulator(Plan(edition="2022", players=2, seed=21))
GAMES = tuple(SIMULATOR.log(index) for index in range(5))
IDS = tuple(f"sim-21-{index}" for index in range(5))
NAMES = ("random-0", "random-1", "Ann", "'; drop table games; --")
NUMBERS = st.integers(0, 4)


class LibraryMachine(RuleBasedStateMachine):
    """A library beside a dictionary of what should be in it: id → the log of the game."""

    @initialize()
    def begin(self):
        self.folder = tempfile.TemporaryDirectory()
        self.library = Path(self.folder.name, "library")
        self.games: dict[str, bytes] = {}
        self.aliases: dict[str, str] = {}
        self.quarantined: set[bytes] = set()
        self.anonymous = False
        self._import(GAMES[0])
        self.games[IDS[0]] = GAMES[0]

    def teardown(self):
        if hasattr(self, "folder"):
            self.folder.cleanup()

    def _import(self, *logs):
        path = Path(self.folder.name, "in.ono.jsonl")
        path.write_bytes(b"".join(logs))
        import_logs([str(path)], self.library, jobs=1)

    @rule(numbers=st.lists(NUMBERS, min_size=1, max_size=3))
    def take_in(self, numbers):
        """Whole games: new ones, such as are there, and the ends of such as were begun."""
        if self.anonymous:
            return
        self._import(*(GAMES[number] for number in numbers))
        self.games |= {IDS[number]: GAMES[number] for number in numbers}

    @rule(number=NUMBERS, lines=st.integers(5, 30))
    def take_in_a_beginning(self, number, lines):
        """The longer version stays, whichever comes first."""
        if self.anonymous:
            return
        part = b"".join(GAMES[number].splitlines(keepends=True)[:lines])
        self._import(part)
        if len(part) > len(self.games.get(IDS[number], b"")):
            self.games[IDS[number]] = part

    @rule(number=NUMBERS)
    def take_in_a_wrong_one(self, number):
        """A game that breaks the rules is held back and changes nothing."""
        wrong = GAMES[number].replace(b'"total":', b'"total":7', 1)
        self._import(wrong)
        self.quarantined.add(wrong)

    @rule(number=NUMBERS)
    def remove(self, number):
        gone = remove_games(self.library, [IDS[number]])
        assert gone == ([IDS[number]] if IDS[number] in self.games else [])
        self.games.pop(IDS[number], None)

    @rule(known=st.sampled_from(NAMES), who=st.sampled_from((*NAMES[2:], None)))
    def call(self, known, who):
        if self.anonymous or known == who or (who is None and known not in self.aliases):
            return
        set_alias(self.library, known, who)
        if who is None:
            del self.aliases[known]
        else:
            self.aliases[known] = who
        self.aliases = dict(aliases(self.library))

    @rule()
    def put_in_order(self):
        compact(self.library)

    @rule()
    def make_anonymous(self):
        """What is held back is kept to the byte and may hold names: then nothing is done."""
        if self.quarantined:
            with pytest.raises(LibraryFault):
                anonymise(self.library, jobs=1)
            return
        anonymise(self.library, jobs=1)
        self.anonymous = True
        self.aliases = {}

    @invariant()
    def is_what_the_model_says(self):
        if not hasattr(self, "games"):
            return
        with Library(self.library) as opened:
            rows = opened.query("select game_id, n_events from games order by game_id").to_pylist()
            held = opened.query("select count(*) as n from quarantine").to_pylist()[0]["n"]
            seats = opened.query("select distinct player from players").column(0).to_pylist()
        assert [row["game_id"] for row in rows] == sorted(self.games)
        assert [row["n_events"] for row in rows] == [
            len(self.games[row["game_id"]].splitlines()) for row in rows
        ]
        assert held == len(self.quarantined)
        if self.anonymous:
            assert not set(seats) & set(NAMES)
        else:
            assert dict(aliases(self.library)) == self.aliases

    @rule()
    def comes_out_as_it_went_in(self):
        out = Path(self.folder.name, "out.ono.jsonl")
        export_log(self.library, out)
        found = {game.start.game_id: encode_game(game.events) for game in read_games(out) if game.start}
        if self.anonymous:
            assert sorted(found) == sorted(self.games)
            assert b"random-" not in out.read_bytes()
        else:
            assert found == self.games
        assert not list(check_library(self.library, logs=True))


class ReplayMachine(RuleBasedStateMachine):
    """A replay that is walked through beside the list of its states."""

    @initialize(number=NUMBERS)
    def begin(self, number):
        self.replay: Replay = read_replay(io.BytesIO(GAMES[number]))
        fresh = read_replay(io.BytesIO(GAMES[number]))
        self.states = [fresh.seek(event.seq) for event in fresh.events]
        self.numbers = [event.seq for event in fresh.events]
        self.place = self.replay.index

    @rule()
    def step(self):
        if self.place + 1 < len(self.states):
            self.place += 1
            assert self.replay.next() == self.states[self.place]
        else:
            assert self.replay.next() is None

    @rule()
    def step_back(self):
        found = self.replay.back()
        if self.place > 0:
            self.place -= 1
            assert found == self.states[self.place]
        else:
            self.place = self.replay.index

    @rule(at=st.integers(0, 10_000))
    def jump(self, at):
        self.place = at % len(self.states)
        assert self.replay.seek(self.numbers[self.place]) == self.states[self.place]

    @rule(seq=st.integers(100_000, 200_000))
    def jump_to_nowhere(self, seq):
        try:
            self.replay.seek(seq)
        except KeyError:
            return
        raise AssertionError("there is no such event")

    @invariant()
    def stands_where_the_model_does(self):
        if hasattr(self, "states") and 0 <= self.place < len(self.states):
            assert self.replay.index == self.place
            assert self.replay.state == self.states[self.place]


def run_machine(machine, *, examples, steps):
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_library():
    run_machine(LibraryMachine, examples=5, steps=10)


def test_replay():
    run_machine(ReplayMachine, examples=15, steps=30)
