"""Runs what writes, and lets each call of the operating system fail in turn, from outside of the program.

    LD_PRELOAD=failing_calls.so ONO_FAIL_UNDER=FOLDER python -m tests.fuzz.under_failing_calls WHAT FOLDER STRIDE

`failing_calls.c` makes the calls fail. Every attempt is a process of its own (forked, to be quick); another one, in
which nothing fails, looks at what it left. Prints one JSON object.
"""

import contextlib
import ctypes
import errno
import io
import json
import os
import shutil
import sys
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.cli.main import run
from ono_replay.library import rewriting
from ono_replay.library.importing import import_logs
from ono_replay.library.maintenance import check_library
from ono_replay.record import JournalError, NotWritten, Recorder, Table
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan
from tests.fuzz.test_library_survives import rows_of

FOREVER = 1 << 40
ENTRIES = ["7", "9", "10", "-10", "r", "undo", "c some words", "3", "p", "h", "8", "abandon"]
SIMULATOR = Simulator(Plan(edition="1980", players=3, seed=5, match="single"))
MOST_CALLS = 3000


class Failed(Exception):
    """What came of a fault is not what is promised."""


def in_a_child(does):
    """Do something in another process; return what it returned, or raise what went wrong there."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = {"done": does()}
        except BaseException:  # noqa: BLE001 - told to the parent
            answer = {"wrong": traceback.format_exc()}
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(answer).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    answer = json.loads(told or b'{"wrong": "the process died"}')
    if "wrong" in answer:
        raise Failed(answer["wrong"])
    return answer["done"]


def with_faults(does, first, last, fault):
    """Do something while calls fail; return how many calls there were, and what it returned."""
    shim = ctypes.CDLL(None)
    shim.fail_at.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_int]
    shim.calls_made.restype = ctypes.c_long
    shim.fail_at(first, last, fault)
    answer = does()
    made = shim.calls_made()
    shim.fail_at(0, 0, 0)
    return made, answer


def command(*words):
    """Run a command; return how it ended and what it said."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        status = run(list(map(str, words)))
    return status, said.getvalue()


def check_said(status, said, made, first):
    if "Traceback" in said or "fault of ono-replay itself" in said:
        raise Failed(said)
    if status not in (0, 2) or (status == 2 and not said.startswith("ono-replay: ")):
        raise Failed(f"status {status}: {said}")
    if made < first and status:
        raise Failed(f"nothing failed, status {status}: {said}")


# --- what is done, and what must hold after it ------------------------------------------------------


class Recording:
    """A game at the table: what was acknowledged is in the log, and the log is in order."""

    REASONS = ("error", "full", "can not be gone on with", "could not be opened again")

    def __init__(self, folder):
        self.folder = folder

    def prepare(self, place):
        place.mkdir()

    def does(self, place):
        """Return the lines that were acknowledged, and what was told."""
        log = place / "game.ono.jsonl"
        acknowledged, told = 0, []
        recorder = None
        try:
            recorder = Recorder.create(
                log, "2022", ["Ann", "Bo", "Cy"], view="public", game_id="g", clock=None
            )
            acknowledged = recorder.next_seq
            table = Table(recorder)
            for entry in ENTRIES:
                try:
                    # Where an entry before it could not be written it may be against the rules.
                    table.enter(entry)
                    acknowledged = recorder.next_seq
                except NotWritten as reason:
                    told.append(str(reason))
            table.close()
        except JournalError as reason:
            told.append(str(reason))
        finally:
            if recorder is not None:
                with contextlib.suppress(JournalError):
                    recorder.close()
        return [acknowledged, told]

    def check(self, place, answer, made, first):
        acknowledged, told = answer
        if not all(str(place) in text and any(why in text for why in self.REASONS) for text in told):
            raise Failed(str(told))
        if made < first and told:
            raise Failed(f"nothing failed: {told}")
        log = place / "game.ono.jsonl"
        data = log.read_bytes() if log.exists() else b""
        lines = data.count(b"\n")
        if not acknowledged <= lines <= acknowledged + 1 and b'"game_end"' not in data:
            raise Failed(f"{acknowledged} acknowledged, {lines} lines in the log")
        if data:
            (report,) = validate([io.BytesIO(data)])
            if not isinstance(report, GameReport) or report.errors or not data.endswith(b"\n"):
                raise Failed(f"not in order: {report}")
        left = {path.name for path in place.iterdir()} - {log.name}
        if left:
            raise Failed(f"left behind: {left}")
        return "told" if told else "done"


class Converting:
    """A log that is packed: the old file or the new one."""

    OLD = b"what was there before\n"

    def __init__(self, folder):
        self.log = folder / "games.ono.jsonl"
        self.log.write_bytes(b"".join(SIMULATOR.log(index) for index in range(30)))
        if command("convert", self.log, folder / "whole.ono.jsonl.zst")[0]:
            raise Failed("the log can not be converted")
        self.whole = (folder / "whole.ono.jsonl.zst").read_bytes()

    def prepare(self, place):
        place.mkdir()
        (place / "out.ono.jsonl.zst").write_bytes(self.OLD)

    def does(self, place):
        return command("convert", self.log, place / "out.ono.jsonl.zst", "--force")

    def check(self, place, answer, made, first):
        status, said = answer
        check_said(status, said, made, first)
        found = (place / "out.ono.jsonl.zst").read_bytes()
        if found not in (self.OLD, self.whole) or (status == 0 and found != self.whole):
            raise Failed(f"{len(found)} bytes, status {status}: {said}")
        if [path.name for path in place.iterdir()] != ["out.ono.jsonl.zst"]:
            raise Failed("something is left behind")
        return "told" if status else "done"


class Importing:
    """An import into a library of some parts: what was there is there, and begun again it comes to the end."""

    parts = 2

    def __init__(self, folder):
        self.library = folder / "library"
        self.log = folder / "more.ono.jsonl"
        for part in range(self.parts):
            path = folder / f"{part}.ono.jsonl"
            path.write_bytes(b"".join(SIMULATOR.log(10 * part + index) for index in range(6)))
            # Small parts stay as they are.
            rewriting.SMALL_LIBRARY, rewriting.FULL_TIER = 0, 1000
            in_a_child(lambda path=path: len(import_logs([str(path)], self.library, jobs=1).sources))
        broken = SIMULATOR.log(90).replace(b'"total":', b'"total":9', 1)
        self.log.write_bytes(b"".join(SIMULATOR.log(50 + index) for index in range(6)) + broken)
        self.before = in_a_child(lambda: seen(self.library))
        self.after = in_a_child(lambda: self.finished(folder / "finished"))

    def finished(self, place):
        self.prepare(place)
        self.does(place)
        return seen(place)

    def prepare(self, place):
        shutil.copytree(self.library, place)

    def does(self, place):
        status, said = command("import", self.log, "--library", place, "--jobs", "1")
        # One game breaks the rules.
        return (0 if status == 1 else status), said

    def check(self, place, answer, made, first):
        status, said = answer
        check_said(status, said, made, first)
        if found := list(check_library(place, logs=True)):
            raise Failed(f"the library is damaged: {found}; {answer}")
        now = seen(place)
        if not set(self.before["games"]) <= set(now["games"]) <= set(self.after["games"]):
            raise Failed(f"games are lost, or more than there were: {answer}")
        if answer[0] == 0 and now != self.after:
            raise Failed(f"it said it was done, and was not: {answer}")
        status, said = self.does(place)
        if status or seen(place) != self.after:
            raise Failed(f"begun again it does not come to the end: {said}")
        if left := [str(path) for path in place.rglob("*") if ".draft" in path.name]:
            raise Failed(f"left behind: {left}")
        return "told" if answer[0] else "done"


class Compacting(Importing):
    """A library that is compacted: the same answers before, after and in between."""

    parts = 4

    def does(self, place):
        return command("library", "compact", "--library", place)


def seen(library):
    """Return what a library answers, as JSON can hold it."""
    rows = json.loads(json.dumps(rows_of(library), default=str))
    return {"games": sorted(row["game_id"] for row in rows["games"]), "rows": rows}


WHAT = {"record": Recording, "convert": Converting, "import": Importing, "compact": Compacting}
FAULTS = {
    "EIO once": lambda call: (call, call, errno.EIO),
    "ENOSPC from then on": lambda call: (call, FOREVER, errno.ENOSPC),
}


def main(what, folder, stride):
    folder.mkdir()
    subject: Any = WHAT[what](folder)
    found: Counter[str] = Counter()
    for name, fault in FAULTS.items():
        for call in range(1, MOST_CALLS, stride):
            place = folder / f"{name}-{call}".replace(" ", "-")
            subject.prepare(place)
            try:
                made, answer = in_a_child(
                    lambda place=place, call=call, fault=fault: with_faults(
                        lambda: subject.does(place), *fault(call)
                    )
                )
                came_to = in_a_child(
                    lambda place=place, answer=answer, made=made, call=call: subject.check(
                        place, answer, made, call
                    )
                )
            except Failed as reason:
                raise SystemExit(f"{what}: call {call} fails with {name}: {reason}") from None
            shutil.rmtree(place)
            if made < call:
                break
            found["failed"] += 1
            found[came_to] += 1
        else:
            raise SystemExit(f"{what}: more than {MOST_CALLS} calls")
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
