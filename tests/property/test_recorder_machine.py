"""Hypothesis at the table: whatever is entered, torn, failed or resumed, the log stays right."""

import errno
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.log.jsonl import encode_game
from ono_replay.log.undo import effective_events
from ono_replay.record import NotWritten, Recorder, Table
from ono_replay.record.reading import fold
from ono_replay.rules.state import Phase
from tests.faulty_files import FaultyFiles

STEPS = {"count": 0}
RULESETS = (
    {"edition": "2022"},
    {"edition": "2022", "four_ono_99": "free_action", "nobody_can_play": "last_to_play", "max_total": 40},
    {"edition": "1980"},
    {"edition": "1980", "chips": 1, "next_starter": "left_of_dealer", "max_total": 30},
    {"edition": "1980", "match": "points_last_standing", "points_target": 60, "max_total": 30},
    {
        "edition": "1980",
        "match": "points_low_score",
        "points_target": 60,
        "ono_99_on_zero": True,
        "max_total": 30,
    },
    {
        "edition": "2022",
        "match": "chips",
        "next_starter": "any",
        "reshuffle_keep_top": True,
        "deck": {"0": 9, "7": 9, "reverse": 3},
    },
)
CARDS = ("0", "1", "7", "9", "10", "-10", "r", "p", "h", "o")
PLAYS = st.sampled_from([*CARDS, *CARDS, "o4", "7 by 1", "r by 0", "10 = 12", "= 5", "= 10", "f"])
OTHERS = st.sampled_from(
    [
        "out", "out 9 9 9 9", "out o o o o", "out ? 10", "bust 10", "bust 9 9 9 9", "bust 7 o o ?", "left 0", "left 2",
        "timeout 1", "end", "abandon", "reshuffle", "c hm", "points 10 20 30", "points 40 90", "points 0 0 0",
        "starter 1", "starter 0", "?", "11", "", "left 9", "= x",
    ]
)  # fmt: skip


class NoSync(FaultyFiles):
    """Nothing waits for the disk; what is on it is another test's business."""

    def sync_data(self, descriptor):
        self._count("sync_data")

    def sync(self, descriptor):
        self._count("sync")

    def sync_folder(self, folder):
        self._count("sync_folder")


class Recording(RuleBasedStateMachine):
    """One game at the table, with all that can go wrong."""

    @initialize(
        ruleset=st.sampled_from(RULESETS),
        players=st.integers(2, 3),
        dealer=st.sampled_from([None, 0, 1]),
        mode=st.sampled_from(["durable", "batch", "none"]),
    )
    def begin(self, ruleset, players, dealer, mode):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name, "game.ono.jsonl")
        self.files = NoSync()
        self.mode = mode
        recorder = Recorder.create(
            self.path, ruleset, ["Ann", "Bo", "Cy"][:players], dealer=dealer, view="public", game_id="g",
            clock=None, mode=mode, files=self.files,
        )  # fmt: skip
        self.table = Table(recorder)
        self.data = self.path.read_bytes()

    def enter(self, entry):
        STEPS["count"] += 1
        before = self.table.state
        refused = self.table.enter(entry)
        if refused is not None:
            assert refused.message
            assert refused.diagnostic("g", "g").severity == "error"
            assert self.path.read_bytes() == self.data
            assert self.table.state == before
        self.data = self.path.read_bytes()
        return refused

    @rule(entry=PLAYS)
    def play(self, entry):
        refused = self.enter(entry)
        if refused is not None and refused.may_stand and len(self.data) % 3 == 0:
            assert self.enter(f"!{entry}") is None

    @rule(entry=OTHERS)
    def other(self, entry):
        self.enter(entry)

    @rule()
    def undo_and_redo(self):
        before = self.table.state
        if self.enter("undo") is None:
            assert self.enter("redo") is None
            assert self.table.state == before

    @rule()
    def undo(self):
        self.enter("undo")

    @rule()
    def redo(self):
        self.enter("redo")

    @rule(entry=PLAYS, fault=st.sampled_from(["write", "part", "sync_data", "truncate", "open"]))
    def fail(self, entry, fault):
        STEPS["count"] += 1
        before = self.table.state
        if fault == "part":
            self.files.fail("write", -11)
        elif fault in ("truncate", "open"):
            self.files.fail("write" if fault == "truncate" else "sync_data", errno.EIO)
            self.files.fail(fault, errno.EIO)
        else:
            self.files.fail(fault, errno.ENOSPC)
        try:
            self.table.enter(entry)
        except NotWritten:
            assert self.table.state == before
            self.files.faults.clear()
            refused = self.table.enter(entry)
            assert refused is None, "it was refused for no rule"
        self.files.faults.clear()
        self.data = self.path.read_bytes()

    @rule(torn=st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"")))
    def crash(self, torn):
        STEPS["count"] += 1
        before = self.table.recorder.events, self.table.state
        self.table.recorder.close()
        with self.path.open("ab") as file:
            file.write(torn)
        self.table = Table(Recorder.resume(self.path, clock=None, mode=self.mode, files=self.files))
        assert (self.table.recorder.events, self.table.state) == before
        assert self.path.read_bytes() == self.data
        torn_file = self.table.recorder.torn
        assert (torn_file is not None) == bool(torn)
        if torn_file is not None:
            assert torn_file.read_bytes() == torn
            torn_file.unlink()

    @precondition(lambda self: self.table.state.phase in (Phase.MATCH_OVER, Phase.ENDED))
    @rule()
    def finish(self):
        STEPS["count"] += 1
        self.table.close()
        self.check(self.path.read_bytes(), "valid")
        # The game goes on from the log as it was.
        self.path.unlink()
        self.path.write_bytes(self.data)
        self.table = Table(Recorder.resume(self.path, clock=None, mode=self.mode, files=self.files))

    @invariant()
    def somebody_is_to_act_or_it_is_over(self):
        if hasattr(self, "table"):
            state = self.table.state
            assert state.turn is not None or state.phase in (Phase.MATCH_OVER, Phase.ENDED)

    def check(self, data, verdict=None):
        (report,) = validate([io.BytesIO(data)])
        assert isinstance(report, GameReport)
        errors = [finding for finding in report.diagnostics if finding.severity == "error"]
        assert not errors, (errors[0].code, errors[0].message, errors[0].seq)
        if verdict is not None:
            assert report.verdict == verdict

    def teardown(self):
        if not hasattr(self, "table"):
            return
        try:
            self.check_all(self.table.recorder)
        finally:
            self.table.recorder.close()
            self.folder.cleanup()

    def check_all(self, recorder):
        recorder.close()
        self.check(self.data)
        standing = effective_events(recorder._game.history.events)
        assert tuple(standing) == recorder.events
        assert fold(recorder.start, recorder.ruleset, standing) == recorder.state
        assert encode_game(recorder._game.history.events) == self.data


def run_machine(examples):
    STEPS["count"] = 0
    run_state_machine_as_test(
        Recording,
        settings=settings(
            max_examples=examples,
            stateful_step_count=60,
            derandomize=True,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_recording_at_the_table():
    run_machine(300)
    assert STEPS["count"] >= 15_000


@pytest.mark.slow
def test_recording_at_the_table_for_long():
    run_machine(8_000)
    assert STEPS["count"] >= 300_000
