"""`ono-replay validate`: the verdict on every game of some logs."""

import sys
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from ono_replay.check.diagnostic import Diagnostic, Summary
from ono_replay.check.printable import printable
from ono_replay.check.render import FORMATS, Renderer, TextRenderer
from ono_replay.check.render.summary import summary_line
from ono_replay.check.validator import SeenIds, validate
from ono_replay.cli.guard import COULD_NOT_RUN
from ono_replay.cli.progress import Progress
from ono_replay.log.lines import Unreadable, find_logs

Format = Literal["text", "json", "jsonl", "sarif", "github"]

PATHS_HELP: Final = (
    "Files, folders (all *.jsonl, *.jsonl.gz, *.jsonl.zst below), patterns; - is standard input."
)


def validate_command(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help=PATHS_HELP)],
    output: Annotated[
        Format, typer.Option("--format", "-f", help="text for people; the others for programs.")
    ] = "text",
    show_all: Annotated[
        bool, typer.Option("--all", help="Show also what only follows from an earlier fault (text).")
    ] = False,
    max_bytes: Annotated[
        int | None, typer.Option("--max-bytes", min=1, help="Refuse a log that unpacks to more bytes.")
    ] = None,
) -> None:
    """Say of every game whether it keeps the rules, and where and why not.

    Ends with 0 if no error was found, 1 if one was, 2 if a path can't be read (the others are checked all the same).

    Examples:
        ono-replay validate game.ono.jsonl
        ono-replay validate logs/ 'more/*.jsonl.gz' --format json
        zcat games.jsonl.gz | ono-replay validate - --format jsonl
    """
    total: int | None = 0
    for path in find_logs(paths):
        total = None if path == "-" or total is None else total + _size(path)
    renderer = _renderer(output, show_all=show_all)
    summary, seen, progress = Summary(), SeenIds(), Progress(total)
    unreadable = False
    try:
        for path in find_logs(paths):
            try:
                _validate_one(
                    path, renderer, summary, seen, progress, max_bytes=max_bytes, scenes=output in ("text", "sarif")
                )
            except Unreadable as reason:
                progress.clear()
                sys.stdout.flush()
                print(f"ono-replay: {printable(str(reason))}", file=sys.stderr)
                unreadable = True
    except KeyboardInterrupt:
        progress.clear()
        print(f"interrupted; so far: {summary_line(summary)}", file=sys.stderr)
        raise
    progress.clear()
    renderer.close(summary)
    if seen.full:
        print(
            "ono-replay: too many games: ids that repeat (ONO203) were not looked for to the end",
            file=sys.stderr,
        )
    if unreadable:
        raise typer.Exit(COULD_NOT_RUN)
    if summary.errors:
        raise typer.Exit(1)


def _renderer(output: Format, *, show_all: bool) -> Renderer:
    if output == "text":
        return TextRenderer(sys.stdout, show_all=show_all)
    return FORMATS[output](sys.stdout)


def _validate_one(
    path: str,
    renderer: Renderer,
    summary: Summary,
    seen: SeenIds,
    progress: Progress,
    *,
    max_bytes: int | None,
    scenes: bool,
) -> None:
    found = validate(
        [path],
        seen=seen,
        summary=summary,
        on_progress=progress.update,
        max_bytes=max_bytes,
        keep_scenes=scenes,
    )
    try:
        for one in found:
            progress.clear()
            if isinstance(one, Diagnostic):
                renderer.stray(one)
            else:
                renderer.game(one)
                progress.games += 1
            # A program at the other end of a pipe gets each game as it is done.
            sys.stdout.flush()
    finally:
        progress.next_source(_size(path))


def _size(path: str) -> int:
    try:
        return 0 if path == "-" else Path(path).stat().st_size
    except OSError:
        return 0
