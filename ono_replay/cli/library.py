"""`ono-replay library`: looking after a library."""

import sys
from typing import Annotated, Final, Literal

import typer

from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.check.render.jsontext import to_json, write_json
from ono_replay.cli import quarantine
from ono_replay.cli.guard import COULD_NOT_RUN, CannotRun
from ono_replay.cli.importing import Jobs, LibraryFolder
from ono_replay.cli.lazy import add_command
from ono_replay.cli.outfile import Force

app: Final = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Look after a library: what is in it, its names, games in and out, quarantine.",
)
Form = Annotated[
    Literal["text", "json"], typer.Option("--format", "-f", help="text for people, json for programs.")
]


def info_command(library: LibraryFolder, output: Form = "text") -> None:
    """Say what is in a library.

    Examples:
        ono-replay library info --library games
        ono-replay library info --library games --format json
    """
    import msgspec

    from ono_replay.library.maintenance import library_info

    info = library_info(library)
    if output == "json":
        write_json(sys.stdout, to_json(msgspec.structs.asdict(info)) + "\n")
        return
    editions = ", ".join(f"{n:,} of {edition}" for edition, n in info.editions.items())
    lines = [
        (
            "games",
            f"{info.games:,}: {info.valid:,} whole, {info.unfinished:,} unfinished"
            + (f" ({editions})" if editions else ""),
        ),
        ("irregular", f"{info.irregular:,}"),
        ("events", f"{info.events:,}"),
        (
            "players",
            f"{info.players:,}" + (f", {count_of(info.aliases, 'alias', 'aliases')}" if info.aliases else ""),
        ),
        ("begun", f"{info.first} to {info.last} (UTC)" if info.first else "no log tells when"),
        ("quarantine", f"{info.quarantined:,}"),
        ("imports", f"{info.imports:,}, from {count_of(info.sources, 'file')}"),
        ("on disk", f"{info.size / 1e6:,.1f} MB in {count_of(info.parts, 'part')}, version {info.version}"),
    ]
    for name, text in lines:
        print(f"{name:<11} {text}")


def check_command(
    library: LibraryFolder,
    logs: Annotated[
        bool, typer.Option("--logs", help="Make every log again and compare it with what was imported.")
    ] = False,
) -> None:
    """Say whether a library's files are whole.

    Ends with 2 if they are not: import the logs into a new library then.

    Examples:
        ono-replay library check --library games
        ono-replay library check --library games --logs
    """
    from ono_replay.library.maintenance import check_library

    faults = 0
    for fault in check_library(library, logs=logs):
        faults += 1
        print(printable(fault))
    if faults:
        print(f"ono-replay: {count_of(faults, 'fault')}: the library is damaged", file=sys.stderr)
        raise typer.Exit(COULD_NOT_RUN)
    print("the library is whole")


def compact_command(library: LibraryFolder) -> None:
    """Put all games in order, into as few files as is good for queries.

    Examples:
        ono-replay library compact --library games
    """
    from ono_replay.library.maintenance import compact

    before, after = compact(library)
    print(f"{count_of(before, 'part')} before, {count_of(after, 'part')} now")


def upgrade_command(library: LibraryFolder) -> None:
    """Bring a library of an older version up to this one.

    Examples:
        ono-replay library upgrade --library games
    """
    from ono_replay.library.maintenance import upgrade

    before, after = upgrade(library)
    print(f"version {after} already" if before == after else f"from version {before} to {after}")


def alias_command(
    library: LibraryFolder,
    known: Annotated[
        str | None, typer.Argument(metavar="KNOWN", help="A player's id or name, as the logs have it.")
    ] = None,
    who: Annotated[str | None, typer.Argument(metavar="WHO", help="Who that is.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="KNOWN stands for itself again.")] = False,
) -> None:
    """Let several names of a player count as one; without names, list them.

    Examples:
        ono-replay library alias "Ann B." Ann --library games
        ono-replay library alias "Ann B." --remove --library games
        ono-replay library alias --library games
    """
    from ono_replay.library.maintenance import aliases, is_player, set_alias

    if known is None:
        for name, meant in sorted(aliases(library).items()):
            print(f"{printable(name)} = {printable(meant)}")
        return
    if (who is None) != remove:
        raise CannotRun("name who is meant, or say --remove")
    is_new = set_alias(library, known, who)
    name = printable(known)
    if who is None:
        if not is_new:
            raise CannotRun(f"{name} stands for nobody else; `ono-replay library alias` lists who does")
        print(f"{name} stands for itself again")
        return
    print(f"{name} = {printable(aliases(library).get(known, known))}" + ("" if is_new else ", as before"))
    if not is_player(library, known):
        print(f"no game has a player {name} yet", file=sys.stderr)


def remove_command(
    library: LibraryFolder,
    games: Annotated[list[str], typer.Argument(metavar="GAME", help="Ids of games.")],
) -> None:
    """Take games out of a library for good.

    Examples:
        ono-replay library remove kitchen-7 kitchen-8 --library games
    """
    from ono_replay.library.maintenance import remove_games

    gone = remove_games(library, games)
    missing = sorted(set(games) - set(gone))
    print(f"{count_of(len(gone), 'game')} removed")
    if missing:
        raise CannotRun(f"no game has the id '{printable(missing[0])}'")


def anonymise_command(
    library: LibraryFolder,
    sure: Annotated[bool, typer.Option("--yes", help="Do it: it can not be taken back.")] = False,
    jobs: Jobs = 0,
) -> None:
    """Replace the names of all players by numbers, for good, here and in all that is exported.

    Comments lose their text; `meta`, unknown keys and the names of imported files go, too. Ids of games stay.

    Examples:
        ono-replay library anonymise --library games --yes
    """
    from ono_replay.library.anonymising import anonymise

    if not sure:
        raise CannotRun("this can not be taken back; say --yes, best on a copy of the library")
    done = anonymise(library, jobs=jobs)
    print(f"{count_of(done.players, 'player')} in {count_of(done.games, 'game')} have numbers for names now")
    if done.suspects:
        shown = ", ".join(map(printable, done.suspects[:5])) + (" …" if len(done.suspects) > 5 else "")
        print(
            f"{count_of(len(done.suspects), 'game')} may still hold a name, in the id or a seed: {shown}",
            file=sys.stderr,
        )


def extract_command(
    library: LibraryFolder,
    out: Annotated[str, typer.Option("-o", "--out", metavar="FILE", help="The log to write; - prints it.")],
    where: Annotated[
        str | None, typer.Option("--where", metavar="SQL", help="A condition over the columns of games.")
    ] = None,
    games: Annotated[
        list[str] | None, typer.Option("--game", metavar="ID", help="Only this game; may be repeated.")
    ] = None,
    force: Force = False,
) -> None:
    """Write some games of a library as a log.

    Examples:
        ono-replay library extract --where "edition = '2022' and n_players = 4" -o four.ono.jsonl.gz --library games
        ono-replay library extract --game kitchen-7 -o - --library games
    """
    from ono_replay.library.exporting import extract_games

    written = extract_games(library, out, where=where, games=games or None, overwrite=force)
    if out != "-":
        print(f"{count_of(written, 'game')} written to {printable(out)}")


def export_command(
    library: LibraryFolder,
    out: Annotated[
        str, typer.Argument(metavar="OUT", help="A log, a .duckdb file, or a new folder for CSV.")
    ],
    form: Annotated[
        Literal["jsonl", "duckdb", "csv"] | None,
        typer.Option("--format", "-f", help="What to write; else told by the name."),
    ] = None,
    force: Force = False,
) -> None:
    """Write a whole library: as a log, as one DuckDB file, or as CSV files that are safe for spreadsheets.

    Examples:
        ono-replay library export all.ono.jsonl.zst --library games
        ono-replay library export games.duckdb --library games
        ono-replay library export tables --format csv --library games
    """
    from ono_replay.library.exporting import export_library

    done = export_library(library, out, form, overwrite=force)
    if done.form != "jsonl":
        each = ", a file each" if done.form == "csv" else ""
        print(f"all views written to {printable(out)}{each}")
    elif out != "-":
        print(f"{count_of(done.games, 'game')} written to {printable(out)}")


def duplicates_command(library: LibraryFolder, output: Form = "text") -> None:
    """List games that are there twice under several ids, and those that are nearly.

    Names, comments, times and the order of keys play no part.

    Examples:
        ono-replay library duplicates --library games
        ono-replay library duplicates --library games --format json
    """
    from ono_replay.library.quality import find_duplicates

    found = find_duplicates(library)
    if output == "json":
        write_json(sys.stdout, to_json([likeness._asdict() for likeness in found]) + "\n")
        return
    said = {
        "same": "is the same as",
        "shown": "is, with other cards shown,",
        "beginning": "is the beginning of",
    }
    for likeness in found:
        print(f"{printable(likeness.game_id)} {said[likeness.kind]} {printable(likeness.other)}")
    print(f"{count_of(len(found), 'pair')} of games that may be one")


def quality_command(library: LibraryFolder, output: Form = "text") -> None:
    """Say for each imported file how good its games are: verdicts, codes, what could not be verified.

    Examples:
        ono-replay library quality --library games
        ono-replay library quality --library games --format json
    """
    from ono_replay.library.quality import quality

    sources = quality(library)
    if output == "json":
        write_json(sys.stdout, to_json([source._asdict() for source in sources]) + "\n")
        return
    for source in sources:
        share = (
            "" if source.unverified_share is None else f", {source.unverified_share:.0%} not fully verified"
        )
        counts = [
            f"{getattr(source, name)} {name}"
            for name in ("valid", "unfinished", "invalid", "forks", "irregular")
            if getattr(source, name)
        ]
        print(f"{printable(source.file)}: {count_of(source.games, 'game')}: {', '.join(counts)}{share}")
        if source.codes:
            print("    " + ", ".join(f"{code} in {n}" for code, n in source.codes.items()))


for _name, _function in (
    ("info", info_command),
    ("check", check_command),
    ("compact", compact_command),
    ("upgrade", upgrade_command),
    ("alias", alias_command),
    ("remove", remove_command),
    ("anonymise", anonymise_command),
    ("extract", extract_command),
    ("export", export_command),
    ("duplicates", duplicates_command),
    ("quality", quality_command),
):
    add_command(app, _name, _function)
app.add_typer(quarantine.app, name="quarantine")
