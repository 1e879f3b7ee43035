"""`ono-replay diff` and `check-states`: two logs, or a log and another program's states."""

import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Annotated, Any, Literal

import msgspec
import typer

from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable, write_text
from ono_replay.check.render.excerpt import cell_width
from ono_replay.check.render.jsontext import to_json, write_json
from ono_replay.check.render.style import Style, style_for
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.replay import FILE_HELP, GAME_HELP
from ono_replay.compare import (
    BadStates,
    Difference,
    StatesCheck,
    check_states,
    first_difference,
    tell_unknown,
)
from ono_replay.log.jsonl import canonical, event_keys
from ono_replay.log.strict import NumberText

UnknownFits = Annotated[
    bool,
    typer.Option("--unknown-fits", help="Take an unknown card as like any card: a log is like its view."),
]
_WIDEST_VALUE = 60


def diff_command(
    a: Annotated[str, typer.Argument(metavar="A", help=FILE_HELP)],
    b: Annotated[str, typer.Argument(metavar="B", help=FILE_HELP)],
    game: Annotated[str | None, typer.Option("--game", metavar="ID", help=GAME_HELP)] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Compare also times, meta, comments, ids, and what wrote the log.")
    ] = False,
    unknown_fits: UnknownFits = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="End with 1 if they differ.")] = False,
    output: Annotated[
        Literal["text", "json"], typer.Option("--format", "-f", help="json for programs.")
    ] = "text",
) -> None:
    """Show the first event in which two logs differ, and both states after it.

    Compared is what happened, game by game: effective events, not their numbers, times or comments, and no ids.

    Ends with 0 also if they differ, as no rule is checked here; --exit-code makes that 1.

    Examples:
        ono-replay diff mine.ono.jsonl theirs.ono.jsonl
        ono-replay diff full.ono.jsonl public.ono.jsonl --unknown-fits --exit-code
    """
    found = first_difference(a, b, game_id=game, everything=everything, unknown_fits=unknown_fits)
    if output == "json":
        write_json(sys.stdout, to_json(_difference_object(found)) + "\n")
    elif found is None:
        print("no difference")
    else:
        lines = _difference_lines(found, (a, b), style_for(sys.stdout))
        write_text(sys.stdout, "".join(line + "\n" for line in lines))
    if found is not None and exit_code:
        raise typer.Exit(1)


def _difference_object(found: Difference | None) -> dict[str, Any]:
    """Return a difference as JSON: `same`, then for each side its event and the state after it."""
    if found is None:
        return {"same": True}
    answer: dict[str, Any] = {"same": False, "game": found.game, "key": found.key}
    for name, moment, value in zip(("a", "b"), found.moments, found.values, strict=True):
        answer[name] = moment and {
            "game_id": moment.game_id,
            "value": value,
            "event": event_keys(moment.event),
            "state": moment.state_json(),
        }
    return answer


def _difference_lines(found: Difference, files: tuple[str, str], style: Style) -> Iterator[str]:
    for letter, file, moment in zip("AB", files, found.moments, strict=True):
        where = f"{style.paint(letter, 'bold cyan')}: {printable(file)}, game {found.game}"
        if moment is None:
            yield f"{where}: has ended"
            continue
        yield f"{where} ({printable(moment.game_id or 'without an id')}), event {moment.event.seq}:"
        yield f"   {printable(canonical(moment.event).decode('utf-8', 'backslashreplace'))}"
    if found.key is not None:
        ours, theirs = map(_value, found.values)
        yield f"first difference: {style.paint(printable(found.key), 'bold')} is {ours} in A, {theirs} in B"
    states = [moment.state_json() if moment is not None else None for moment in found.moments]
    if any(state is not None for state in states):
        yield ""
        yield "the states after it:"
        yield from _side_by_side(states, ("A", "B"), style)


def _side_by_side(
    states: Sequence[dict[str, Any] | None], titles: tuple[str, str], style: Style
) -> Iterator[str]:
    """Yield a table of two states, a key a line, what differs marked."""
    rows: list[tuple[str, ...]] = []
    for key in next(state for state in states if state is not None):
        values = [state[key] if state else None for state in states]
        if key == "hands":
            hands = zip_longest(*(value or () for value in values))
            rows += [(f"hand {seat}", *map(_value, pair)) for seat, pair in enumerate(hands)]
        elif key != "game_id":
            rows.append((key, *map(_value, values)))
    wide = [max(cell_width(row[column]) for row in [*rows, ("", *titles)]) for column in range(3)]
    yield style.paint(f"  {'':{wide[0]}}  {titles[0]:{wide[1]}}  {titles[1]}", "dim")
    for key, ours, theirs in rows:
        mark, how = (" ", "") if ours == theirs else ("!", "bold yellow")
        line = f"{mark} {key:{wide[0]}}  {ours}{' ' * (wide[1] - cell_width(ours))}  {theirs}"
        yield style.paint(line, how) if how else line


def _value(value: Any) -> str:
    text = printable(to_json(_as_written(value)))
    return text if len(text) <= _WIDEST_VALUE else text[: _WIDEST_VALUE - 3] + "..."


def _as_written(value: Any) -> Any:
    """Return a value with numbers like 8.0 as they were written."""
    if isinstance(value, NumberText):
        return msgspec.Raw(value.text.encode())
    if isinstance(value, list | tuple):
        return [_as_written(held) for held in value]
    return value


def check_states_command(
    log: Annotated[str, typer.Argument(metavar="LOG", help=FILE_HELP)],
    states: Annotated[
        str,
        typer.Argument(
            metavar="STATES", help="States as `ono-replay states` prints them, with any of the keys."
        ),
    ],
    unknown_fits: UnknownFits = False,
) -> None:
    """Compare the states that your own program made of a log with ours.

    STATES has an object a line with `seq`, `game_id` (not needed for one game) and any keys of a state. The first
    that differs is shown. Ends with 1 for a difference, and for a log that has errors, which is compared up to them.

    Examples:
        ono-replay check-states game.ono.jsonl my-states.jsonl
        my-engine game.ono.jsonl | ono-replay check-states game.ono.jsonl -
    """
    try:
        result = check_states(log, states, unknown_fits=unknown_fits)
    except BadStates as wrong:
        raise CannotRun(f"{printable(states)}: {printable(str(wrong))}") from None
    for line in _check_lines(result, log, states, style_for(sys.stdout)):
        write_text(sys.stdout, line + "\n")
    if result.difference is not None or result.errors:
        raise typer.Exit(1)


def _check_lines(result: StatesCheck, log: str, states: str, style: Style) -> Iterator[str]:
    if result.unknown_keys:
        yield printable(tell_unknown(result.unknown_keys))
    for error in result.errors:
        where = f"{printable(log)}:{error.line}" if error.line is not None else printable(log)
        yield f"{where}: {error.code} {printable(error.message)}: states of this game are compared up to there"
    if result.left_out:
        yield f"{count_of(result.left_out, 'state')} behind an error left out"
    found = result.difference
    if found is None:
        yield style.paint(f"{count_of(result.compared, 'state')} compared: no difference", "bold green")
        return
    yield f"{count_of(result.compared, 'state')} alike, then {printable(states)}:{found.line}:"
    where = f"game {printable(found.game_id or 'without an id')}, seq {found.seq}"
    if found.moment is None:
        yield style.paint(f"{where}: the log has no state there", "bold red")
        return
    ours, theirs = map(_value, found.values)
    kind = " (an integer is expected)" if isinstance(found.values[1], NumberText) else ""
    yield style.paint(
        f"{where}: {printable(found.key or '')} is {theirs}, but should be {ours}{kind}", "bold red"
    )
    yield f"   after {printable(canonical(found.moment.event).decode('utf-8', 'backslashreplace'))}"
    for key, value in (found.moment.state_json() or {}).items():
        yield f"   {key:13} {_value(value)}"
