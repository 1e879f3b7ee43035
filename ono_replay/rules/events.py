"""What can happen in a game: one frozen record for each event type of schemas/SPECIFICATION.md section 4.

The records stand on the lowest floor because the rules judge and apply them and the log reads and
writes them. Their fields are the keys of the format, in canonical order: `seq`, the type's own keys,
then `at_ms`, `irregular`, `meta`. `extra` holds unknown keys as they were read and is never a key itself;
the objects inside an event (`Player`, `Source`, `Shuffle`, `Position`) have one of their own.

>>> play = Play(seq=4, seat=0, card="7", total=7)
>>> play.type, play.total
('play', 7)
"""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ono_replay.rules.cards import CardOrHidden

Integer = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Extra = dict[str, Any] | UnsetType
View = Literal["full", "public", "seat"]
EliminationReason = Literal["no_legal_play", "left", "timeout"]
EndReason = Literal["completed", "abandoned"]
Cards = tuple[CardOrHidden, ...]


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player of `game_start.players`."""

    name: str
    id: str | None = None
    bot: bool = False
    extra: Extra = UNSET


class Source(msgspec.Struct, frozen=True):
    """The program that wrote a log."""

    app: str
    version: str
    extra: Extra = UNSET


class Shuffle(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a round's deck was made; checked by `verify-deal`."""

    algorithm: str
    seed: str | None = None
    commitment: str | None = None
    extra: Extra = UNSET


class Position(msgspec.Struct, frozen=True, omit_defaults=True):
    """A set-up that a round starts from (schemas/SPECIFICATION.md section 7)."""

    total: Integer
    direction: Literal[1, -1]
    turn: Integer | None
    plays_due: Literal[0, 1, 2]
    second: bool
    hands: tuple[Cards, ...]
    out: tuple[Integer, ...]
    draw_pile: Cards | Integer
    discard_pile: Cards | Integer
    chips: tuple[Integer | None, ...] | None = None
    scores: tuple[Integer | None, ...] | None = None
    extra: Extra = UNSET


class _Head(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    seq: Integer


class Event(_Head, frozen=True, kw_only=True):
    """What every event has beside its own keys."""

    type: ClassVar[str] = ""
    at_ms: Integer | None = None
    """Milliseconds since the game began."""
    irregular: bool = False
    """The event broke the rules at the table and was let stand."""
    meta: dict[str, Any] | UnsetType = UNSET
    """Anything else; no reader gives it a meaning."""
    extra: Extra = UNSET
    """Unknown keys in the order read."""


class GameStart(Event, frozen=True, tag="game_start"):
    """The first event of every game."""

    type: ClassVar[str] = "game_start"
    format: Literal["ono-log"]
    version: str
    game_id: str
    ruleset: dict[str, Any]
    players: tuple[Player, ...]
    dealer: Integer | None
    view: View
    viewer: Integer | None = None
    started_at: str | None = None
    source: Source | None = None


class RoundStart(Event, frozen=True, tag="round_start"):
    """A round begins: with a full deck, or from a position."""

    type: ClassVar[str] = "round_start"
    round: Integer
    dealer: Integer | None
    starter: Integer
    deck: tuple[CardOrHidden, ...] | None = None
    shuffle: Shuffle | None = None
    position: Position | None = None


class Deal(Event, frozen=True, tag="deal"):
    """A seat is dealt its four cards."""

    type: ClassVar[str] = "deal"
    seat: Integer
    cards: Cards


class Play(Event, frozen=True, tag="play"):
    """A card is played and the total announced."""

    type: ClassVar[str] = "play"
    seat: Integer
    card: CardOrHidden
    total: Integer


class Draw(Event, frozen=True, tag="draw"):
    """A card is drawn."""

    type: ClassVar[str] = "draw"
    seat: Integer
    card: CardOrHidden


class ForfeitDraw(Event, frozen=True, tag="forfeit_draw"):
    """The draw that was due is lost."""

    type: ClassVar[str] = "forfeit_draw"
    seat: Integer


class DiscardFour(Event, frozen=True, tag="discard_four"):
    """Four `ono_99` are discarded."""

    type: ClassVar[str] = "discard_four"
    seat: Integer


class Reshuffle(Event, frozen=True, tag="reshuffle"):
    """The discard pile becomes the draw pile."""

    type: ClassVar[str] = "reshuffle"
    count: Integer
    deck: Cards | None = None


class Eliminate(Event, frozen=True, tag="eliminate"):
    """A seat is out of the round."""

    type: ClassVar[str] = "eliminate"
    seat: Integer
    reason: EliminationReason
    card: CardOrHidden | None = None
    hand: Cards | None = None


class RoundEnd(Event, frozen=True, tag="round_end"):
    """A round is over."""

    type: ClassVar[str] = "round_end"
    round: Integer
    winner: Integer | None
    loser: Integer | None
    chips: tuple[Integer | None, ...] | None = None
    points: tuple[Integer | None, ...] | None = None
    scores: tuple[Integer | None, ...] | None = None
    seed: str | None = None


class GameEnd(Event, frozen=True, tag="game_end"):
    """The game is over."""

    type: ClassVar[str] = "game_end"
    winners: tuple[Integer, ...]
    reason: EndReason
    digest: str | None = None


class Comment(Event, frozen=True, tag="comment"):
    """A remark; changes nothing."""

    type: ClassVar[str] = "comment"
    text: str
    ref: Integer | None = None


class Undo(Event, frozen=True, tag="undo"):
    """The effective events become what they were right after the event `to`."""

    type: ClassVar[str] = "undo"
    to: Integer


class UnknownEvent(Event, frozen=True, tag=""):
    """An event of a type that this version does not know; `extra` holds its own keys."""

    name: str


GameEvent = (
    GameStart | RoundStart | Deal | Play | Draw | ForfeitDraw | DiscardFour | Reshuffle | Eliminate
    | RoundEnd | GameEnd | Comment | Undo
)  # fmt: skip
EVENT_TYPES: dict[str, type[Event]] = {
    cls.type: cls
    for cls in (
        GameStart, RoundStart, Deal, Play, Draw, ForfeitDraw, DiscardFour, Reshuffle, Eliminate,
        RoundEnd, GameEnd, Comment, Undo,
    )
}  # fmt: skip
