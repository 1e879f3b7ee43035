"""What may have stood on a line that can't be read, or only in part.

>>> from ono_replay.rules.ruleset import EDITIONS
>>> from ono_replay.rules.state import first_state
>>> [event.starter for event in possible_events(first_state(EDITIONS["2022"], 3))]
[0, 1, 2]
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from ono_replay.log.keys import KEYS
from ono_replay.rules.cards import HIDDEN, ORDER, Hand
from ono_replay.rules.ends import may_rest_on_last_to_play
from ono_replay.rules.events import (
    EVENT_TYPES,
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
from ono_replay.rules.legality import cards_to_reshuffle, is_legal
from ono_replay.rules.playable import is_bust_card, total_after
from ono_replay.rules.scoring import chips_after, points_bounds
from ono_replay.rules.setup import HAND_SIZE, expected_dealer, expected_starter
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance

CARD_ARRAYS = ("cards", "hand", "deck")


def possible_events(state: State) -> Iterator[Event]:
    """Yield what could legally come next, as far as that can be listed, the likely first.

    Unknown cards stay unknown where the state that follows is the same; comments and undos are left out.
    """
    match state.phase:
        case Phase.BEFORE_ROUND:
            yield from _round_starts(state)
        case Phase.DEALING:
            for seat in state.match.seats_in():
                if seat not in state.dealt:
                    yield Deal(0, seat, (HIDDEN,) * HAND_SIZE)
        case _ if state.draws_due:
            yield from _draws(state)
        case Phase.PLAYING:
            yield from _acts(state)
        case Phase.ROUND_OVER:
            yield right_round_end(state)
        case Phase.MATCH_OVER:
            yield GameEnd(0, state.match.winners or (), "completed")
        case _:
            pass


def _round_starts(state: State) -> Iterator[RoundStart]:
    match = state.match
    start = RoundStart(0, state.round + 1, expected_dealer(match), 0)
    must = expected_starter(match, start)
    for seat in match.seats_in() if must is None else (must,):
        yield replace(start, starter=seat)


def _draws(state: State) -> Iterator[Event]:
    seat = state.drawer or 0
    if not state.draw_pile:
        yield Reshuffle(0, cards_to_reshuffle(state))
    else:
        yield Draw(0, seat, state.next_card or HIDDEN)
    forfeit = ForfeitDraw(0, seat)
    if is_legal(state, forfeit):
        yield forfeit


def _acts(state: State) -> Iterator[Event]:
    seat = state.turn or 0
    yield from possible_plays(state)
    yield from (event for event in (DiscardFour(0, seat),) if is_legal(state, event))
    busts = [
        card for card in dict.fromkeys(state.hands[seat]) if card != HIDDEN and is_bust_card(state, card)
    ]
    for card in busts if state.ruleset.scores_points and busts else [None]:
        event = Eliminate(0, seat, "no_legal_play", card)
        if is_legal(state, event):
            yield event
    for other in state.seats_in:
        yield Eliminate(0, other, "left")


def possible_plays(state: State) -> Iterator[Play]:
    """Yield the plays that the seat to act could make, with the totals they make."""
    seat = state.turn or 0
    hand = state.hands[seat]
    cards = state.ruleset.deck if HIDDEN in hand else dict.fromkeys(hand)
    for card in cards:
        event = Play(0, seat, card, total_after(state.ruleset, state.total, card))
        if is_legal(state, event):
            yield event


def right_round_end(state: State, said: RoundEnd | None = None) -> RoundEnd:
    """Return the `round_end` that would be right.

    Points that unknown cards leave open are those that `said` has, where they can be, else the least.
    """
    before = state.match.scores
    points = scores = None
    if before is not None:
        given = (said.points if said is not None else None) or (None,) * len(before)
        points = tuple(
            None
            if bound is None
            else point
            if point is not None and bound[0] <= point <= bound[1]
            else bound[0]
            for bound, point in zip(points_bounds(state), given, strict=True)
        )
        scores = tuple(
            None if point is None else (was or 0) + point for was, point in zip(before, points, strict=True)
        )
    return RoundEnd(
        0,
        round=state.round,
        winner=state.last_to_play if may_rest_on_last_to_play(state) else state.winner,
        loser=state.out[0] if state.out else None,
        chips=None if state.match.chips is None else chips_after(state),
        points=points,
        scores=scores,
    )


def likely_events(keys: Mapping[str, Any], good: Mapping[str, Any], state: State) -> list[Event]:
    """Return what an event may have been of which only some keys are right, the likely first.

    `keys` are those on the line, `good` the ones that are right, with the values the event would have. None
    where nothing can be told.
    """
    cls = EVENT_TYPES.get(str(keys.get("type")))
    if cls is None or cls.type == "undo":
        return []
    own: dict[str, Any] = {}
    for name in (key.name for key in KEYS[cls.type]):
        if name in good:
            own[name] = good[name]
        elif name in CARD_ARRAYS and isinstance(keys.get(name), list | tuple):
            own[name] = _known_cards(keys[name])
    if not missing_keys(keys, good):
        return [cls(**{"seq": 0} | own)]
    if cls is Play:
        return _likely_plays(own, state)
    if cls is Draw:
        own.setdefault("card", HIDDEN)
    guesses = [event for event in possible_events(state) if isinstance(event, cls)] or _any_of(cls, state)
    return [replace(event, **own) for event in guesses]


def missing_keys(keys: Mapping[str, Any], good: Mapping[str, Any]) -> frozenset[str]:
    """Return the required keys of an event that are not there or not right."""
    known = KEYS.get(str(keys.get("type")), ())
    return frozenset(key.name for key in known if key.required and key.name not in good)


def _known_cards(cards: Any) -> Hand:
    """Return cards with what is no card as an unknown one."""
    return tuple(card if isinstance(card, str) and card in ORDER else HIDDEN for card in cards)


def _likely_plays(own: Mapping[str, Any], state: State) -> list[Event]:
    seat = own.get("seat", state.turn)
    if seat is None:
        return []
    if "card" in own:
        total = own.get("total", total_after(state.ruleset, state.total, own["card"]))
        return [Play(0, seat, own["card"], total)]
    acting = replace(state, turn=seat)
    plays = list(possible_plays(acting))
    fitting = [event for event in plays if event.total == own.get("total", event.total)]
    return [replace(event, **own) for event in fitting or plays]


def _any_of(cls: type[Event], state: State) -> list[Event]:
    """Return an event of a type that does not fit the state."""
    seat = state.turn if state.turn is not None else state.drawer
    if cls is Draw and seat is not None:
        return [Draw(0, seat, HIDDEN)]
    if cls is Eliminate and seat is not None:
        return [Eliminate(0, seat, "no_legal_play")]
    if cls is RoundEnd:
        return [right_round_end(state)]
    return []


def unknown_round(state: State, turn: int) -> State:
    """Return a round of which nothing is known but whose turn it is."""
    match = state.match
    seats = range(match.seats)
    return State(
        match=match,
        phase=Phase.PLAYING,
        round=state.round + 1,
        turn=turn,
        plays_due=1,
        hands=tuple((HIDDEN,) * (0 if seat in match.gone else HAND_SIZE) for seat in seats),
        draw_pile=match.ruleset.deck_size,
        dealt=frozenset(seats),
        forfeits=(0,) * match.seats,
        opened=True,
    )


def unknown_position(keys: Mapping[str, Any], good: Mapping[str, Any], state: State) -> State:
    """Return a round that starts from a position of which not all is right."""
    starter = good.get("starter", 0)
    position = keys["position"] if isinstance(keys["position"], dict) else {}
    turn, due = position.get("turn"), position.get("plays_due")
    begun = unknown_round(state, turn if type(turn) is int and 0 <= turn < state.match.seats else starter)
    total, direction = position.get("total"), position.get("direction")
    return replace(
        begun,
        round=good.get("round", begun.round),
        total=total if type(total) is int else 0,
        direction=-1 if direction == -1 else 1,
        plays_due=2 if due == 2 else 1,
        second=position.get("second") is True,
    )


_TYPE = re.compile(rb'"type"\s*:\s*"([a-z_]{1,20})"')


def kinds_of_line(text: bytes) -> list[str]:
    """Return the types of the events that a line seems to hold which can't be read.

    >>> kinds_of_line(b'{"seq":4,"type":"play","seat":0,"card":"7","tot')
    ['play']
    """
    kinds = (found.decode() for found in _TYPE.findall(text))
    return [kind for kind in kinds if kind in EVENT_TYPES]


def after_lost_line(state: State, kind: str | None = None) -> list[State]:
    """Return the states that may follow a line of which nothing is known, or only its type."""
    if kind == "comment":
        return [state]
    possible = list(possible_events(state))
    fitting = [event for event in possible if event.type == kind]
    return [*(advance(state, event) for event in fitting or possible), *([] if fitting else [state])]
