"""The reference path: decode, replay and every check, in pure Python on one core, beside python-chess reading games."""

import io
import random
import statistics
import subprocess
import sys
import time

import chess
import chess.pgn
import pytest

from ono_replay.check.diagnostic import Summary
from ono_replay.check.validator import validate
from ono_replay.log.jsonl import encode_game
from ono_replay.log.redact import view_of
from ono_replay.simulate.batch import simulate_games
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

BAR = 1.5
"""Events a second for each move a second that python-chess reads; the aim is 3."""
ROUNDS = 11
PLANS = (
    Plan(edition="2022", players=2, seed=1),
    Plan(edition="2022", players=4, seed=2, bots=("saver", "random")),
    Plan(edition="1980", players=3, seed=3),
    Plan(edition="1980", players=5, seed=4, match="points_low_score"),
)


def random_pgn(games: int, moves: int) -> str:
    """Games of random moves, with nothing but the moves."""
    chance = random.Random(7)
    written = []
    for _ in range(games):
        board, game = chess.Board(), chess.pgn.Game()
        node: chess.pgn.GameNode = game
        for _ in range(moves):
            legal = list(board.legal_moves)
            if not legal:
                break
            node = node.add_variation(chance.choice(legal))
            board.push(node.move)
        exporter = chess.pgn.StringExporter(headers=False, comments=False, variations=False)
        written.append(game.accept(exporter))
    return "\n\n".join(written)


def read_moves(pgn: str) -> int:
    """Read all games; return how many moves there are."""
    file, moves = io.StringIO(pgn), 0
    while (game := chess.pgn.read_game(file)) is not None:
        moves += sum(1 for _ in game.mainline_moves())
    return moves


def check_events(data: bytes) -> Summary:
    """Validate a log; return the counts."""
    summary = Summary()
    for _ in validate([io.BytesIO(data)], summary=summary):
        pass
    return summary


def speed_of(work, thing, amount: int) -> float:
    """How much of a thing is done a second, of this process's own time."""
    began = time.process_time()
    work(thing)
    return amount / (time.process_time() - began)


LOGS = {
    "full": lambda: b"".join(log for plan in PLANS for log in simulate_games(plan, 12)),
    "public": lambda: b"".join(
        encode_game(view_of(Simulator(plan).events(index), None)) for plan in PLANS for index in range(12)
    ),
}


@pytest.mark.parametrize("view", LOGS)
def test_as_fast_as_reading_chess(view):
    data, pgn = LOGS[view](), random_pgn(games=25, moves=80)
    summary, moves = check_events(data), read_moves(pgn)
    assert (summary.games, summary.valid, summary.errors, summary.warnings) == (48, 48, 0, 0)
    assert summary.events == data.count(b"\n")
    assert moves == 25 * 80
    ratios, ours, theirs = [], [], []
    # Taken in turns, so that both meet the same machine.
    for _ in range(ROUNDS):
        theirs.append(speed_of(read_moves, pgn, moves))
        ours.append(speed_of(check_events, data, summary.events))
        ratios.append(ours[-1] / theirs[-1])
    ratio = statistics.median(ratios)
    print(
        f"\n{view}: {statistics.median(ours):,.0f} events a second, python-chess {statistics.median(theirs):,.0f} moves: "
        f"{ratio:.2f} times"
    )
    assert ratio >= BAR


PEAK = """
import sys
from pathlib import Path
from ono_replay.check.diagnostic import Summary
from ono_replay.check.validator import validate
summary = Summary()
for _ in validate([sys.stdin.buffer], summary=summary):
    pass
peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
print(summary.games, summary.valid, summary.unfinished, int(peak) // 1024)
"""
GIGABYTE = 10**9


def fed(pieces, size: int) -> list[int]:
    """Validate so many bytes of games through a pipe; return games, valid, unfinished and the peak in MiB."""
    process = subprocess.Popen([sys.executable, "-c", PEAK], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    written = 0
    for piece in pieces:
        process.stdin.write(piece)
        written += len(piece)
        if written >= size:
            break
    output, _ = process.communicate()
    return [int(word) for word in output.split()]


def renamed(logs: list[bytes]):
    """The same games again and again, each time with an id of its own."""
    number = 0
    while True:
        for log in logs:
            number += 1
            start, _, rest = log.partition(b"\n")
            yield start.replace(b'"game_id":"', b'"game_id":"%d-' % number) + b"\n" + rest


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_memory_does_not_grow_with_the_log():
    logs = [encode_game(Simulator(plan).events(index)[:-1]) for plan in PLANS for index in range(50)]
    games, valid, unfinished, peak = fed(renamed(logs), GIGABYTE)
    print(f"\n1 GB, {games:,} games: {peak} MiB")
    assert (valid, unfinished) == (0, games)
    assert peak < 100


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_nor_with_the_number_of_games():
    start = encode_game(Simulator(PLANS[0]).events(0)[:1])
    games, _, unfinished, peak = fed(renamed([start]), GIGABYTE // 5)
    print(f"\n{games:,} games: {peak} MiB")
    assert games == unfinished > 500_000
    assert peak < 100
