"""Records games on a disk whose power is cut at random moments, and counts what was lost. Needs root.

    python -m tests.fuzz.record_until_power_cut FOLDER CYCLES SEED MODE

The disk is an image on a loop device. The recorder is stopped, the image copied as it is at that moment, and
the copy is what is left after the cut: what the file system still held in memory is not in it. Prints one JSON
object.
"""

import contextlib
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

from ono_replay.log.reader import read_games
from ono_replay.record import IsFinished, NoGame, Recorder
from tests.fuzz.record_until_killed import ACK, line_of, play_on

FINISHED = 0xFFFFFFFF


def mount(image, folder):
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "loop", str(image), str(folder)], check=True)


def unmount(folder):
    for _ in range(50):
        if subprocess.run(["umount", str(folder)], capture_output=True).returncode == 0:
            return
        time.sleep(0.1)
    raise OSError(f"{folder} can not be unmounted")


def record(disk, seed, mode, pipe):
    """Record one game after the other in a process of its own, acknowledging each entry."""

    def acknowledge(recorder):
        last = recorder.next_seq - 1
        os.write(pipe, last.to_bytes(4, "big") + zlib.crc32(line_of(recorder, last)).to_bytes(8, "big"))

    number = 0
    while True:
        # Never a killed write here: the seed is one that gives none.
        play_on(disk / f"{number}.ono.jsonl", seed, acknowledge, mode)
        os.write(pipe, FINISHED.to_bytes(4, "big") + bytes(8))
        number, seed = number + 1, next_seed(seed + 1)


def next_seed(seed):
    while random.Random(seed).random() < 0.2:
        seed += 1
    return seed


def cut(folder, seed, delay, mode):
    """Record until the power is cut; return what was acknowledged, game by game."""
    image, left, disk = folder / "image", folder / "left", folder / "disk"
    with image.open("wb") as file:
        file.truncate(16 << 20)
    subprocess.run(["mkfs.ext4", "-q", str(image)], check=True)
    mount(image, disk)
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            record(disk, next_seed(seed), mode, writing)
        finally:
            os._exit(1)
    os.close(writing)
    select.select([reading], [], [], 10)
    time.sleep(delay)
    os.kill(pid, signal.SIGSTOP)
    os.waitpid(pid, os.WUNTRACED)
    shutil.copyfile(image, left)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    told = b""
    while chunk := os.read(reading, 1 << 16):
        told += chunk
    os.close(reading)
    unmount(disk)
    games: list[list[tuple[int, int]]] = [[]]
    for at in range(0, len(told) - ACK + 1, ACK):
        seq = int.from_bytes(told[at : at + 4], "big")
        games[-1].append((seq, int.from_bytes(told[at + 4 : at + ACK], "big")))
        if seq == FINISHED:
            games.append([])
    return games


def check(disk, games, found):
    for number, acknowledged in enumerate(games):
        path = disk / f"{number}.ono.jsonl"
        if not acknowledged:
            continue
        found["acknowledged"] += len(acknowledged)
        if not path.exists():
            found["lost"] += len(acknowledged)
            continue
        if b'"digest"' in path.read_bytes():
            (game,) = read_games(path)
            assert not game.faults
            found["finished"] += 1
            continue
        whole = path.read_bytes().split(b"\n")[:-1]
        for seq, crc in acknowledged:
            if seq >= len(whole) or zlib.crc32(whole[seq]) != crc:
                found["lost"] += 1
        with contextlib.suppress(NoGame, IsFinished):
            Recorder.resume(path, mode="none").close()
        found["torn"] += bool(list(disk.glob("*.torn-*")))


def main(folder, cycles, seed, mode):
    rng = random.Random(seed)
    found = dict.fromkeys(("cycles", "lost", "acknowledged", "finished", "torn"), 0)
    for cycle in range(cycles):
        games = cut(folder, seed * 1_000_003 + cycle * 1000, rng.random() * 0.5, mode)
        mount(folder / "left", folder / "after")
        try:
            check(folder / "after", games, found)
        finally:
            unmount(folder / "after")
        found["cycles"] += 1
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
