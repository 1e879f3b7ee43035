"""A library of as many events as wanted, made from some simulated games: `python -m tests.benchmarks.big_library DIR EVENTS`.

The games are imported once and then copied under other ids, names of players included, part by part.
"""

import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ono_replay.library.columns import VIEWS
from ono_replay.library.importing import import_logs
from ono_replay.library.manifest import Snapshot, Writing
from ono_replay.library.parts import PartWriter
from ono_replay.library.rewriting import PART_EVENTS
from ono_replay.library.stored import games_in
from ono_replay.library.tables import read_tables
from ono_replay.simulate.batch import simulate_games
from ono_replay.simulate.plan import Plan

PLANS = [
    Plan(edition="2022", players=2, seed=1, bots=("oneply", "saver")),
    Plan(edition="2022", players=4, seed=2, bots=("oneply", "low", "saver", "random")),
    Plan(edition="2022", players=6, seed=3, bots=("oneply", "low", "saver", "random", "low", "saver")),
    Plan(edition="1980", players=3, seed=4, bots=("oneply", "low", "saver")),
    Plan(edition="1980", players=5, seed=5, match="single", bots=("oneply", "low", "saver", "random", "saver")),
]  # fmt: skip
_OF_GAMES = [view.name for view in VIEWS if view.names[0] == "game_id"]


def write_games(path: Path, games: int, *, plans=PLANS) -> int:
    """Write so many games of each plan as one log; return the number of events."""
    events = 0
    with path.open("wb") as file:
        for plan in plans:
            for log in simulate_games(plan, games):
                file.write(log)
                events += log.count(b"\n")
    return events


def make_big_library(folder: Path, events: int, *, games: int = 200) -> int:
    """Make a library of about so many events; return how many it has."""
    with tempfile.TemporaryDirectory() as scratch:
        write_games(Path(scratch, "games.ono.jsonl"), games)
        import_logs([str(Path(scratch, "games.ono.jsonl"))], Path(scratch, "library"), jobs=1)
        snapshot = Snapshot(Path(scratch, "library"))
        tables = {name: read_tables(snapshot.paths(name), name) for name in _OF_GAMES}
        snapshot.close()
    copies = max(1, events // tables["events"].num_rows)
    a_part = max(1, PART_EVENTS // tables["events"].num_rows)
    with Writing(folder, create=True) as writing:
        for first in range(0, copies, a_part):
            draft = writing.new_draft()
            part = PartWriter(draft)
            for name in _OF_GAMES:
                for copy in range(first, min(first + a_part, copies)):
                    _add(part, name, _renamed(tables[name], name, copy))
            writing.commit(add={draft: part.close()}, imports=1)
        return writing.manifest.count("events")


def _renamed(table, name: str, copy: int):
    ids = pc.binary_join_element_wise(pa.scalar(f"{copy:06}"), table["game_id"], "-")
    table = table.set_column(0, "game_id", ids)
    if name == "players":
        for column in ("player", "name"):
            place = table.schema.get_field_index(column)
            names = pc.binary_join_element_wise(table[column], pa.scalar(str(copy % 50)), " ")
            table = table.set_column(place, column, names)
    return table


def _add(part: PartWriter, name: str, table) -> None:
    """Add rows in pieces of whole games of about a row group."""
    waiting, rows = [], 0
    for game in games_in(table):
        waiting.append(game.rows)
        rows += game.rows.num_rows
        if rows >= 1 << 16:
            part.add_table(name, pa.concat_tables(waiting))
            waiting, rows = [], 0
    if waiting:
        part.add_table(name, pa.concat_tables(waiting))


if __name__ == "__main__":
    print(make_big_library(Path(sys.argv[1]), int(sys.argv[2])))
