"""What if: a game played on from a moment of another one, by choosing cards; the record stays as it is.

What nobody chooses follows by itself: draws, reshuffles, and the fall of a player who is known to have nothing to
play. A drawn card is the next of the recorded pile, where the log tells its order or the draws that came; after that
it is unknown.
"""

import io
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, Final

import msgspec

from ono_replay.branch import CannotBranch, branch
from ono_replay.check.printable import printable
from ono_replay.export.payload import NotShowable, Options, build_payload
from ono_replay.log.jsonl import encode_game
from ono_replay.log.undo import renumbered
from ono_replay.replay import Replay, read_replay
from ono_replay.rules.cards import DISCARD_FOUR, EFFECTS, HIDDEN
from ono_replay.rules.events import (
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    GameStart,
    Play,
    Reshuffle,
    RoundStart,
)
from ono_replay.rules.legality import cards_to_reshuffle, why_illegal
from ono_replay.rules.playable import has_legal_play, total_after
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance

MOST_CARDS: Final = 500
"""Cards of a branch."""


class WhatIf(msgspec.Struct, frozen=True):
    """A branch, ready to show."""

    payload: dict[str, Any]
    log: bytes
    """The branch as a log of its own."""
    over: str
    """Why no further card can be chosen, else empty."""


def play_on(replay: Replay, seq: int, cards: Sequence[str]) -> WhatIf | str:
    """Return the game that goes on from right after an event with these cards, or why there is none."""
    try:
        begun = branch(replay, seq)
        events, state = list(begun.events), begun.state
        pile = _pile_of(replay, seq)
        for card in cards[:MOST_CARDS]:
            more, state = _played(state, card, pile)
            events += more
        events = renumbered(events)
        made = read_replay(io.BytesIO(encode_game(_shown(events))))
        at = made.events[-1].seq if made.events else None
        return WhatIf(build_payload(made, Options(event=at)), encode_game(_shown(events)), _why_over(state))
    except (CannotBranch, NotShowable, _NoSuchChoice) as reason:
        return printable(str(reason))


def cards_until(payload: dict[str, Any], cards: Sequence[str], seq: int) -> list[str]:
    """Return those of the cards of a branch that were played up to an event of it."""
    played = [event["seq"] for event in payload["events"] if event.get("type") in ("play", "discard_four")]
    chosen = played[len(played) - len(cards) :]
    return [card for card, at in zip(cards, chosen, strict=False) if at <= seq]


class _NoSuchChoice(Exception):
    """A card that can not be played there."""


def _played(state: State, card: str, pile: Iterator[str]) -> tuple[list[Event], State]:
    """Return what comes of a card: the draws before it, the play, and what follows without a choice."""
    events, state = _follow(state, pile)
    if state.phase is not Phase.PLAYING or state.turn is None:
        raise _NoSuchChoice("the round is over there: no card can be chosen")
    if card not in (*EFFECTS, DISCARD_FOUR):
        raise _NoSuchChoice("there is no such card")
    event: Event = DiscardFour(0, state.turn)
    if card != DISCARD_FOUR:
        event = Play(0, state.turn, card, total_after(state.ruleset, state.total, card))
    if why_illegal(state, event) is not None:
        raise _NoSuchChoice("that card can not be played there")
    more, after = _follow(advance(state, event), pile)
    return [*events, event, *more], after


def _follow(state: State, pile: Iterator[str]) -> tuple[list[Event], State]:
    """Return what follows from a state without anybody's choice."""
    events: list[Event] = []
    while (event := _next(state, pile)) is not None and why_illegal(state, event) is None:
        events.append(event)
        state = advance(state, event)
    return events, state


def _next(state: State, pile: Iterator[str]) -> Event | None:
    if state.phase is not Phase.PLAYING:
        return None
    if state.draws_due and state.drawer is not None:
        if not state.draw_pile:
            return Reshuffle(0, cards_to_reshuffle(state))
        drawn = Draw(0, state.drawer, state.next_card or next(pile, HIDDEN))
        return drawn if why_illegal(state, drawn) is None else Draw(0, state.drawer, HIDDEN)
    if state.turn is None:
        return None
    hand = state.hands[state.turn]
    if HIDDEN not in hand and not has_legal_play(state, hand):
        return Eliminate(0, state.turn, "no_legal_play")
    return None


def _pile_of(replay: Replay, seq: int) -> Iterator[str]:
    """Return the cards that were drawn from a moment on until the pile was made anew: the order of the pile."""
    after = (event for event in replay.events if event.seq > seq)
    same_pile = takewhile(lambda event: not isinstance(event, Reshuffle | RoundStart), after)
    return iter([event.card for event in same_pile if isinstance(event, Draw)])


def _shown(events: Sequence[Event]) -> list[Event]:
    """Return the events as a log that may tell of unknown cards, if it does."""
    start, *rest = events
    unknown = any(isinstance(event, Draw) and event.card == HIDDEN for event in rest)
    if unknown and isinstance(start, GameStart) and start.view == "full":
        start = msgspec.structs.replace(start, view="public")
    return [start, *rest]


def _why_over(state: State) -> str:
    if state.phase is Phase.PLAYING:
        return ""
    left = state.seats_in
    return "The round is over." if len(left) != 1 else "The round is over: one player is left."
