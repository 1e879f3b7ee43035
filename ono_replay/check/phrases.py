"""Players, cards and events in plain words, for whoever explains a game to people."""

from collections.abc import Iterable, Sequence
from typing import Any

from ono_replay.rules.cards import HIDDEN
from ono_replay.rules.events import (
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

_LONGEST_NAME = 60


def name_player(seat: Any, names: Sequence[str]) -> str:
    """Return a player's name with the seat, `nobody` for None, the seat alone where there is no name.

    >>> name_player(1, ["Ann", "Bo"]), name_player(None, []), name_player(7, ["Ann"])
    ('Bo (seat 1)', 'nobody', 'seat 7')
    """
    if seat is None:
        return "nobody"
    name = _name(seat, names)
    return f"{name} (seat {seat})" if name else f"seat {seat}"


def name_turn(seat: int | None, names: Sequence[str]) -> str:
    """Return whose turn it is.

    >>> name_turn(0, ["Ann"]), name_turn(None, ["Ann"])
    ("Ann's turn (seat 0)", "nobody's turn")
    """
    if seat is None:
        return "nobody's turn"
    name = _name(seat, names)
    return f"{name}'s turn (seat {seat})" if name else f"the turn of seat {seat}"


def _name(seat: int, names: Sequence[str]) -> str:
    name = names[seat] if 0 <= seat < len(names) else ""
    if not name.strip():
        return ""
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def name_players(seats: Iterable[int], names: Sequence[str]) -> str:
    """Return several players in one phrase.

    >>> name_players([0, 1], ["Ann", "Bo"]), name_players([], [])
    ('Ann (seat 0) and Bo (seat 1)', 'nobody')
    """
    return join_words([name_player(seat, names) for seat in seats]) or "nobody"


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Join words with commas and a last `and`, or another word.

    >>> join_words(["a", "b", "c"])
    'a, b and c'
    """
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def count_of(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> count_of(1, "card"), count_of(3, "card")
    ('1 card', '3 cards')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def ended(sentence: str) -> str:
    """Return a sentence with its full stop, unless it ends by itself.

    >>> ended("the line breaks off"), ended("did you mean play?")
    ('the line breaks off.', 'did you mean play?')
    """
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."


def name_card(card: str) -> str:
    """Return a card as a word: its token, or what `?` stands for.

    >>> name_card("-10"), name_card("?")
    ('-10', 'an unknown card')
    """
    return "an unknown card" if card == HIDDEN else card


def name_cards(cards: Iterable[str] | None) -> str:
    """Return cards as a list of their tokens.

    >>> name_cards(("7", "?")), name_cards(())
    ('7, ?', 'no cards')
    """
    return ", ".join(cards or ()) or "no cards"


def name_event(event: Event, names: Sequence[str]) -> str:
    """Return what happens as a short clause that begins a sentence.

    >>> name_event(Play(4, 0, "7", 7), ["Ann"])
    'Ann (seat 0) plays 7'
    """
    match event:
        case Play():
            what = f"plays {name_card(event.card)}"
        case Draw():
            what = f"draws {'a card' if event.card == HIDDEN else event.card}"
        case ForfeitDraw():
            what = "forfeits a draw"
        case DiscardFour():
            what = "discards four ono_99"
        case Deal():
            what = "is dealt cards"
        case Eliminate():
            how = {"left": "leaves", "timeout": "is timed out"}
            what = how.get(event.reason, "is eliminated")
        case RoundStart() | RoundEnd():
            return f"Round {event.round} {'begins' if isinstance(event, RoundStart) else 'is declared over'}"
        case Reshuffle():
            return "The discard pile is reshuffled"
        case GameEnd():
            return "The game is declared over"
        case _:
            return f"An event `{event.type}` stands here"
    return f"{name_player(event.seat, names)} {what}"
