"""The table on a terminal: the total in big figures, whose turn it is, who owes two, what happened last."""

import re
from collections.abc import Collection, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from ono_replay.check.phrases import count_of, name_event, name_player, name_players
from ono_replay.check.printable import can_show, printable
from ono_replay.cli.big_figures import big_figures
from ono_replay.rules.cards import HIDDEN
from ono_replay.rules.events import (
    Comment,
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    ForfeitDraw,
    GameEnd,
    Play,
    Reshuffle,
    RoundEnd,
    RoundStart,
)
from ono_replay.rules.state import Phase, State

LAST_EVENTS = 6
_ROWS = 6
"""Lines of a picture besides the total, the seats and the last events."""
_FIGURES, _FEWEST_EVENTS = 5, 3
_HEADLINE = 69
"""Columns of the longest headline besides the name."""
_NEAR, _NEARER = 9, 4
"""How far below the limit the total gets its first and its second colour: from 89 and 94 on."""


def picture(
    title: str,
    names: Sequence[str],
    state: State,
    events: Sequence[Event],
    *,
    console: Console,
    below: int = 0,
    untold: Collection[int] = (),
) -> RenderableType:
    """Return a picture of a game after its events that stand, with room for so many lines below it.

    Of the seats in `untold` the points of the last round are not all known.
    """
    fancy = can_show("█↻↺▶", console.encoding)
    room = console.height - below - len(names) - _ROWS
    big = room >= _FIGURES + _FEWEST_EVENTS
    last = max(1, min(LAST_EVENTS, room - (_FIGURES if big else 1)))
    return Group(
        Text.assemble((printable(title), "bold"), f"   round {state.round}" if state.round else ""),
        Text(),
        _total(state, ink="█" if fancy else "#") if big else _short_total(state),
        Text(),
        _headline(names, state, events, fancy=fancy, width=console.width),
        Text(),
        _seats(names, state, mark="▶" if fancy else ">", untold=untold),
        Text(),
        *_last(names, events, last),
    )


def total_style(state: State) -> str:
    """Return the colour of the total: none, then yellow, red near the limit.

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> from ono_replay.rules.state import State, first_state
    >>> from msgspec.structs import replace
    >>> [total_style(replace(first_state(EDITIONS["2022"], 2), total=total)) for total in (88, 89, 93, 94)]
    ['bold', 'bold yellow', 'bold yellow', 'bold red']
    """
    room = state.ruleset.max_total - state.total
    return "bold red" if room <= _NEARER else "bold yellow" if room <= _NEAR else "bold"


def _total(state: State, ink: str) -> Text:
    return Text("\n".join("    " + line for line in big_figures(state.total, ink)), style=total_style(state))


def _short_total(state: State) -> Text:
    return Text(f"    {state.total}", style=total_style(state))


def _headline(
    names: Sequence[str], state: State, events: Sequence[Event], *, fancy: bool, width: int
) -> Text:
    if state.phase is Phase.ENDED:
        # Who wins is for the end to say: a game may be broken off that somebody would have won.
        end = next((event for event in reversed(events) if isinstance(event, GameEnd)), None)
        if end is not None and end.reason == "abandoned":
            return Text("  The game is broken off; nobody wins.", style="bold")
        return Text(f"  The game has ended: {_who(end.winners if end else (), names)}.", style="bold")
    if state.phase is Phase.MATCH_OVER:
        return Text(f"  The match is over: {_who(state.match.winners, names)}.", style="bold green")
    if state.turn is None:
        return Text("  Nobody is to play.", style="bold")
    clockwise = state.direction == 1
    way = ("↻ " if clockwise else "↺ ") if fancy else ""
    owed = " the first of TWO cards" if state.plays_due == 2 else " the SECOND card" if state.second else ""
    return Text.assemble(
        "  ",
        (_cut(printable(names[state.turn]), width - _HEADLINE), "bold cyan"),
        " to play",
        (owed, "bold magenta"),
        f"   {way}{'clockwise' if clockwise else 'counter-clockwise'}",
        f"   total {state.total}",
    )


def _cut(name: str, width: int) -> str:
    width = max(width, 8)
    return name if len(name) <= width else name[: width - 1] + "…"


def _who(winners: Sequence[int] | None, names: Sequence[str]) -> str:
    if not winners:
        return "nobody wins"
    return f"{printable(name_players(winners, names))} {'wins' if len(winners) == 1 else 'win'}"


def _seats(names: Sequence[str], state: State, *, mark: str, untold: Collection[int]) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    for _ in range(6):
        grid.add_column()
    match = state.match
    for seat, name in enumerate(names):
        words = []
        if seat in match.gone:
            words.append("out of the match")
        elif seat in state.out:
            words.append("out")
        if seat == state.turn and state.plays_due == 2:
            words.append("owes two")
        elif seat == state.turn and state.second:
            words.append("owes the second")
        grid.add_row(
            Text("  " + (mark if seat == state.turn else " "), style="bold cyan"),
            Text(str(seat), style="dim"),
            Text(printable(name), style="bold" if seat == state.turn else "dim" if seat in state.out else ""),
            Text(_standing(state, seat) + (" + ?" if seat in untold else "")),
            Text(_hand(state, seat), style="dim"),
            Text(", ".join(words), style="bold magenta" if "owes" in " ".join(words) else "red"),
        )
    return grid


def _standing(state: State, seat: int) -> str:
    match = state.match
    for held, noun in ((match.chips, "chip"), (match.scores, "point")):
        if held is not None:
            number = held[seat]
            return "" if number is None else count_of(number, noun)
    return ""


def _hand(state: State, seat: int) -> str:
    hand = state.hands[seat]
    known = [card for card in hand if card != HIDDEN]
    short = f"{len(hand)} cards" if len(hand) != 1 else "1 card"
    return f"{short}: {' '.join(hand)}" if known else short


def _last(names: Sequence[str], events: Sequence[Event], most: int) -> list[Text]:
    """Return the last things that happened, the very last as it should be seen at once."""
    lines: list[Text] = []
    for event in reversed(events):
        line = line_of(event, names)
        if line:
            lines.append(Text(f"  {printable(line)}", style="dim" if lines else ""))
        if len(lines) == most:
            break
    return lines[::-1]


def line_of(event: Event, names: Sequence[str]) -> str:
    """Return an event as a line of what happened; empty for what a table takes for granted.

    >>> line_of(Play(4, 0, "7", 34), ["Ann"])
    'Ann (seat 0) plays 7: 34'
    """
    stands = "  (let stand)" if event.irregular else ""
    match event:
        case Play():
            return f"{name_event(event, names)}: {event.total}{stands}"
        case Eliminate():
            shown = " ".join((*((event.card,) if event.card else ()), *(event.hand or ())))
            return name_event(event, names) + (f": {shown}" if shown else "") + stands
        case Draw(card="?") | Deal():
            return ""
        case Draw() | ForfeitDraw() | DiscardFour() | Reshuffle() | RoundStart():
            return name_event(event, names) + stands
        case RoundEnd():
            return f"Round {event.round} is over{_paid(event, names)}"
        case GameEnd():
            return "The game is broken off" if event.reason == "abandoned" else "The game is over"
        case Comment(ref=int()) if re.fullmatch(r"= -?\d+", event.text):
            return f"announced: {event.text[2:]}"
        case Comment():
            return f'"{event.text}"'
    return ""


def _paid(event: RoundEnd, names: Sequence[str]) -> str:
    """Return what the loser of a round pays.

    >>> _paid(RoundEnd(9, round=1, winner=1, loser=0, chips=(2, 3)), ["Ann", "Bo"])
    ': Ann (seat 0) pays a chip (2 left)'
    >>> _paid(RoundEnd(9, round=4, winner=1, loser=0, chips=(None, 3)), ["Ann", "Bo"])
    ': Ann (seat 0) is out of the match'
    """
    if event.chips is None or event.loser is None or not 0 <= event.loser < len(event.chips):
        return ""
    left = event.chips[event.loser]
    told = "is out of the match" if left is None else f"pays a chip ({left} left)"
    return f": {name_player(event.loser, names)} {told}"
