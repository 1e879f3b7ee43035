"""`ono-replay validate`: the verdict on every game of some logs."""

import sys
from collections.abc import Iterator
from typing import Annotated, Final, Literal

import typer

from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.printable import printable
from ono_replay.check.render import FORMATS, Renderer, TextRenderer
from ono_replay.check.render.summary import summary_line
from ono_replay.cli.guard import COULD_NOT_RUN, CannotRun
from ono_replay.cli.progress import Progress
from ono_replay.log.lines import Unreadable, find_logs, total_size
from ono_replay.verdicts import NEVER, Engine, Verdicts, when_to_go_fast

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
    summary, progress = Summary(), Progress(None)
    if engine == "daft":
        after = NEVER
    else:
        progress.total = total_size(progress.found(find_logs(paths)))
        after = when_to_go_fast(engine, progress.total)
    renderer = _renderer(output, show_all=show_all)
    verdicts = Verdicts(
        summary=summary,
        on_progress=progress.update,
        max_bytes=max_bytes,
        keep_scenes=output in ("text", "sarif"),
        threads=0,
        after=after,
    )
    unreadable = False
    passed_by: list[str] = []
    try:
        given = (
            _on_daft(paths, verdicts, ray)
            if engine == "daft"
            else _here(paths, verdicts, progress, passed_by)
        )
        for found in given:
            progress.clear()
            if isinstance(found, Unreadable):
                sys.stdout.flush()
                print(f"ono-replay: {printable(str(found))}", file=sys.stderr)
                unreadable = True
            elif isinstance(found, Diagnostic):
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
    if verdicts.archives and not unreadable:
        print("archives: the digests were compared when they were made; checksums held", file=sys.stderr)
    if verdicts.ids.full:
        print(
            "ono-replay: too many games: ids that repeat (ONO203) were not looked for to the end",
            file=sys.stderr,
        )
    if unreadable:
        raise typer.Exit(COULD_NOT_RUN)
    if summary.errors:
        raise typer.Exit(1)


def tell_passed_by(messages: list[str]) -> None:
    """Say what in a folder was not followed or opened."""
    for message in messages:
        print(f"ono-replay: {printable(message)}", file=sys.stderr)


def _renderer(output: Format, *, show_all: bool) -> Renderer:
    if output == "text":
        return TextRenderer(sys.stdout, show_all=show_all)
    return FORMATS[output](sys.stdout)


def _here(
    paths: list[str], verdicts: Verdicts, progress: Progress, passed_by: list[str]
) -> Iterator[GameReport | Diagnostic | Unreadable]:
    """Yield what is said of each path, or why it can't be read."""
    for path in find_logs(paths, passed_by=passed_by):
        try:
            yield from verdicts.take(path)
        except Unreadable as reason:
            yield reason
        finally:
            progress.next_source(total_size([path]) or 0)


def _on_daft(
    paths: list[str], verdicts: Verdicts, ray: str | None
) -> Iterator[GameReport | Diagnostic | Unreadable]:
    from ono_replay.cluster import validate_on_daft

    return validate_on_daft(paths, summary=verdicts.summary, ids=verdicts.ids, ray_address=ray)
