"""The `ono-replay` command: the table of its verbs, and the way in.

To add a verb, write a function with typer annotations in a module of `ono_replay.cli` (one module a group of
verbs) and give it a line in `VERBS`:

* The first line of its docstring is the line in `VERBS`, word for word; a section `Examples:` at the end, one
  command a line, closes its help. Both are checked.
* Every parameter has a help that is a sentence. `python -m tests.make_cli_reference` writes `schemas/CLI.md` anew.
* It parses, makes one library call, renders, and ends by `raise typer.Exit(1)` when an error was found.
  What it can't do it says with `raise CannotRun("…")` (ono_replay.cli.guard): exit status 2. A missing file, a
  missing extra, a broken pipe and ^C need no code.
* What needs an extra (pyarrow, duckdb, numba, streamlit, plotly) is imported inside the function.
* A verb with verbs of its own names a `typer.Typer` instead of a function; `add_command` fills it.
"""

import sys
from collections.abc import Sequence
from typing import Annotated, Final

import typer

from ono_replay._version import __version__
from ono_replay.cli.guard import guarded
from ono_replay.cli.lazy import Verb, lazy_group

VERBS: Final[dict[str, Verb]] = {
    # name -> Verb(module, function, help line, panel), in the order of the help
    "validate": Verb(
        "ono_replay.cli.check",
        "validate_command",
        "Say of every game whether it keeps the rules, and where and why not.",
        panel="Check",
    ),
    "show": Verb(
        "ono_replay.cli.show",
        "show_command",
        "Show the table after an event.",
        panel="Replay",
    ),
    "step": Verb(
        "ono_replay.cli.step",
        "step_command",
        "Go through a game with keys: events, turns, rounds, faults.",
        panel="Replay",
    ),
    "states": Verb(
        "ono_replay.cli.replay",
        "states_command",
        "Print the state after every event, one JSON object a line.",
        panel="Replay",
    ),
    "convert": Verb(
        "ono_replay.cli.convert",
        "convert",
        "Turn outside replays into logs, and logs into Parquet and back.",
        panel="Logs",
    ),
    "archive": Verb(
        "ono_replay.cli.archive",
        "archive_command",
        "Keep many games in little room, a verdict on them faster still; or write their logs again.",
        panel="Logs",
    ),
    "check-states": Verb(
        "ono_replay.cli.compare",
        "check_states_command",
        "Compare the states that your own program made of a log with ours.",
        panel="Check",
    ),
    "diff": Verb(
        "ono_replay.cli.compare",
        "diff_command",
        "Show the first event in which two logs differ, and both states after it.",
        panel="Check",
    ),
    "view": Verb(
        "ono_replay.cli.view",
        "view_command",
        "Write a log for sharing: without the cards that a seat, or the public, could not see.",
        panel="Logs",
    ),
    "branch": Verb(
        "ono_replay.cli.branch",
        "branch_command",
        "Write a log that starts from the position after an event: what if?",
        panel="Logs",
    ),
    "export": Verb(
        "ono_replay.cli.export",
        "app",
        "Make a page, a picture, an animation or a transcript of a game.",
        panel="Replay",
    ),
    "record": Verb(
        "ono_replay.cli.record",
        "record_command",
        "Record a game at the table, entry by entry, and lose nothing.",
        panel="Record",
    ),
    "dashboard": Verb(
        "ono_replay.cli.dashboard",
        "dashboard_command",
        "Look at games in the browser: list, replay, statistics, check a log, follow or record one.",
        panel="Replay",
    ),
    "follow": Verb(
        "ono_replay.cli.follow",
        "follow_command",
        "Show the table live while its log is written.",
        panel="Record",
    ),
    "recover": Verb(
        "ono_replay.cli.mend",
        "recover_command",
        "Write what can be read of a damaged log into a new one.",
        panel="Record",
    ),
    "amend": Verb(
        "ono_replay.cli.mend",
        "amend_command",
        "Mend a finished log in a new one, which names the digest of the old.",
        panel="Record",
    ),
    "simulate": Verb(
        "ono_replay.cli.simulate",
        "simulate_command",
        "Play games with bots and write their logs.",
        panel="Simulate",
    ),
    "verify-deal": Verb(
        "ono_replay.cli.simulate",
        "verify_deal_command",
        "Check of every round that it was dealt as its seed says.",
        panel="Check",
    ),
    "import": Verb(
        "ono_replay.cli.importing",
        "import_command",
        "Take the games of logs into a library; it is made if it is not there.",
        panel="Library",
    ),
    "sql": Verb(
        "ono_replay.cli.sql",
        "sql_command",
        "Ask a library in SQL.",
        panel="Library",
    ),
    "stats": Verb(
        "ono_replay.cli.stats",
        "stats_command",
        "Answer a question about many games: who wins, how long it takes, how players fall.",
        panel="Library",
    ),
    "library": Verb(
        "ono_replay.cli.library",
        "app",
        "Look after a library: what is in it, its names, games in and out, quarantine.",
        panel="Library",
    ),
    "demo": Verb(
        "ono_replay.cli.demo",
        "demo_command",
        "See what it does: sample games checked, an outside engine's games read, a table shown.",
        panel="Learn",
    ),
    "samples": Verb(
        "ono_replay.cli.samples",
        "app",
        "List the games that come with the program, or copy them.",
        panel="Learn",
    ),
    "schema": Verb(
        "ono_replay.cli.schema",
        "schema_command",
        "Print a JSON Schema of the log, or write them all.",
        panel="Learn",
    ),
    "explain": Verb(
        "ono_replay.cli.explain",
        "explain",
        "Explain a code of a diagnostic: what, why, an example, what to do.",
        panel="Check",
    ),
}

app = typer.Typer(
    cls=lazy_group(VERBS),
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"ono-replay {__version__}")
        raise typer.Exit


@app.callback(help="Record, replay, check and study games of the card game ONO 99.")
def _root(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    pass


def run(arguments: Sequence[str]) -> int:
    """Run the command line in this process and return its exit status.

    >>> run(["--version"])
    ono-replay ...
    0
    """
    return guarded(lambda: app(args=list(arguments), prog_name="ono-replay"))


def main() -> None:
    """Run the command line on the arguments of this process and leave with its exit status."""
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal's encoding lacks is shown escaped instead of ending the command.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))
