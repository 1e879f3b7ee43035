"""Compiling: whoever is interrupted in the middle leaves no compiler behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

COMPILE = "from ono_replay.bulk import engine; print('begun', flush=True); engine.warm_up()"


def wait_until(true, seconds=20):
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_an_interrupt_of_one_process_ends_its_compilers(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", COMPILE],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"ONO_REPLAY_CACHE": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        wait_until(lambda: len(children.read_text().split()) == 2)
        compilers = [Path("/proc", child) for child in children.read_text().split()]
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
        assert b"KeyboardInterrupt" in said
        # By themselves they would need longer.
        wait_until(lambda: not any(compiler.exists() for compiler in compilers), seconds=3)
