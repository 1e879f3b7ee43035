"""An import that is killed loses nothing, brings nothing twice, and disturbs no reader."""

import itertools
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from ono_replay.library.importing import import_logs
from ono_replay.library.manifest import LibraryFault
from ono_replay.library.store import Library
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

ROOT = Path(__file__).resolve().parents[2]
KILLS = 50
VIEWS = (
    "games",
    "players",
    "rounds",
    "events",
    "details",
    "decisions",
    "eliminations",
    "pair_chains",
    "card_use",
)


def write_logs(folder):
    """Files of a few games: new ones, longer versions, forks, broken ones."""
    folder.mkdir()
    simulator = Simulator(Plan(edition="1980", players=3, seed=11, match="single"))
    logs = [simulator.log(index) for index in range(34)]
    broken = logs[0].replace(b'"total":', b'"total":9', 1).replace(b"sim-11-0", b"broken")
    for number in range(12):
        games = logs[2 * number : 2 * number + 2]
        unfinished = logs[28 + number % 6].splitlines(keepends=True)
        part = b"".join(unfinished[: 8 + number])
        fork = logs[max(0, 2 * number - 6)].replace(b'"dealer":0', b'"dealer":1')
        extra = [broken, fork][number % 2] if number % 3 == 0 else b""
        (folder / f"{number:02}.ono.jsonl").write_bytes(b"".join(games) + part + extra)


def rows_of(library):
    with Library(library) as opened:
        return {
            view: opened.query(
                f"select * exclude ({'file, line, imported' if view == 'games' else 'game_id'}) "
                f"{'' if view == 'games' else ', game_id'} from {view} order by all"
            ).to_pylist()
            for view in VIEWS
        } | {"quarantine": opened.query("select why, game_id from quarantine order by all").to_pylist()}


class Readers:
    """Threads that ask the library all the time and keep what is wrong with the answers."""

    QUERY = """
        select (select count(*) from games) as games, (select count(distinct game_id) from games) as ids,
               (select sum(n_events) from games) as told, (select count(*) from events) as events,
               (select sum(n_players) from games) as seats, (select count(*) from players) as players
    """

    def __init__(self, library, count=2):
        self.library = library
        self.faults = []
        self.answers = 0
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._read, args=(keep,)) for keep in range(count)]

    def _read(self, keep):
        """One keeps its connection for a while, as a dashboard does; the other opens a new one each time."""
        connection: Any = None
        left = 0
        while not self._over.is_set():
            try:
                if left == 0:
                    connection, left = Library(self.library).connect(), 1 + 10 * keep
                left -= 1
                games, ids, told, events, seats, players = connection.execute(self.QUERY).fetchone()
                if (games, told or 0, seats or 0) != (ids, events, players):
                    self.faults.append((games, ids, told, events, seats, players))
                self.answers += 1
                self._over.wait(0.15)
            except LibraryFault as fault:
                if "no library" not in str(fault):
                    self.faults.append(fault)
                left = 0
            except Exception as fault:  # noqa: BLE001 - a reader must not meet any
                self.faults.append(fault)
                left = 0

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        for thread in self._threads:
            thread.join()


def test_killed_at_random_points(tmp_path):
    write_logs(tmp_path / "logs")
    library = tmp_path / "library"
    with Readers(library) as readers:
        process = subprocess.run(
            [
                sys.executable,
                "-m",
                "tests.fuzz.import_until_killed",
                tmp_path / "logs",
                library,
                str(KILLS),
                "7",
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
    assert process.returncode == 0, process.stderr
    *ids, faults = [json.loads(line) for line in process.stdout.splitlines()]
    assert len(ids) == KILLS + 1
    assert faults == []
    for before, after in itertools.pairwise(ids):
        assert set(before) <= set(after), "a game was lost"
        assert len(after) == len(set(after)), "a game is there twice"
    assert readers.faults == []
    assert readers.answers > 20
    import_logs(sorted(map(str, (tmp_path / "logs").iterdir())), tmp_path / "whole", jobs=1)
    assert rows_of(library) == rows_of(tmp_path / "whole")
    left = sorted(path.name for path in library.iterdir())
    assert left == ["library.json", "lock", "parts", "ratings.parquet", "retired"]
    assert not list((library / "parts").glob(".draft*"))
