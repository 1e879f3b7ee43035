"""Compiling: whoever is interrupted in the middle leaves no compiler behind."""

import os
import signal
import subprocess
import sys
import time

import pytest

COMPILE = "from ono_replay.bulk import engine; print('begun', flush=True); engine.warm_up()"


@pytest.mark.skipif(sys.platform == "win32", reason="a group of processes is asked for by signals")
def test_an_interrupt_of_one_process_ends_its_compilers(tmp_path):
    surroundings = os.environ | {"ONO_REPLAY_CACHE": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", COMPILE],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        time.sleep(1)  # the compilers are there
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
        assert b"KeyboardInterrupt" in said
        until = time.monotonic() + 10
        while time.monotonic() < until:
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail("a compiler is still at work")
