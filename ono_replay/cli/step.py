"""`ono-replay step`: go through a game with keys."""

import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Final

import msgspec
import typer

from ono_replay.check.printable import can_show
from ono_replay.check.render.style import style_for
from ono_replay.cli.keys import Terminal
from ono_replay.cli.replay import FILE_HELP, GAME_HELP, go_to, pick_replay, pick_seat
from ono_replay.cli.seats import Look, table_lines
from ono_replay.export.course import steps_of, turns_of
from ono_replay.replay import NoEvent, Replay
from ono_replay.rules.cards import EFFECTS
from ono_replay.rules.events import Eliminate, Play, RoundStart

HELP: Final = (
    ("→ n space", "next event"),
    ("← b", "event before"),
    ("↓ t", "next turn"),
    ("↑ T", "turn before"),
    ("pgdn r", "next round"),
    ("pgup R", "round before"),
    ("home g", "the beginning"),
    ("end G", "the end"),
    ("e E", "next, last elimination"),
    ("p P", "next, last pair card"),
    ("f F", "next, last fault"),
    ("12 enter", "jump to the event with seq 12"),
    ("+5 -5 enter", "jump five events on, or back"),
    ("u", "back to where you were before a jump"),
    ("v", "look from the next seat; after the last, see all hands"),
    ("h", "hide the hands, or show them"),
    ("? escape", "this help, or away with it"),
    ("q ^C", "quit"),
)
"""The keys, and what they do."""
_FOOT: Final = "←→ event ↑↓ turn r round e out p pair f fault 12⏎ jump v seat ? help q quit"
_ASCII_FOOT: Final = "nb event tT turn r round e out p pair f fault 12enter jump v seat ? help q quit"
_JUMP: Final = re.compile(r"[+-]?[0-9]{1,9}")


class Walk:
    """Where someone stands in a game, and what each key does; knows no terminal.

    `done` tells that it is over.
    """

    def __init__(self, replay: Replay, look: Look) -> None:
        """Begin where the replay stands."""
        self.replay = replay
        self.look = look
        self.done = False
        self.helping = False
        self.typed = ""
        """A jump that is being typed."""
        self.note = ""
        self._was_at: int | None = None
        events = replay.events
        first = replay.first_state
        turns = (
            turns_of(steps_of(first, zip(events, replay.states, strict=True))) if first is not None else []
        )
        at_faults = {found.seq for found in replay.report.diagnostics if found.severity != "note"}
        self._turns = [turn.first for turn in turns]
        self._rounds = [at for at, event in enumerate(events) if isinstance(event, RoundStart)]
        self._falls = [at for at, event in enumerate(events) if isinstance(event, Eliminate)]
        self._pairs = [
            at
            for at, event in enumerate(events)
            if isinstance(event, Play) and event.card in EFFECTS and EFFECTS[event.card].pair
        ]
        self._faults = [at for at, event in enumerate(events) if event.seq in at_faults]
        self._keys: dict[str, Callable[[], None]] = {
            **dict.fromkeys(("right", "n", " "), lambda: self._move(1)),
            **dict.fromkeys(("left", "b"), lambda: self._move(-1)),
            **dict.fromkeys(("down", "t"), lambda: self._seek(self._turns, "turn", on=True)),
            **dict.fromkeys(("up", "T"), lambda: self._seek(self._turns, "turn", on=False)),
            **dict.fromkeys(("pgdn", "r"), lambda: self._seek(self._rounds, "round", on=True)),
            **dict.fromkeys(("pgup", "R"), lambda: self._seek(self._rounds, "round", on=False)),
            **dict.fromkeys(("home", "g"), lambda: self._jump_to(-1)),
            **dict.fromkeys(("end", "G"), lambda: self._jump_to(len(replay) - 1)),
            "e": lambda: self._seek(self._falls, "elimination", on=True),
            "E": lambda: self._seek(self._falls, "elimination", on=False),
            "p": lambda: self._seek(self._pairs, "pair card", on=True),
            "P": lambda: self._seek(self._pairs, "pair card", on=False),
            "f": lambda: self._seek(self._faults, "fault", on=True),
            "F": lambda: self._seek(self._faults, "fault", on=False),
            "u": self._go_back,
            "v": self._look_from_next,
            "h": self._hide,
            "?": self._help,
            **dict.fromkeys(("q", "eof"), self._quit),
        }

    def press(self, key: str) -> None:
        """Do what a key is for; a key that is for nothing does nothing."""
        self.note = ""
        if self.helping and key not in ("q", "eof"):
            self.helping = False
            return
        if key.isdecimal() or (key in ("+", "-") and not self.typed):
            self.typed += key
        elif self.typed and key == "backspace":
            self.typed = self.typed[:-1]
        elif self.typed and key == "enter":
            self._jump(self.typed)
            self.typed = ""
        elif self.typed and key == "escape":
            self.typed = ""
        else:
            self.typed = ""
            self._keys.get(key, lambda: None)()

    def lines(self, height: int) -> list[str]:
        """Return what to show on a screen of so many lines."""
        paint = self.look.style.paint
        if self.helping:
            return [paint("Keys", "bold"), "", *(f"  {self._signs(keys):14} {what}" for keys, what in HELP)][
                :height
            ]
        foot = (
            f"jump to: {self.typed}_"
            if self.typed
            else self.note or (_ASCII_FOOT if self.look.ascii else _FOOT)
        )
        body = table_lines(self.replay, self.look)[: height - 1]
        body += [""] * (height - 1 - len(body))
        return [*body, paint(foot[: self.look.width], "bold" if self.typed or self.note else "dim")]

    def _signs(self, text: str) -> str:
        if not self.look.ascii:
            return text
        for sign, word in (("→", ">"), ("←", "<"), ("↓", "down"), ("↑", "up "), ("⏎", " enter")):
            text = text.replace(sign, word)
        return text

    # --- what keys do -------------------------------------------------------------------------------

    def _move(self, by: int) -> None:
        at = self.replay.index + by
        if -1 <= at < len(self.replay):
            self.replay.index = at
        else:
            self.note = "this is the end" if by > 0 else "this is the beginning"

    def _seek(self, places: Sequence[int], what: str, *, on: bool) -> None:
        """Go to the next of some places, or to the last before."""
        here = self.replay.index
        found = next((at for at in places if at > here), None) if on else _last_before(places, here)
        if found is None:
            self.note = f"no {what} {'after' if on else 'before'} this"
        else:
            self._jump_to(found, remember=what != "turn")

    def _jump_to(self, at: int, *, remember: bool = True) -> None:
        if remember:
            self._was_at = self.replay.index
        self.replay.index = at

    def _jump(self, typed: str) -> None:
        if not _JUMP.fullmatch(typed):
            self.note = f"{typed}: type a seq, or how many events on (+5) or back (-5)"
            return
        if typed[0] in "+-":
            self._jump_to(max(-1, min(len(self.replay) - 1, self.replay.index + int(typed))))
            return
        try:
            self._jump_to(self.replay.place_of(int(typed)))
        except NoEvent as reason:
            self.note = str(reason)

    def _go_back(self) -> None:
        if self._was_at is None:
            self.note = "there was no jump yet"
        else:
            self._jump_to(self._was_at)

    def _look_from_next(self) -> None:
        seat = 0 if self.look.seat is None else self.look.seat + 1
        self.look = msgspec.structs.replace(self.look, seat=seat if seat < len(self.replay.names) else None)
        self.note = "all hands" if self.look.seat is None else f"from seat {self.look.seat}"

    def _hide(self) -> None:
        self.look = msgspec.structs.replace(self.look, hide=not self.look.hide)
        self.note = "hands are hidden" if self.look.hide else "hands are shown"

    def _help(self) -> None:
        self.helping = True

    def _quit(self) -> None:
        self.done = True


def _last_before(places: Sequence[int], here: int) -> int | None:
    return next((at for at in reversed(places) if at < here), None)


def step_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help=FILE_HELP)],
    game: Annotated[str | None, typer.Option("--game", metavar="ID", help=GAME_HELP)] = None,
    seq: Annotated[
        int | None, typer.Option("--seq", min=0, help="The event to begin at; else the first.")
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="SEAT", help="Look from this seat: its number or a name.")
    ] = None,
) -> None:
    """Go through a game with keys: events, turns, rounds, faults.

    The arrow keys go from event to event and from turn to turn; ? shows all keys, q quits.

    Examples:
        ono-replay step game.ono.jsonl
        ono-replay step games.jsonl.gz --game kitchen-7 --seat 0
    """
    terminal = Terminal(sys.stdout)
    replay = pick_replay(file, game)
    go_to(replay, 0 if seq is None and replay.first_state is not None else seq)
    near = pick_seat(replay, seat)
    look = Look(style=style_for(sys.stdout), ascii=not can_show(_FOOT, sys.stdout.encoding), seat=near)
    walk = Walk(replay, look)
    with terminal:
        try:
            for key in _keys(terminal, walk):
                walk.press(key)
                if walk.done:
                    return
        except KeyboardInterrupt:
            return


def _keys(terminal: Terminal, walk: Walk) -> Iterator[str]:
    """Yield keys for ever; the table is drawn whenever all that were typed are done."""
    while True:
        size = shutil.get_terminal_size()
        walk.look = msgspec.structs.replace(walk.look, width=size.columns)
        terminal.draw(walk.lines(size.lines))
        yield from terminal.read()
