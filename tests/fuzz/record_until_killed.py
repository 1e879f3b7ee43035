"""Records games in a process that is killed at random moments, and counts what was lost.

    python -m tests.fuzz.record_until_killed FOLDER CYCLES SEED

Each cycle is a process of its own (forked, to be quick), killed by SIGKILL. It tells what is acknowledged
through a pipe. After each kill the log is read back and gone on with. Prints one JSON object.
"""

import json
import os
import random
import select
import signal
import sys
import time
import traceback
import zlib
from pathlib import Path

from ono_replay.log.jsonl import canonical, parse_line
from ono_replay.log.reader import read_games
from ono_replay.record import IsFinished, NoGame, Recorder, Table
from ono_replay.record.files import Files
from ono_replay.record.journal import SyncMode
from ono_replay.rules.events import Event

ENTRIES = [
    "7",
    "9",
    "10",
    "-10",
    "r",
    "p",
    "h",
    "undo",
    "redo",
    "c " + "long " * 60,
    "= 12",
    "out",
    "f",
    "left 1",
]
PLAYERS = ["Ann", "Bo", "Cy", "Di"]
MODES: list[SyncMode] = ["durable", "durable", "batch", "none"]
MOST_DELAY = 0.03
ACK = 12
SOMEBODY_DID = [b'"type":"%s"' % kind for kind in (b"play", b"eliminate", b"undo", b"forfeit_draw")]
"""One entry is at most one of these, and `= 12` an undo with a play."""


class KilledInWrite(Files):
    """A process that is killed half-way through one of its writes."""

    def __init__(self, writes, rng):
        self.writes = writes
        self.rng = rng

    def write(self, descriptor, data):
        self.writes -= 1
        if self.writes == 0:
            os.write(descriptor, data[: self.rng.randrange(len(data))])
            os.kill(os.getpid(), signal.SIGKILL)
        return super().write(descriptor, data)


def play_on(path, seed, acknowledge, mode=None):
    """Enter at random until the game is over, or this process."""
    rng = random.Random(seed)
    mode = mode or rng.choice(MODES)
    files = KilledInWrite(rng.randrange(1, 40), rng) if rng.random() < 0.2 else None
    try:
        recorder = Recorder.resume(path, mode=mode, files=files)
    except (FileNotFoundError, NoGame):
        ruleset = {"edition": rng.choice(["1980", "2022"]), "max_total": 300}
        recorder = Recorder.create(path, ruleset, PLAYERS, view="public", mode=mode, files=files)
    table = Table(recorder)
    acknowledge(recorder)
    while table.state.match.winners is None:
        entry = rng.choice(ENTRIES if rng.random() < 0.9 else ["!7", "!f"])
        if entry in ("out", "left 1") and recorder.next_seq < 60:
            continue
        if table.enter(entry) is None:
            acknowledge(recorder)
    table.close()


def line_of(recorder, seq):
    return canonical(recorder._game.history.events[seq])


def child(path, seed, pipe):
    def acknowledge(recorder):
        last = recorder.next_seq - 1
        os.write(pipe, last.to_bytes(4, "big") + zlib.crc32(line_of(recorder, last)).to_bytes(8, "big"))

    try:
        play_on(path, seed, acknowledge)
    except BaseException:  # noqa: BLE001 - a child must not come back into the parent's loop
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def run_until_killed(path, seed, delay, *, patient):
    """Return what a process acknowledged before it was killed; a patient killer lets it begin first."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        child(path, seed, writing)
    os.close(writing)
    if patient:
        select.select([reading], [], [], 10)
    time.sleep(delay)
    os.kill(pid, signal.SIGKILL)
    told = b""
    while chunk := os.read(reading, 1 << 16):
        told += chunk
    os.close(reading)
    status = os.waitpid(pid, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the recorder itself failed"
    return [
        (int.from_bytes(told[at : at + 4], "big"), int.from_bytes(told[at + 4 : at + ACK], "big"))
        for at in range(0, len(told) - ACK + 1, ACK)
    ]


def check(path, acknowledged, found):
    """Compare a log with what was acknowledged."""
    data = path.read_bytes() if path.exists() else b""
    whole = data[: data.rfind(b"\n") + 1].splitlines()
    if acknowledged and b'"digest"' in whole[-1]:
        # Finished: undone events are gone; what is there must be a whole game.
        (game,) = read_games(path)
        assert not game.faults
        found["finished"] += 1
        return
    for seq, crc in acknowledged:
        if seq >= len(whole) or zlib.crc32(whole[seq]) != crc:
            found["lost"] += 1
    if acknowledged:
        more = whole[acknowledged[-1][0] + 1 :]
        found["unacknowledged"] += bool(more)
        did = [line for line in more if any(kind in line for kind in SOMEBODY_DID)]
        found["too_many"] += len(did) > 1 + (b'"type":"undo"' in (did or [b""])[0])
    tail = data[sum(len(line) + 1 for line in whole) :]
    # Only the newline of a line may be missing: then it is an event, not torn.
    found["torn"] += bool(tail) and not isinstance(parse_line(tail), Event)


def resume(path, found):
    """Go on with a log as the next process would, and leave it; return whether the game has ended."""
    try:
        with Recorder.resume(path, mode="none") as recorder:
            found["events"] += recorder.next_seq
            return recorder.has_ended
    except (FileNotFoundError, NoGame):
        found["empty"] += 1
        return False
    except IsFinished:
        return True


def main(folder, cycles, seed):
    rng = random.Random(seed)
    found = dict.fromkeys(
        (
            "cycles",
            "lost",
            "too_many",
            "unacknowledged",
            "torn",
            "finished",
            "empty",
            "events",
            "acknowledged",
            "kept",
        ),
        0,
    )
    acknowledged: list[tuple[int, int]] = []
    number = 0
    for cycle in range(cycles):
        path = folder / f"{number}.ono.jsonl"
        before = acknowledged
        delay, patient = rng.random() * MOST_DELAY, rng.random() < 0.7
        told = run_until_killed(path, seed * 1_000_003 + cycle, delay, patient=patient)
        acknowledged = before + told
        found["cycles"] += 1
        found["acknowledged"] += len(told)
        check(path, acknowledged, found)
        if resume(path, found):
            number, acknowledged = number + 1, []
    found["kept"] = len(list(folder.glob("*.torn-*")))
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
