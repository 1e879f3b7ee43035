"""What the table recorder asks at the end of a round of a points match: cards left in hand, or points."""

import re
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from ono_replay.check.phrases import count_of, name_player
from ono_replay.check.printable import printable
from ono_replay.record.entries import parse_entry
from ono_replay.record.refusal import Refusal
from ono_replay.rules.cards import HIDDEN
from ono_replay.rules.scoring import hand_points, points_bounds
from ono_replay.rules.state import State


class PointsAsked:
    """The points of one round, asked for seat by seat; only a wrong answer is asked for again."""

    def __init__(
        self, names: Sequence[str], at_end: State, ask: Callable[[str], str], console: Console
    ) -> None:
        """Take the state before the end of the round."""
        self.names = names
        self.at_end = at_end
        self.ask = ask
        self.console = console
        self.untold: set[int] = set()
        """Seats with cards that nobody told."""

    def ask_all(self) -> list[int]:
        """Return the points of each seat that is still in the match."""
        bounds = enumerate(points_bounds(self.at_end))
        return [self._ask_one(seat, *bound) for seat, bound in bounds if bound is not None]

    def _ask_one(self, seat: int, least: int, most: int) -> int:
        unknown = self.at_end.hands[seat].count(HIDDEN)
        name = printable(name_player(seat, self.names))
        if not unknown:
            self.console.print(f"{name}: {count_of(least, 'point')} of this round")
            return least
        cards = count_of(unknown, "card")
        while True:
            answer = self.ask(f"{cards} of {name} (=N: points of this round, Enter: not shown): ").strip()
            points = self._points_of(answer, seat, least, unknown)
            if isinstance(points, str):
                told = points
            elif least <= points <= most:
                return points
            else:
                told = f"{name} has {least} to {most} points of this round, not {points}"
            self.console.print(Text(f"  {told}", style="yellow"))

    def _points_of(self, answer: str, seat: int, least: int, unknown: int) -> int | str:
        """Return the points of an answer, or what is wrong with it."""
        self.untold.discard(seat)
        if (number := re.fullmatch(r"=\s*(\d{1,9})", answer, re.ASCII)) is not None:
            return int(number[1])
        meant = parse_entry(f"out {answer}", self.names, self.at_end.ruleset)
        if isinstance(meant, Refusal):
            return f"{printable(meant.message)}; cards are like 10 7 r o, points like =44"
        cards = meant.cards or ()
        if cards and len(cards) != unknown:
            return f"{count_of(len(cards), 'card')}; the hand has {unknown} (? for a card nobody saw)"
        if not cards or HIDDEN in cards:
            self.untold.add(seat)
        return least + hand_points(tuple(card for card in cards if card != HIDDEN))
