"""The table after an event, for a terminal: the seats around the total, and the same in plain lines."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.check.render.excerpt import cell_width
from ono_replay.check.render.page import SEVERITY_COLOUR
from ono_replay.check.render.style import Style
from ono_replay.cli.big_figures import big_figures
from ono_replay.export.art import LOOKS
from ono_replay.export.course import Step
from ono_replay.export.wording import figure, say
from ono_replay.replay import Replay
from ono_replay.rules.cards import DISCARD_FOUR, HIDDEN
from ono_replay.rules.events import Eliminate, GameStart
from ono_replay.rules.playable import legal_plays
from ono_replay.rules.state import Phase, State

NEAR: Final = 9
"""How near to the limit the total is coloured: from 89 on, where it is 98."""
MOST_AROUND: Final = 8
"""Seats that are drawn around the table; more are listed."""
NARROWEST: Final = 60
"""Columns that a drawn table needs."""
UNREADABLE: Final = "The game_start can not be read: the players or the rules are not known."
_PHASES: Final = {
    Phase.BEFORE_ROUND: "no round is being played",
    Phase.DEALING: "the cards are being dealt",
    Phase.ROUND_OVER: "the round is over",
    Phase.MATCH_OVER: "the match is over",
    Phase.ENDED: "the game has ended",
}


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """How a table is looked at."""

    style: Style = Style()
    width: int = 80
    drawn: bool = True
    """Seats around the table and big figures; else plain lines."""
    ascii: bool = False
    """Only what every terminal can show."""
    seat: int | None = None
    """The seat to look from: it sits at the near side, and only its hand is shown."""
    hide: bool = False
    """No hand is shown that is not laid down."""


def table_lines(replay: Replay, look: Look) -> list[str]:
    """Return the lines of the table where a replay stands."""
    state = replay.state
    if state is None:
        return _wrap(UNREADABLE, look.width if look.drawn else None)
    view = _View(replay, state, look)
    if look.drawn and look.width >= NARROWEST and state.match.seats <= MOST_AROUND:
        lines = list(view.picture())
    else:
        lines = [
            piece
            for line in view.plain()
            for piece in _wrap(line, look.width if look.drawn and "\x1b" not in line else None)
        ]
    return [line.replace("…", "~") for line in lines] if look.ascii else lines


def findings_at(replay: Replay) -> list[Diagnostic]:
    """Return what the validator found at the event where a replay stands."""
    event = replay.event or replay.start
    return [found for found in replay.report.diagnostics if event is not None and found.seq == event.seq]


class _View:
    """A state, looked at."""

    def __init__(self, replay: Replay, state: State, look: Look) -> None:
        self.replay = replay
        self.state = state
        self.look = look
        self.paint = look.style.paint
        self.names = [printable(name) or f"seat {seat}" for seat, name in enumerate(replay.names)]

    # --- words --------------------------------------------------------------------------------------

    def title(self) -> list[str]:
        """Return what is looked at, what matters most first: an id may be long."""
        replay, rules = self.replay, self.state.ruleset
        event = replay.event
        number = f"event {event.seq} ({event.type})" if event is not None else "before the first round"
        last = replay.events[-1].seq if replay.events else 0
        return [
            *([f"round {self.state.round}"] if self.state.round else []),
            f"{number} of {last}" if event is not None else number,
            f"edition {rules.edition}, {rules.match}",
            printable(replay.game_id or "without an id"),
        ]

    def sentence(self) -> str:
        """Return what has just happened."""
        replay, state = self.replay, self.state
        event = replay.event or replay.start
        if event is None:
            return ""
        before = replay.states[replay.index - 1] if replay.index > 0 else replay.first_state or state
        said = say(Step(event, state if isinstance(event, GameStart) else before, state))
        text = "".join(part if isinstance(part, str) else self.name(part) for part in said)
        return printable(self.plain_signs(text)) + (" (let stand)" if event.irregular else "")

    def name(self, seat: int) -> str:
        """Return a name for a sentence: with the seat where two players have one name."""
        if not 0 <= seat < len(self.names):
            return f"seat {seat}"
        name = self.names[seat]
        return f"{name} ({seat})" if self.names.count(name) > 1 else name

    def plain_signs(self, text: str) -> str:
        return (
            text.replace("−", "-").replace("±", "").replace("“", '"').replace("”", '"')
            if self.look.ascii
            else text
        )

    def direction(self) -> str:
        clockwise = self.state.direction == 1
        sign = "" if self.look.ascii else "↻ " if clockwise else "↺ "
        return sign + ("clockwise" if clockwise else "counter-clockwise")

    def to_act(self) -> str:
        state = self.state
        if state.draws_due and state.drawer is not None:
            drawing = f"{self.name(state.drawer)} to draw {count_of(state.draws_due, 'card')}, then "
        else:
            drawing = ""
        if state.turn is None or state.phase is not Phase.PLAYING:
            return drawing + _PHASES.get(state.phase, "nobody to play")
        owed = (
            ", who owes two cards"
            if state.plays_due == 2
            else ", the second of two cards"
            if state.second
            else ""
        )
        return f"{drawing}{self.name(state.turn)} to play{owed}"

    def total(self) -> tuple[str, str]:
        """Return the total, and its colour."""
        state = self.state
        room = state.ruleset.max_total - state.total
        return figure(
            state.total
        ), "bold red" if room <= NEAR / 2 else "bold yellow" if room <= NEAR else "bold"

    def is_shown(self, seat: int) -> bool:
        """Whether the hand of a seat is shown: laid-down ones always."""
        if seat in self.state.out:
            return True
        return not self.look.hide and self.look.seat in (None, seat)

    def hand(self, seat: int) -> list[str]:
        """Return the cards of a seat as words."""
        hand = self.state.hands[seat]
        if not self.is_shown(seat):
            hand = (HIDDEN,) * len(hand)
        return [self.plain_signs(LOOKS[card].short) for card in hand]

    def notes(self, seat: int) -> list[str]:
        """Return what there is to say of a seat."""
        state, match = self.state, self.state.match
        notes = []
        if seat in match.gone:
            return ["left the match" if self.has_left(seat) else "out of the match"]
        for held, noun in ((match.chips, "chip"), (match.scores, "point")):
            number = held[seat] if held is not None else None
            if number is not None:
                notes.append(count_of(number, noun))
        if seat in state.out:
            laid_down = any(card != HIDDEN for card in state.hands[seat])
            how = "left" if self.has_left(seat) else "out"
            notes.append(f"{how}, hand laid down" if laid_down else how)
        if state.forfeits[seat]:
            notes.append(f"forfeited {count_of(state.forfeits[seat], 'draw')}")
        return notes

    def has_left(self, seat: int) -> bool:
        """Whether a seat left the game, in this round or before."""
        return any(
            isinstance(event, Eliminate) and event.reason == "left" and event.seat == seat
            for event in self.replay.events[: self.replay.index + 1]
        )

    def could_play(self) -> str | None:
        state = self.state
        if (
            state.turn is None
            or not self.is_shown(state.turn)
            or HIDDEN in state.hands[state.turn]
            or state.draws_due
        ):
            return None
        legal = ["four ONO 99" if card == DISCARD_FOUR else LOOKS[card].short for card in legal_plays(state)]
        return self.plain_signs(", ".join(legal)) or "nothing"

    def told(self, width: int | None) -> Iterator[str]:
        """Yield what has just happened and what was found wrong with it, broken to a width."""
        if sentence := self.sentence():
            yield from _wrap(sentence, width)
        for found in findings_at(self.replay):
            head = f"{found.severity} {found.code}"
            first, *rest = _wrap(f"{head} {printable(found.message)}", width)
            yield self.paint(head, SEVERITY_COLOUR[found.severity]) + first[len(head) :]
            yield from rest

    def piles(self) -> list[str]:
        state = self.state
        top = f", {self.plain_signs(LOOKS[state.discards[-1]].short)} on top" if state.discards else ""
        return [f"draw pile {state.draw_pile}", f"discard pile {state.discard_pile}{top}"]

    # --- plain lines --------------------------------------------------------------------------------

    def plain(self) -> Iterator[str]:
        """Yield the table as lines of label and text."""
        state = self.state
        figures, colour = self.total()
        yield "  ".join(self.title())
        yield from self.told(None)
        yield f"total: {self.paint(self.plain_signs(figures), colour)} (limit {state.ruleset.max_total})"
        yield f"direction: {'clockwise' if state.direction == 1 else 'counter-clockwise'}"
        yield f"next: {self.to_act()}"
        if (legal := self.could_play()) is not None:
            yield f"could play: {legal}"
        yield f"piles: {', '.join(self.piles())}"
        for seat in range(state.match.seats):
            notes = self.notes(seat)
            hand = ", ".join(self.hand(seat)) or "no cards"
            yield f"seat {seat}, {self.names[seat]}: {hand}" + (f" ({'; '.join(notes)})" if notes else "")

    # --- the picture --------------------------------------------------------------------------------

    def picture(self) -> Iterator[str]:
        """Yield the table with the seats around it, clockwise as seen from above."""
        seats = self.state.match.seats
        near = self.look.seat or 0
        order = [(near + place) % seats for place in range(seats)]
        below = order[: max(1, seats // 2)][::-1]
        above = order[len(below) :]
        name, *more = self.title()
        name = _cut(name, self.look.width)
        yield self.paint(name, "bold") + _cut("  " + "  ".join(more), self.look.width - cell_width(name))
        yield from self.told(self.look.width)
        yield ""
        yield from self.row(above)
        yield ""
        yield from self.middle()
        yield ""
        yield from self.row(below)
        if (legal := self.could_play()) is not None and self.state.turn is not None:
            yield ""
            yield from _wrap(f"{self.name(self.state.turn)} could play: {legal}", self.look.width)

    def middle(self) -> Iterator[str]:
        figures, colour = self.total()
        state = self.state
        big = big_figures(state.total, "#" if self.look.ascii else "█")
        limit = f"total {self.plain_signs(figures)} of {state.ruleset.max_total}"
        words = [limit, self.direction(), self.to_act(), *self.piles()]
        wide = max(map(len, big))
        for line, text in zip(big, words, strict=True):
            text = _cut(text, self.look.width - wide - 8)
            shown = self.paint(text, "bold") if line is big[2] else text
            yield f"    {self.paint(line.ljust(wide), colour)}    {shown}"

    def row(self, seats: Sequence[int]) -> Iterator[str]:
        """Yield seats side by side."""
        width = self.look.width // max(1, len(seats))
        cells = [self.cell(seat, width) for seat in seats]
        for place in range(max(map(len, cells), default=0)):
            line = ""
            for column, cell in enumerate(cells):
                text, how = cell[place] if place < len(cell) else ("", "")
                # Padding is counted before colours are put in.
                line += self.paint(text, how) if how else text
                if column < len(cells) - 1:
                    line += " " * (width - cell_width(text))
            yield line.rstrip()

    def cell(self, seat: int, width: int) -> list[tuple[str, str]]:
        """Return the lines of a seat with their colours."""
        state = self.state
        acts = seat == state.turn and state.phase is Phase.PLAYING
        mark = (">" if self.look.ascii else "▶") if acts else " "
        owes = " owes 2" if acts and state.plays_due == 2 else ""
        room = width - 4 - len(owes) - len(str(seat))
        dim = "dim" if seat in state.out or seat in state.match.gone else ""
        lines = [(f"{mark} {seat} {_cut(self.names[seat], room)}{owes}", "bold cyan" if acts else dim)]
        lines += [(f"    {line}", dim) for line in _wrap_cards(self.hand(seat), width - 5)]
        lines += [(f"    {_cut(note, width - 5)}", dim) for note in self.notes(seat)]
        return lines


def _wrap(text: str, width: int | None) -> list[str]:
    """Break a text between words, or anywhere in a word that is too long; None leaves it whole."""
    lines = []
    while width is not None and cell_width(text) > width:
        end = len(_cut(text, width)) - 1
        space = text.rfind(" ", 1, end + 1)
        end = space if space > 0 else max(1, end)
        lines.append(text[:end])
        text = text[end:].lstrip(" ")
    return [*lines, text]


def _cut(text: str, width: int) -> str:
    """Return the beginning of a text that has room, an ellipsis in the place of the rest."""
    if cell_width(text) <= width:
        return text
    while text and cell_width(text) > width - 1:
        text = text[:-1]
    return text + "…"


def _wrap_cards(cards: Sequence[str], width: int) -> list[str]:
    lines: list[str] = []
    for card in cards:
        shown = f"[{card}]"
        if lines and len(lines[-1]) + 1 + len(shown) <= width:
            lines[-1] += f" {shown}"
        else:
            lines.append(shown)
    return lines
