"""From columns back to canonical lines: what the scanner has read, written again."""

from collections.abc import Mapping
from typing import Any

from ono_replay.bulk.layout import ABSENT, KINDS, NO_CARD, NO_TIME, NOBODY, NULL, REASONS, Columns
from ono_replay.log.jsonl import canonical
from ono_replay.rules.cards import ORDER
from ono_replay.rules.events import (
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    ForfeitDraw,
    GameEnd,
    Play,
    Position,
    Reshuffle,
    RoundEnd,
    RoundStart,
)

_CARDS: tuple[Any, ...] = tuple(ORDER)


class _Lists:
    """Reads lists out of the pool, one after the other."""

    def __init__(self, pool: Any, place: int) -> None:
        self._pool, self._place = pool, place

    def number(self) -> Any:
        self._place += 1
        value = int(self._pool[self._place - 1])
        return None if value == NULL else value

    def seat(self) -> int | None:
        value: int = self.number()
        return None if value == NOBODY else value

    def numbers(self) -> Any:
        length = self.number()
        return None if length == ABSENT else tuple(self.number() for _ in range(length))

    def cards(self) -> Any:
        found = self.numbers()
        return None if found is None else tuple(_CARDS[card] for card in found)

    def pile(self) -> Any:
        found = self.cards()
        return self.number() if found is None else found

    def position(self) -> Position | None:
        if self.number() == ABSENT:
            return None
        return Position(
            total=self.number(), direction=self.number(), turn=self.seat(), plays_due=self.number(),
            second=bool(self.number()), hands=tuple(self.cards() for _ in range(self.number())),
            out=self.numbers(), draw_pile=self.pile(), discard_pile=self.pile(), chips=self.numbers(),
            scores=self.numbers(),
        )  # fmt: skip


def event_at(columns: Columns, place: int, seq: int) -> Event:
    """Return the event that the columns hold at a place, as far as they hold it (see `layout`).

    Raises `ValueError` for one that no columns hold whole: a `game_start`, a comment.
    """
    kind = KINDS[columns.kind[place]]
    number = int(columns.number[place])
    seat: Any = None if columns.seat[place] == NOBODY else int(columns.seat[place])
    card: Any = None if columns.card[place] == NO_CARD else _CARDS[columns.card[place]]
    at_ms = None if columns.at_ms[place] == NO_TIME else int(columns.at_ms[place])
    lists = _Lists(columns.pool, int(columns.more[place]))
    match kind:
        case "play":
            return Play(seq, seat, card, number, at_ms=at_ms)
        case "draw":
            return Draw(seq, seat, card, at_ms=at_ms)
        case "deal":
            return Deal(seq, seat, lists.cards(), at_ms=at_ms)
        case "forfeit_draw":
            return ForfeitDraw(seq, seat, at_ms=at_ms)
        case "discard_four":
            return DiscardFour(seq, seat, at_ms=at_ms)
        case "reshuffle":
            return Reshuffle(seq, number, lists.cards(), at_ms=at_ms)
        case "eliminate":
            reason: Any = REASONS[number]
            return Eliminate(seq, seat, reason, card, lists.cards(), at_ms=at_ms)
        case "round_start":
            dealer, deck = lists.seat(), lists.cards()
            return RoundStart(seq, number, dealer, seat, deck, position=lists.position(), at_ms=at_ms)
        case "round_end":
            loser = lists.seat()
            standing = (lists.numbers(), lists.numbers(), lists.numbers())
            return RoundEnd(seq, number, seat, loser, *standing, at_ms=at_ms)
        case "game_end":
            return GameEnd(seq, lists.numbers(), "abandoned" if number else "completed", at_ms=at_ms)
    raise ValueError(f"columns hold no {kind}")


def lines_of(columns: Columns, first: int, count: int, odd: Mapping[int, bytes]) -> list[bytes]:
    """Return the lines of a game from its columns, `odd` having those that say more than the columns, by `seq`."""
    return [
        odd[seq] if seq in odd else canonical(event_at(columns, first + seq, seq)) for seq in range(count)
    ]
