"""Prints how fast Daft here judges archives beside two plain threads: `python -m tests.cluster.speed FOLDER`."""

import json
import sys
import threading
import time
from pathlib import Path
from queue import Empty, Queue

from ono_replay.bulk.archive import ArchiveJudge, read_archive
from ono_replay.bulk.engine import warm_up
from ono_replay.bulk.layout import WHOLE
from ono_replay.check.diagnostic import GameReport, Summary
from ono_replay.check.validator import count
from ono_replay.cluster import judged_rows, start, validate_on_daft
from ono_replay.validation import validate

ROUNDS = 5


def on_threads(files):
    """Judge archives on two threads; return the events of sound games."""
    waiting: Queue[str] = Queue()
    for file in files:
        waiting.put(file)
    events = []

    def work():
        alone = ArchiveJudge()
        while True:
            try:
                path = waiting.get_nowait()
            except Empty:
                return
            for batch in read_archive(path):
                games = alone.judge(batch).games
                events.append(int(games["events"][games["found"] == WHOLE].sum()))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(events)


def on_daft(daft, files):
    """The same on Daft."""
    events = 0
    for batch in judged_rows(daft, files).to_arrow_iter():
        found, counts = (batch.column("judged").field(name).to_numpy() for name in ("found", "events"))
        events += int(counts[found == WHOLE].sum())
    return events


def events_of(reports):
    summary = Summary()
    for found in reports:
        assert isinstance(found, GameReport)
        count(summary, found)
    assert summary.valid == summary.games
    return summary.events


def main(folder):
    files = sorted(map(str, Path(folder).glob("*.parquet")))
    warm_up()
    daft = start()
    works = {
        "threads": lambda: on_threads(files),
        "daft": lambda: on_daft(daft, files),
        "reports": lambda: events_of(validate(files, engine="fast", threads=1)),
        "reports on daft": lambda: events_of(validate_on_daft(files)),
    }
    events = {name: work() for name, work in works.items()}
    took: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            began = time.perf_counter()
            work()
            took[name].append(time.perf_counter() - began)
    print(json.dumps({"events": events, "seconds": {name: min(times) for name, times in took.items()}}))


if __name__ == "__main__":
    main(sys.argv[1])
