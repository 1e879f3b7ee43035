"""Lets several processes want one log at once, again and again, and tells who got it.

    python -m tests.fuzz.race_for_a_log FOLDER ROUNDS PROCESSES

In every other round the log is new, else it is there and open. Prints a JSON array: for each round what each
process was told, and the process that had it.
"""

import json
import os
import sys
from pathlib import Path

from ono_replay.record import LogExists, LogHeld, Recorder


def want(path, new):
    """Return a recorder, or why there is none."""
    try:
        if new:
            return Recorder.create(path, "2022", ["Ann", "Bo"], view="public"), ""
        return Recorder.resume(path), ""
    except (LogHeld, LogExists) as error:
        return None, f"{type(error).__name__}: {error}"


def compete(path, new, start, tell, stop):
    """Want the log when the pipe `start` is closed, tell the answer, hold what was got until `stop` is."""
    os.read(start, 1)
    recorder, refusal = want(path, new)
    os.write(tell, json.dumps([os.getpid(), refusal]).encode() + b"\n")
    os.read(stop, 1)
    if recorder is not None:
        recorder.comment("it was mine")
        recorder.close()
    os._exit(0)


def race(path, new, processes):
    """Let processes want one log at once; return what each was told."""
    start, go = os.pipe()
    heard, tell = os.pipe()
    stop, end = os.pipe()
    pids = []
    for _ in range(processes):
        pid = os.fork()
        if pid == 0:
            os.close(go)
            os.close(end)
            compete(path, new, start, tell, stop)
        pids.append(pid)
    os.close(go)
    told = b""
    while told.count(b"\n") < processes:
        told += os.read(heard, 1 << 12)
    os.close(end)
    for pid in pids:
        os.waitpid(pid, 0)
    for pipe in (start, heard, tell, stop):
        os.close(pipe)
    return [json.loads(line) for line in told.splitlines()]


def main(folder, rounds, processes):
    print(json.dumps([race(folder / f"{n // 2}.ono.jsonl", n % 2 == 0, processes) for n in range(rounds)]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
