"""`ono-replay import`: logs into a library."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.check.render.jsontext import to_json, write_json
from ono_replay.cli.guard import COULD_NOT_RUN
from ono_replay.cli.progress import Progress
from ono_replay.log.lines import find_logs, total_size
from ono_replay.record.profiles import data_folder

if TYPE_CHECKING:
    from ono_replay.library.importing import ImportSummary

LIBRARY_HELP: Final = "The folder of the library; without it your own, where `record` puts finished games."
MOST_NOTES: Final = 20
"""Games that are named one by one."""


def own_library() -> Path:
    """Return the library in the data folder."""
    return data_folder() / "library"


LibraryFolder = Annotated[
    Path,
    typer.Option(
        "--library", "-l", metavar="DIR", help=LIBRARY_HELP, default_factory=own_library, show_default=False
    ),
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", metavar="N", min=0, help="Processes; 0 is one for each core.")
]


def import_command(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH", help="Logs, also as Parquet, folders of logs, patterns; - is standard input."
        ),
    ],
    library: LibraryFolder,
    prefix: Annotated[
        str, typer.Option("--id-prefix", metavar="TEXT", help="Put before the id of every game.")
    ] = "",
    jobs: Jobs = 0,
    output: Annotated[
        Literal["text", "json"], typer.Option("--format", "-f", help="text for people, json for programs.")
    ] = "text",
) -> None:
    """Take the games of logs into a library; it is made if it is not there.

    A game that breaks the rules goes into quarantine with all its bytes; an unfinished one is taken in and marked.
    A game that is there already is left as it is; a longer version of it, or one with more cards shown, takes its
    place; another game under the same id goes into quarantine (--id-prefix keeps sources apart). What was
    interrupted is begun again and goes on where it stood.

    Ends with 0, with 1 if something went into quarantine, with 2 if a path can't be read.

    Examples:
        ono-replay import logs/ --library games
        ono-replay import club.jsonl.gz --library games --id-prefix club-
        ono-replay simulate --edition 2022 --players 4 --games 100 --seed 1 | ono-replay import - --library games
    """
    from ono_replay.library.importing import import_logs

    passed_by: list[str] = []
    progress = Progress(None)
    found = list(progress.found(find_logs(paths, passed_by=passed_by)))
    progress.total = total_size(progress.found(found))

    def show(read: int, games: int) -> None:
        progress.games = games
        progress.show(read)

    try:
        summary = import_logs(found, library, prefix=prefix, jobs=jobs, on_progress=show)
    except KeyboardInterrupt:
        progress.clear()
        print(
            "interrupted; what is taken in so far stays, the same command goes on from there", file=sys.stderr
        )
        raise
    finally:
        progress.clear()
    if output == "json":
        write_json(sys.stdout, to_json(_as_object(summary)) + "\n")
    else:
        _print(summary, library)
    for reason in (*passed_by, *summary.unreadable):
        print(f"ono-replay: {printable(reason)}", file=sys.stderr)
    if summary.unreadable:
        raise typer.Exit(COULD_NOT_RUN)
    if summary.found_errors:
        raise typer.Exit(1)


_COUNTS: Final = ("games", "added", "replaced", "known", "quarantined", "strays")


def _as_object(summary: "ImportSummary") -> dict[str, object]:
    import msgspec

    return {
        "summary": {"files": len(summary.sources), **{name: summary.total(name) for name in _COUNTS}},
        "files": [msgspec.structs.asdict(source) for source in summary.sources],
        "games": [msgspec.structs.asdict(note) for note in summary.notes],
        "diagnostics": [msgspec.structs.asdict(stray) for stray in summary.strays],
        "unreadable": summary.unreadable,
    }


def _print(summary: "ImportSummary", library: Path) -> None:
    said = {
        "invalid": "breaks the rules",
        "fork": "is another game than the one in the library",
        "replaced": "took the place of an earlier version",
        "stray": "belongs to no game",
    }
    for note in summary.notes[:MOST_NOTES]:
        name = f"game {printable(note.game_id)}" if note.game_id is not None else "text"
        codes = f" ({', '.join(note.codes)})" if note.codes else ""
        print(f"{printable(note.file)}:{note.line}: {name} {said[note.what]}{codes}")
    if len(summary.notes) > MOST_NOTES:
        print(f"… and {len(summary.notes) - MOST_NOTES} more")
    for stray in summary.strays[:MOST_NOTES]:
        line = "" if stray.line is None else f":{stray.line}"
        print(f"{printable(stray.file)}{line}: {stray.code} {printable(stray.message)}")
    if len(summary.strays) > MOST_NOTES:
        print(f"… and {len(summary.strays) - MOST_NOTES} more")
    parts = [
        f"{summary.total('added'):,} added",
        f"{summary.total('replaced'):,} replaced",
        f"{summary.total('known'):,} already there",
        f"{summary.total('quarantined'):,} in quarantine",
    ]
    games, files = count_of(summary.total("games"), "game"), count_of(len(summary.sources), "file")
    place = f" (your library, {printable(str(library))})" if library == own_library() else ""
    texts = sum(note.what == "stray" for note in summary.notes)
    if texts:
        parts.append(f"{count_of(texts, 'text')} of no game there, too")
    print(f"{games} in {files}: {', '.join(parts)}{place}")
    if summary.total("quarantined") or texts:
        print(
            f"`ono-replay library quarantine list --library {printable(str(library))}` shows what is held back"
        )
