"""`ono-replay simulate` and `verify-deal`: games played by bots, and deals checked against their seed."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable, write_text
from ono_replay.check.render.jsontext import to_json, write_json
from ono_replay.check.render.style import Style, style_for
from ono_replay.cli.house_rules import ruleset_from
from ono_replay.cli.progress import Progress
from ono_replay.rules.events import View
from ono_replay.rules.ruleset import differing_options
from ono_replay.simulate.batch import write_games
from ono_replay.simulate.bots import BOTS
from ono_replay.simulate.plan import DEFAULT_TARGET, LARGEST_SEED, Plan
from ono_replay.simulate.verify import DealCheck, Outcome, verify_deals

BOT_HELP: Final = f"Who plays: {', '.join(BOTS)} (weakest first), or your own as MODULE:FUNCTION; repeated around the table."


def simulate_command(
    edition: Annotated[str, typer.Option("--edition", metavar="E", help="1980 or 2022.")] = "2022",
    players: Annotated[int, typer.Option("--players", metavar="N", help="How many sit at the table.")] = 2,
    games: Annotated[int, typer.Option("--games", metavar="G", min=0, help="How many games.")] = 1,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="S", min=0, max=LARGEST_SEED, help="The same seed gives the same bytes."
        ),
    ] = 1,
    match: Annotated[
        str | None, typer.Option("--match", metavar="M", help="The kind of match; without it, the edition's.")
    ] = None,
    bots: Annotated[str, typer.Option("--bots", metavar="NAME,…", help=BOT_HELP)] = "random",
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", metavar="J", min=0, help="Processes; 0 is one for each core. The bytes are the same."
        ),
    ] = 1,
    points_target: Annotated[
        int, typer.Option("--points-target", metavar="N", help="The target of a points match.")
    ] = DEFAULT_TARGET,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar="KEY=VALUE", help="An option of the ruleset."),
    ] = None,
    forfeits: Annotated[
        float,
        typer.Option("--forfeits", metavar="P", min=0, max=1, help="How often a draw is forfeited, 0 to 1."),
    ] = 0.0,
    mistakes: Annotated[
        float,
        typer.Option(
            "--mistakes", metavar="P", min=0, max=1, help="How often a mistake is let stand, 0 to 1."
        ),
    ] = 0.0,
    decks: Annotated[
        bool, typer.Option("--decks", help="Record whole decks, too, beside their seed.")
    ] = False,
    public: Annotated[
        bool, typer.Option("--public", help="Write what everyone could see: no hands, no seed.")
    ] = False,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", min=0, help="Write what this seat could see.")
    ] = None,
    out: Annotated[
        str,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Where to; packed if it ends in .gz or .zst; - is standard output.",
        ),
    ] = "-",
    force: Annotated[
        bool,
        typer.Option("--force", help="Write over a file that holds something else than simulated games."),
    ] = False,
) -> None:
    """Play games with bots and write their logs.

    Whole matches of either edition, any options. The same seed gives the same bytes on every machine, with any number
    of jobs. Each deck comes from a seed that is recorded: `verify-deal` checks it.

    Examples:
        ono-replay simulate --edition 2022 --players 4 --games 1000 --seed 7 --jobs 0 -o games.ono.jsonl.zst
        ono-replay simulate --edition 1980 --players 3 --games 10 --seed 1 --bots oneply,saver,low | ono-replay validate -
        ono-replay simulate --edition 1980 --players 4 --seed 2 --match points_low_score --points-target 200 --forfeits 0.1
        ono-replay simulate --edition 2022 --players 2 --seed 3 --rule max_total=99 --rule ono_99_on_zero=true
    """
    if public and seat is not None:
        raise typer.BadParameter("choose one of them", param_hint="'--public' / '--seat'")
    ruleset = ruleset_from(edition, rule or (), players, match=match, points_target=points_target)
    options = differing_options(ruleset)
    if not ruleset.scores_points:
        options.pop("points_target", None)
    view: View = "public" if public else "seat" if seat is not None else "full"
    plan = Plan(
        edition=options.pop("edition"),
        players=players,
        seed=seed,
        bots=tuple(name.strip() for name in bots.split(",")),
        rules=options,
        forfeits=forfeits,
        mistakes=mistakes,
        decks=decks,
        view=view,
        viewer=seat,
    )
    if ":" in bots:
        # A bot of the user's own lies where the command is run, as for `python -m`.
        sys.path.insert(0, str(Path.cwd()))
    progress = Progress(games)

    def show(made: int) -> None:
        progress.games = made
        progress.show(made)

    try:
        events = write_games(plan, games, out, jobs=jobs, overwrite=force, on_progress=show)
    finally:
        progress.clear()
    if out != "-":
        told = f"{count_of(games, 'game')}, {count_of(events, 'event')}"
        write_text(sys.stderr, f"ono-replay: {printable(out)}: {told}\n")


WORDS: Final[dict[Outcome, str]] = {
    "verified": "verified",
    "no_seed": "no seed is told",
    "nothing_to_compare": "nothing to compare: every card is hidden, or set up by a position",
    "differs": "differs",
    "unknown_algorithm": "can not be checked",
    "unreadable": "can not be read; `ono-replay validate` says why",
}
COLOURS: Final[dict[Outcome, str]] = {
    "verified": "green",
    "no_seed": "yellow",
    "nothing_to_compare": "yellow",
}


def verify_deal_command(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log; - is standard input.")],
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only rounds that did not verify, and the count.")
    ] = False,
    format_: Annotated[
        str, typer.Option("--format", metavar="F", help="text, or json: one array of objects.")
    ] = "text",
) -> None:
    """Check of every round that it was dealt as its seed says.

    Decks are made anew from the seed and compared with the deck, the deals, the draws and the reshuffles of the log.
    Ends with 1 if a round did not verify; a round that tells no seed claims nothing.

    Examples:
        ono-replay verify-deal game.ono.jsonl
        ono-replay simulate --edition 1980 --players 3 --seed 7 | ono-replay verify-deal -
    """
    if format_ not in ("text", "json"):
        raise typer.BadParameter("choose text or json", param_hint="'--format'")
    counted: Counter[Outcome] = Counter()
    failed = False
    kept = []
    style = style_for(sys.stdout)
    for check in verify_deals(log):
        counted[check.outcome] += 1
        failed = failed or check.failed
        if format_ == "json":
            kept.append(_as_json(check))
        elif check.failed or not quiet:
            write_text(sys.stdout, _line(check, style) + "\n")
    if format_ == "json":
        write_json(sys.stdout, to_json(kept) + "\n")
    else:
        told = ", ".join(f"{count} {outcome.replace('_', ' ')}" for outcome, count in counted.items())
        write_text(sys.stdout, f"{count_of(counted.total(), 'round')}{': ' if told else ''}{told}\n")
    if failed:
        raise typer.Exit(1)


def _as_json(check: DealCheck) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(check)
    return found


def _line(check: DealCheck, style: Style) -> str:
    game = "no game" if check.game_id is None else printable(check.game_id)
    where = game if check.round is None else f"{game}, round {check.round}"
    verdict = style.paint(WORDS[check.outcome], COLOURS.get(check.outcome, "bold red"))
    return f"{where}: {verdict}{''.join(_details(check))}"


def _details(check: DealCheck) -> Iterator[str]:
    algorithm = printable(check.algorithm) if check.algorithm is not None else None
    if check.outcome == "verified":
        yield f": {count_of(check.compared, 'card')} as {algorithm} has them"
        if check.hidden:
            yield f", {count_of(check.hidden, 'card')} hidden"
    elif check.outcome == "unknown_algorithm":
        yield ": no algorithm is named" if algorithm is None else f": no algorithm is called {algorithm}"
    elif check.outcome == "differs":
        yield f": the {check.what} at seq {check.seq}; expected {_shown(check.expected)}, found {_shown(check.actual)}"


def _shown(told: object) -> str:
    words = told if isinstance(told, tuple) else (str(told),)
    return (
        printable(" ".join(words[:8]) + (f" … ({len(words)} cards)" if len(words) > 8 else "")) or "nothing"
    )
