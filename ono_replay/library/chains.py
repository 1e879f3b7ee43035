"""Pair chains: who started one, who passed it on, whom it hit, and whether that player survived it."""

from typing import Any

from ono_replay.rules.chains import chain_part
from ono_replay.rules.events import DiscardFour, Eliminate, Event, Play, RoundEnd, RoundStart
from ono_replay.rules.state import State


class _Chain:
    """A chain under way."""

    __slots__ = ("cards", "hit", "met", "round", "seats", "seq")

    def __init__(self, event: Play, state: State) -> None:
        self.round = state.round
        self.seq = event.seq
        self.seats = [event.seat]
        self.cards: list[str] = [event.card]
        self.hit: int | None = None
        self.met: int | None = None

    def row(self, game_id: str, *, survived: bool | None) -> tuple[Any, ...]:
        return (
            game_id,
            self.round,
            self.seq,
            self.seats[0],
            len(self.seats),
            self.hit,
            survived,
            self.seats[1:],
            self.cards,
            self.met,
        )


class PairChains:
    """Follows the events of one game; `rows` are those of the view `pair_chains`."""

    def __init__(self, game_id: str) -> None:
        """Begin before the first event."""
        self.rows: list[tuple[Any, ...]] = []
        self._game_id = game_id
        self._chain: _Chain | None = None

    def take(self, event: Event, before: State, after: State) -> None:
        """Follow one event."""
        part, seat = chain_part(event, before, after)
        chain = self._chain
        if chain is not None and chain.hit is None and before.plays_due == 2:
            if part == "passes on" and isinstance(event, Play):
                chain.seats.append(seat)
                chain.cards.append(event.card)
            elif part == "hits":
                chain.hit, chain.met = seat, before.total
        elif isinstance(event, Play | DiscardFour) and not after.second:
            self._end(survived=True)
        if part == "begins" and isinstance(event, Play):
            self._chain = _Chain(event, after)
        elif isinstance(event, Eliminate) and event.seat == before.turn:
            self._end(survived=False)
        elif isinstance(event, RoundEnd):
            self._end(survived=True)
        elif isinstance(event, RoundStart):
            self.finish()

    def _end(self, *, survived: bool | None) -> None:
        chain, self._chain = self._chain, None
        if chain is not None:
            self.rows.append(chain.row(self._game_id, survived=survived if chain.hit is not None else None))

    def finish(self) -> None:
        """The log ends here, or a round without its end."""
        self._end(survived=None)
