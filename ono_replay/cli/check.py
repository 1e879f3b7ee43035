"""`ono-replay validate`: the verdict on every game of some logs."""

import sys
from typing import Annotated, Final, Literal

import typer

from ono_replay.check.diagnostic import Diagnostic, Summary
from ono_replay.check.printable import printable
from ono_replay.check.render import FORMATS, Renderer, TextRenderer
from ono_replay.check.render.summary import summary_line
from ono_replay.cli.guard import COULD_NOT_RUN, CannotRun
from ono_replay.cli.progress import Progress
from ono_replay.log.lines import Unreadable, find_logs, total_size
from ono_replay.validation import Engine, validate
from ono_replay.verdicts import Lanes, RunIds

Format = Literal["text", "json", "jsonl", "sarif", "github"]
AnyEngine = Literal[Engine, "daft"]

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
    engine: Annotated[
        AnyEngine,
        typer.Option(
            "--engine",
            help="careful: in little memory; fast: compiled; auto: fast for large inputs; daft: on Daft, paths may be "
            "URLs of object stores. The same answers.",
        ),
    ] = "auto",
    ray: Annotated[
        str | None,
        typer.Option(
            "--ray", metavar="ADDRESS", help="With daft: the Ray cluster to work on; local starts one here."
        ),
    ] = None,
) -> None:
    """Say of every game whether it keeps the rules, and where and why not.

    Ends with 0 without an error, 1 with one, 2 if a path is not there (nothing is checked) or can't be read (the rest is).

    Examples:
        ono-replay validate game.ono.jsonl
        ono-replay validate logs/ 'more/*.jsonl.gz' --format json
        zcat games.jsonl.gz | ono-replay validate - --format jsonl
        ono-replay validate --engine daft 's3://games/2026/*.parquet'
    """
    if ray is not None and engine != "daft":
        raise CannotRun("--ray goes with --engine daft")
    summary, lanes, ids, progress = Summary(), Lanes(), RunIds(), Progress(None)
    renderer = _renderer(output, show_all=show_all)
    unreadable: list[Unreadable] = []
    passed_by: list[str] = []

    def tell(reason: Unreadable) -> None:
        progress.clear()
        sys.stdout.flush()
        print(f"ono-replay: {printable(str(reason))}", file=sys.stderr)
        unreadable.append(reason)

    try:
        if engine == "daft":
            from ono_replay.cluster import validate_on_daft

            given = validate_on_daft(paths, summary=summary, ids=ids, ray_address=ray, on_unreadable=tell)
        else:
            progress.total = total_size(progress.found(find_logs(paths)))
            given = validate(
                paths,
                engine=engine,
                total=progress.total,
                ids=ids,
                summary=summary,
                lanes=lanes,
                on_progress=progress.show,
                on_unreadable=tell,
                passed_by=passed_by,
                max_bytes=max_bytes,
                keep_scenes=output in ("text", "sarif"),
            )
        for found in given:
            progress.clear()
            if isinstance(found, Diagnostic):
                renderer.stray(found)
            else:
                renderer.game(found)
                progress.games += 1
            # A program at the other end of a pipe gets each game as it is done.
            sys.stdout.flush()
    except KeyboardInterrupt:
        progress.clear()
        print(f"interrupted; so far: {summary_line(summary)}", file=sys.stderr)
        raise
    progress.clear()
    renderer.close(summary)
    tell_passed_by(passed_by)
    _tell_limits(lanes, ids, all_read=not unreadable)
    if unreadable:
        raise typer.Exit(COULD_NOT_RUN)
    if summary.errors:
        raise typer.Exit(1)


def _tell_limits(lanes: Lanes, ids: RunIds, *, all_read: bool) -> None:
    """Say what was not looked at."""
    if lanes.archives and all_read:
        told = "the digests were compared when they were made; the checksums of what a verdict reads held"
        print(f"archives: {told}", file=sys.stderr)
    if ids.full:
        told = "too many games: ids that repeat (ONO203) were not looked for to the end"
        print(f"ono-replay: {told}", file=sys.stderr)


def tell_passed_by(messages: list[str]) -> None:
    """Say what in a folder was not followed or opened."""
    for message in messages:
        print(f"ono-replay: {printable(message)}", file=sys.stderr)


def _renderer(output: Format, *, show_all: bool) -> Renderer:
    if output == "text":
        return TextRenderer(sys.stdout, show_all=show_all)
    return FORMATS[output](sys.stdout)
