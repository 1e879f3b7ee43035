"""`ono-replay demo`: what this program is for, in half a minute."""

import contextlib
import importlib.util
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from ono_replay.bundle import bundle_path
from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.phrases import count_of
from ono_replay.check.printable import can_show, printable, write_text
from ono_replay.check.render.style import Style, style_for
from ono_replay.check.render.summary import summary_line
from ono_replay.check.validator import validate
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.seats import Look, table_lines
from ono_replay.convert import convert_logs
from ono_replay.log.lines import find_logs
from ono_replay.replay import Replay, read_replay, read_replays
from ono_replay.simulate.batch import simulate_games
from ono_replay.simulate.plan import Plan

SOUND = ("ok", "open")
"""Folders of samples without an error."""
FIRST = "/replay?game=2022-table"
"""What the browser opens."""
SIMULATED = (
    (Plan(players=4, seed=2022, bots=("oneply", "saver", "low", "random")), 120),
    (Plan(edition="1980", players=3, seed=1980, bots=("saver", "low", "random"), match="single"), 80),
)
"""Games that the statistics of the demo are made of, and how many."""


def demo_command(
    check: Annotated[bool, typer.Option("--check", help="Only the part in the terminal, then end.")] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Open no browser; the address is printed.")
    ] = False,
) -> None:
    """See what it does: sample games checked, an outside engine's games read, a table shown.

    Ends with 1 if a sample is not what it should be. If all are, and the extra `dashboard` is installed, the
    samples and some simulated games open in the browser, until ^C.

    Examples:
        ono-replay demo
        ono-replay demo --check
    """
    samples = bundle_path("sample_logs")
    style = style_for(sys.stdout)

    def say(*lines: str) -> None:
        write_text(sys.stdout, "".join(line + "\n" for line in lines))

    found = [
        _check_sound(samples, say, style),
        _check_outside(samples / "outside", say, style),
        _check_broken(samples / "broken", say, style),
    ]
    path, seq = _show_a_table(samples, say, style)
    say(
        style.paint("Go on with", "bold"),
        "  ono-replay samples copy samples      the samples, to try things on",
        "  ono-replay validate samples          what is wrong with which, and where",
        f"  ono-replay step samples/{path} --seq {seq}",
        "                                       through that game with keys",
        "  ono-replay --help                    all commands",
    )
    if not all(found):
        raise typer.Exit(1)
    if not check:
        _open_dashboard(samples, say, style, browser=not no_browser)


Say = Callable[..., None]


def _open_dashboard(samples: Path, say: Say, style: Style, *, browser: bool) -> None:
    """Show the samples and simulated games in the browser, where what that needs is installed."""
    say("", style.paint("The same in the browser, with simulated games for the statistics", "bold"))
    if any(
        importlib.util.find_spec(module) is None for module in ("streamlit", "plotly", "duckdb", "pyarrow")
    ):
        say("  needs the extra dashboard: pip install 'ono-replay[dashboard]'")
        return
    from ono_replay.cli.dashboard import run_dashboard
    from ono_replay.library.importing import import_logs

    with contextlib.suppress(KeyboardInterrupt), tempfile.TemporaryDirectory() as work:
        simulated = Path(work, "simulated.ono.jsonl")
        with simulated.open("wb") as file:
            for plan, games in SIMULATED:
                file.writelines(simulate_games(plan, games))
        library = Path(work, "demo")
        sound = find_logs([samples / name for name in SOUND if (samples / name).is_dir()])
        import_logs([*sound, str(simulated)], library, jobs=1)
        say("  ^C ends it")
        run_dashboard([str(library), str(samples / "broken")], 0, browser=browser, first=FIRST)


def _check_sound(samples: Path, say: Say, style: Style) -> bool:
    say(style.paint("Sample games: each is replayed and every rule is checked", "bold"))
    folders = [samples / name for name in SOUND if (samples / name).is_dir()]
    return _validate(find_logs(folders) if folders else (), samples, say, style)


def _check_outside(folder: Path, say: Say, style: Style) -> bool:
    say(
        style.paint(
            "Games of an outside engine, as its own replays tell them: converted, then checked", "bold"
        )
    )
    good = True
    with tempfile.TemporaryDirectory() as work:
        for source in sorted(folder.glob("*.json")):
            log = Path(work, source.stem + ".ono.jsonl")
            done = convert_logs(source, log)
            unknown = ", ".join(done.unknown)
            say(
                f"  {source.name}: {count_of(done.games, 'game')}"
                + (f"; not known: {unknown}" if unknown else "")
            )
            good = _validate([str(log)], Path(work), say, style) and not done.refused_in_all and good
    return good


def _check_broken(folder: Path, say: Say, style: Style) -> bool:
    say(style.paint("Games that are broken on purpose: is each fault found, and named right?", "bold"))
    right = wrong = 0
    for path in find_logs([folder]) if folder.is_dir() else ():
        codes = {found.code for found in _leading(validate([path]))}
        expected = Path(path).name.partition("-")[0]
        right, wrong = right + (expected in codes), wrong + (expected not in codes)
        if expected not in codes:
            say(
                style.paint(f"  {Path(path).name}: found {', '.join(sorted(codes)) or 'nothing'}", "bold red")
            )
    say(style.paint(f"  {right} of {right + wrong} faults found", "bold red" if wrong else "green"), "")
    return not wrong


def _leading(results: Iterable[GameReport | Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the findings that follow from no other."""
    for result in results:
        found = [result] if isinstance(result, Diagnostic) else result.diagnostics
        yield from (one for one in found if not one.knock_on)


def _validate(paths: Iterable[str], folder: Path, say: Say, style: Style) -> bool:
    summary = Summary()
    for path in paths:
        for found in validate([path], summary=summary):
            name = Path(path).relative_to(folder)
            if isinstance(found, Diagnostic) or found.errors:
                say(style.paint(f"  {name}: has an error", "bold red"))
            else:
                colour = "green" if found.verdict == "valid" else "yellow"
                verdict = style.paint(found.verdict, colour)
                say(
                    f"  {name}: {printable(found.game_id or '')}: {verdict}, {count_of(found.events, 'event')}"
                )
    say(f"  {summary_line(summary)}", "")
    return not summary.errors


def _show_a_table(samples: Path, say: Say, style: Style) -> tuple[str, int]:
    """Show the tightest moment of all sound samples: two cards owed at the highest total; return where it is."""
    folders = [samples / name for name in (*SOUND, "outside") if (samples / name).is_dir()]
    moments = [
        (replay.start is None or replay.start.view != "full", room, path, replay.game_id, at)
        for path in find_logs(folders)
        for replay in read_replays(path)
        for room, at in _tightest(replay)
    ]
    if not moments:
        raise CannotRun("the samples hold no game to show")
    _, _, path, game_id, at = min(moments)
    replay = read_replay(path, game_id)
    replay.index = at
    say(style.paint("A table, at a tight moment", "bold"), "")
    look = Look(
        style=style,
        width=shutil.get_terminal_size().columns - 2,
        drawn=sys.stdout.isatty(),
        ascii=not can_show("▶↻█−…", sys.stdout.encoding),
    )
    say(*(f"  {line}" for line in table_lines(replay, look)), "")
    return Path(path).relative_to(samples).as_posix(), replay.events[at].seq


def _tightest(replay: Replay) -> list[tuple[int, int]]:
    """Return the room below the limit and the place where two cards are owed with the least room, if there is one."""
    rooms = [
        (state.ruleset.max_total - state.total, at)
        for at, state in enumerate(replay.states)
        if state.plays_due == 2 and not state.draws_due
    ]
    return [] if replay.report.errors or replay.game_id is None else sorted(rooms)[:1]
