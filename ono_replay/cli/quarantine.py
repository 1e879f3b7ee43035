"""`ono-replay library quarantine`: what was not let into a library."""

import sys
from typing import Annotated, Final, Literal

import typer

from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.check.render.jsontext import to_json, write_json
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.importing import LibraryFolder
from ono_replay.cli.lazy import add_command
from ono_replay.log.terminal import standard_output

KEY_HELP: Final = "A key, its beginning, or the id of a game."

app: Final = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Look at what was not let in, try it again, drop it."
)
Keys = Annotated[list[str] | None, typer.Argument(metavar="KEY", help=KEY_HELP)]
All = Annotated[bool, typer.Option("--all", help="Everything that is there.")]


def list_command(
    library: LibraryFolder,
    output: Annotated[
        Literal["text", "json"], typer.Option("--format", "-f", help="text for people, json for programs.")
    ] = "text",
) -> None:
    """List what is in quarantine.

    Examples:
        ono-replay library quarantine list --library games
    """
    from ono_replay.library.held_back import held_back

    rows = [
        {
            name: getattr(found, name)
            for name in ("key", "why", "game_id", "file", "line", "errors", "codes", "n_bytes", "imported")
        }
        for found in held_back(library)
    ]
    if output == "json":
        write_json(sys.stdout, to_json(rows) + "\n")
        return
    for row in rows:
        name = "-" if row["game_id"] is None else printable(row["game_id"])
        codes = ", ".join(row["codes"])
        print(
            f"{row['key']}  {row['why']:<7}  {name}  {printable(row['file'])}:{row['line']}  {codes}".rstrip()
        )
    print(f"{count_of(len(rows), 'entry', 'entries')} in quarantine")


def show_command(
    key: Annotated[str, typer.Argument(metavar="KEY", help=KEY_HELP)],
    library: LibraryFolder,
    raw: Annotated[bool, typer.Option("--raw", help="Only the bytes, as they stood in the file.")] = False,
) -> None:
    """Show why something is in quarantine, or its bytes.

    Examples:
        ono-replay library quarantine show kitchen-7 --library games
        ono-replay library quarantine show 5c1e --raw --library games > kitchen-7.ono.jsonl
    """
    from ono_replay.library.held_back import held_back

    for found in held_back(library, [key]):
        if raw:
            out = standard_output()
            out.write(found.content)
            out.flush()
            continue
        name = "lines of no game" if found.game_id is None else f"game {printable(found.game_id)}"
        print(f"{found.key}: {name}, {found.why}, {count_of(found.n_bytes, 'byte')}")
        note = found.findings.get("note")
        if note:
            print(f"  {printable(note)}")
        for finding in found.findings.get("diagnostics", []):
            place = f"{printable(found.file)}:{finding['line']}" if finding["line"] else printable(found.file)
            print(f"  {place}: {finding['code']} {printable(finding['message'])}")


def retry_command(
    library: LibraryFolder,
    keys: Keys = None,
    everything: All = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="A fork takes the place of the game in the library.")
    ] = False,
) -> None:
    """Check again what is in quarantine, and let in what may be.

    Examples:
        ono-replay library quarantine retry --all --library games
        ono-replay library quarantine retry kitchen-7 --replace --library games
    """
    from ono_replay.library.held_back import retry

    done = retry(library, _chosen(keys, everything=everything), replace=replace)
    print(f"{len(done.let_in)} let in, {len(done.still_held)} still in quarantine")
    if done.still_held:
        raise typer.Exit(1)


def drop_command(library: LibraryFolder, keys: Keys = None, everything: All = False) -> None:
    """Delete what is in quarantine, for good.

    Examples:
        ono-replay library quarantine drop 5c1e --library games
        ono-replay library quarantine drop --all --library games
    """
    from ono_replay.library.held_back import drop

    dropped = drop(library, _chosen(keys, everything=everything))
    print(f"{count_of(dropped, 'entry', 'entries')} dropped")


def _chosen(keys: list[str] | None, *, everything: bool) -> list[str] | None:
    """Return the keys, None for all; to say neither, or both, is a slip of who types."""
    if bool(keys) == everything:
        raise CannotRun("name what is meant, or say --all")
    return keys or None


for _name, _function in (
    ("list", list_command),
    ("show", show_command),
    ("retry", retry_command),
    ("drop", drop_command),
):
    add_command(app, _name, _function)
