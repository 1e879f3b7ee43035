"""What broke a rule, in plain words: a message and a help for every violation of the rules.

The rules say what is wrong in data (`Violation`: code, detail, expected, actual); here it becomes a
sentence with players, cards and numbers. Names stand in it as they are: whoever shows a message on a
terminal passes it through `printable`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.helps import help_for
from ono_replay.check.phrases import (
    count_of,
    join_words,
    name_card,
    name_cards,
    name_event,
    name_player,
    name_players,
    name_turn,
)
from ono_replay.rules.cards import DISCARD_FOUR, HIDDEN
from ono_replay.rules.events import Event
from ono_replay.rules.violation import Violation

__all__ = ["MESSAGES", "describe", "key_at_fault", "message_key"]


class _Case(msgspec.Struct, frozen=True):
    """A violation with all that its sentence may name."""

    violation: Violation
    event: Any
    names: Sequence[str]

    @property
    def expected(self) -> Any:
        return self.violation.expected

    @property
    def actual(self) -> Any:
        return self.violation.actual

    @property
    def happens(self) -> str:
        return name_event(self.event, self.names)

    @property
    def who(self) -> str:
        return self.player(getattr(self.event, "seat", None))

    def player(self, seat: int | None) -> str:
        return name_player(seat, self.names)

    def players(self, seats: Sequence[int] | None) -> str:
        return name_players(seats or (), self.names)


Sentence = Callable[[_Case], str]


def describe(violation: Violation, event: Event, names: Sequence[str]) -> tuple[str, str | None]:
    """Return the message and the help for what breaks a rule.

    `names` are the players' names by seat; a seat without one is named by its number. A code or detail
    that has no sentence of its own gets that of the catalogue.

    >>> from ono_replay.rules.events import Play
    >>> message, help = describe(Violation("ONO301", expected=0, actual=1), Play(4, 1, "7", 7), ["Ann", "Bo"])
    >>> print(message)
    Bo (seat 1) plays 7, but it is Ann's turn (seat 0)
    """
    case = _Case(violation, event, names)
    key = message_key(violation)
    sentence = MESSAGES.get(key)
    message = sentence(case) if sentence is not None else CATALOGUE[violation.code].what.rstrip(".")
    return message, help_for(violation, event, key)


def message_key(violation: Violation) -> tuple[str, str]:
    """Return the code and the kind of detail that the message is chosen by.

    >>> message_key(Violation("ONO407", detail="scores:3"))
    ('ONO407', 'scores')
    """
    code, detail = violation.code, violation.detail
    return code, "card" if code == "ONO310" else detail.partition(":")[0]


def key_at_fault(violation: Violation) -> str | None:
    """Return the key of the event whose value is wrong, where the detail tells it.

    >>> key_at_fault(Violation("ONO407", detail="points:1")), key_at_fault(Violation("ONO211", detail="turn"))
    ('points[1]', 'position.turn')
    """
    detail = violation.detail
    if violation.code == "ONO107" or (violation.code, detail) == ("ONO319", "dealer"):
        return detail
    if violation.code == "ONO406":
        return _first_difference("chips", violation.expected, violation.actual)
    if violation.code == "ONO407" and ":" in detail:
        return detail.replace(":", "[") + "]"
    if violation.code == "ONO211" and detail in ("hands", "out", "turn", "second"):
        return f"position.{detail}"
    return None


def _first_difference(key: str, right: Any, given: Any) -> str:
    if isinstance(right, (list, tuple)) and isinstance(given, (list, tuple)):
        for place, (one, other) in enumerate(zip(right, given, strict=False)):
            if one != other:
                return f"{key}[{place}]"
    return key


def _dealing(case: _Case) -> str:
    missing = case.expected
    if not missing:
        return f"{case.happens}, but cards are still being dealt"
    have = "has" if len(missing) == 1 else "have"
    return f"{case.happens}, but {case.players(missing)} {have} not been dealt cards"


def _deck(case: _Case) -> str:
    if case.actual != case.expected:
        return f"The deck has {count_of(case.actual, 'card')}; that of the ruleset has {case.expected}"
    return f"The deck has {count_of(case.actual, 'card')} as it should, but not those of the ruleset's deck"


def _not_in_hand(case: _Case) -> str:
    card = name_card(getattr(case.event, "card", None) or str(case.actual))
    if not case.expected:
        return f"{case.who} plays {card}, but the hand is empty"
    return f"{case.who} plays {card}, which is not in the hand: {name_cards(case.expected)}"


def _hand_mismatch(case: _Case) -> str:
    held = name_cards(case.expected)
    if case.actual is None:
        return f"What {case.who} shows does not fit the hand: {held}"
    return f"{case.who} lays down {name_cards(case.actual)}, but the hand is {held}"


def _chips(case: _Case) -> str:
    right, given = case.expected, case.actual
    if given is not None and len(right) == len(given):
        for seat, (chips, said) in enumerate(zip(right, given, strict=True)):
            if chips != said:
                return (
                    f"{case.player(seat)} has {_chip_count(chips)} after this round, not {_chip_count(said)}"
                )
    return f"The chips after this round are {_array(right)}, not {_array(given)}"


def _chip_count(chips: int | None) -> str:
    return "no place in the match (null)" if chips is None else count_of(chips, "chip")


def _array(values: Sequence[int | None] | None) -> str:
    return "null" if values is None else "[" + ", ".join(map(_number, values)) + "]"


def _number(value: int | None) -> str:
    return "null" if value is None else str(value)


def _points(case: _Case) -> str:
    player = case.player(_seat_of_detail(case))
    said = _number(case.actual)
    if case.expected is None:
        return f"{player} was out of the match before this round and has null points, not {said}"
    if isinstance(case.expected, int):
        return f"{player} scores {count_of(case.expected, 'point')} in this round, not {said}"
    least, most = case.expected
    return (
        f"{player} scores from {least} to {most} points in this round (the hand is not all known), not {said}"
    )


def _scores(case: _Case) -> str:
    player = case.player(_seat_of_detail(case))
    return f"{player} has a score of {_number(case.expected)} after this round, not {_number(case.actual)}"


def _seat_of_detail(case: _Case) -> int:
    return int(case.violation.detail.partition(":")[2])


def _could_play(case: _Case) -> str:
    cards = [card for card in case.violation.legal if card != DISCARD_FOUR]
    could = [f"play {join_words(cards, 'or')}"] if cards else []
    if DISCARD_FOUR in case.violation.legal:
        could.append("discard four ono_99")
    return f"{case.who} is eliminated as unable to play, but could {' or '.join(could) or 'play a card'}"


def _not_over(case: _Case) -> str:
    if case.actual == HIDDEN:
        return f"{case.who} goes out with an unknown card; a bust card is seen by all"
    return f"{case.who} goes out with {case.actual}, which does not take the total over the limit of {case.expected}"


def _short_draw(case: _Case) -> str:
    due = count_of(case.actual, "card")
    return f"{case.happens}, but {case.player(case.expected)} must draw {due} first"


def _still_in(case: _Case) -> str:
    if case.expected:
        return f"{case.happens}, but still in are {case.players(case.expected)}"
    return f"{case.happens}, but a round is still being played"


def _starter_gone(case: _Case) -> str:
    return (
        f"{case.player(case.actual)} starts the round, but is out of the match; "
        f"the next player still in it is {case.player(case.expected)}"
    )


def _gap(case: _Case) -> str:
    if case.actual < case.expected:
        return f"`seq` goes back: after {case.expected - 1} comes {case.actual}"
    lost = case.actual - case.expected
    if lost == 1:
        return f"The line with `seq` {case.expected} is missing before this one, which has {case.actual}"
    should = f"`seq` should be {case.expected} here, but is {case.actual}"
    return f"{should}: {count_of(lost, 'line')} are missing, or the number is wrong"


def _position(what: str) -> Sentence:
    return lambda _: f"The position is not possible: {what}"


def _but(what: str) -> Sentence:
    return lambda case: f"{case.happens}, but {what}"


MESSAGES: dict[tuple[str, str], Sentence] = {
    ("ONO106", "chips"): lambda case: f"{case.happens} without `chips`, which this match has",
    ("ONO106", "points"): lambda case: f"{case.happens} without `points`, which this match has",
    ("ONO106", "scores"): lambda case: f"{case.happens} without `scores`, which this match has",
    ("ONO107", "round"): lambda case: f"This is round {case.expected}, but the log says {case.actual}",
    ("ONO107", "deck"): _deck,
    ("ONO202", "gap"): _gap,
    ("ONO202", "odd"): lambda case: f"`seq` should be {case.expected} here, but is {case.actual}",
    ("ONO202", "repeated"): lambda case: f"This line with `seq` {case.actual} stands here a second time",
    ("ONO202", "swapped"): lambda case: (
        f"This line and the next are swapped: `seq` {case.actual} stands before {case.expected}"
    ),
    ("ONO203", ""): lambda _: "A game with this id came before in this run",
    ("ONO204", "before_round"): _but("no round has begun"),
    ("ONO204", "dealing"): _dealing,
    ("ONO204", "playing"): _but("a round is being played"),
    ("ONO204", "round_over"): _but("the round before has no `round_end`"),
    ("ONO204", "match_over"): _but("the match is over"),
    ("ONO204", "ended"): _but("the game has ended"),
    ("ONO204", "round_end_missing"): _but("the last round has no `round_end`"),
    ("ONO205", ""): lambda case: (
        f"`at_ms` goes back: it is {case.actual}, but was {case.expected} on a line before"
    ),
    ("ONO207", "dealing"): _dealing,
    ("ONO207", "twice"): lambda case: f"{case.who} is dealt cards a second time",
    ("ONO207", "count"): lambda case: (
        f"{case.who} is dealt {count_of(case.actual, 'card')}; it must be {case.expected}"
    ),
    ("ONO209", ""): lambda case: f"There is no event with `seq` {case.actual} before this line to go back to",
    ("ONO211", "hands"): _position("there must be one hand for each player"),
    ("ONO211", "out"): _position("`out` names a seat twice, or one that the game does not have"),
    ("ONO211", "standing"): _position("`chips` and `scores` must have one entry for each player"),
    ("ONO211", "turn"): _position(
        "`turn` must be a seat still in that owes a card, or null when nobody owes one and the round is over"
    ),
    ("ONO211", "second"): _position("where `second` is true, `plays_due` is 1"),
    ("ONO211", "pile"): _position("a pile can not have fewer than 0 cards"),
    ("ONO211", "copies"): _position("it has more copies of a card than the deck"),
    ("ONO211", "size"): _position("it has more cards than the deck"),
    ("ONO301", ""): lambda case: f"{case.happens}, but it is {name_turn(case.expected, case.names)}",
    ("ONO302", ""): _not_in_hand,
    ("ONO303", ""): lambda case: (
        f"{case.happens}, which takes the total to {case.actual}; the limit is {case.expected}"
    ),
    ("ONO304", ""): lambda case: f"{case.happens}, which can not be played here",
    ("ONO305", ""): lambda case: f"{case.happens} as the first of two cards, where it is barred",
    ("ONO306", ""): lambda case: (
        f"{case.happens}: the total is {case.expected} after it, but the log says {case.actual}"
    ),
    ("ONO307", ""): _but("is out of the round"),
    ("ONO307", "gone"): _but("is out of the match"),
    ("ONO308", ""): _short_draw,
    ("ONO309", ""): _but("no draw is due"),
    ("ONO309", "other_seat"): lambda case: (
        f"{case.happens}, but it is {case.player(case.expected)} who must draw"
    ),
    ("ONO310", "card"): lambda case: (
        f"{case.happens}: with that {case.actual} of {case.violation.detail} are in sight, "
        f"but the deck has {case.expected}"
    ),
    ("ONO311", ""): lambda case: f"{case.happens}, but the deck of this game has no {case.actual}",
    ("ONO312", "ruleset"): lambda case: f"{case.happens}, but these rules let no draw be forfeited",
    ("ONO312", "bust_draw"): lambda case: f"{case.happens}, but the one after a bust card must be drawn",
    ("ONO313", "not_offered"): lambda case: f"{case.happens}, which these rules do not offer",
    ("ONO313", "not_held"): lambda case: f"{case.happens}, but does not hold four of them",
    ("ONO314", "nothing_due"): _but("nobody has to draw"),
    ("ONO314", "not_empty"): lambda case: (
        f"{case.happens}, but the draw pile still has {count_of(case.actual, 'card')}"
    ),
    ("ONO314", "count"): lambda case: (
        f"{case.happens}: that makes {count_of(case.expected, 'card')}, but the log says {case.actual}"
    ),
    ("ONO314", "cards"): _but("the cards of the new draw pile are not those of the discard pile"),
    ("ONO315", ""): _but("the draw pile is empty"),
    ("ONO316", ""): lambda case: f"{case.happens} to open the round, but holds a number card to play",
    ("ONO317", ""): lambda case: f"{case.happens}, which takes the total below zero, to {case.actual}",
    ("ONO318", ""): lambda case: (
        f"{case.happens}, but the next card of the recorded deck is {name_card(case.expected)}"
    ),
    ("ONO318", "deal"): lambda case: (
        f"{case.who} is dealt {name_cards(case.actual)}, which are not among the first cards of the recorded deck"
    ),
    ("ONO319", ""): lambda case: (
        f"{case.player(case.actual)} starts the round, but {case.player(case.expected)} must"
    ),
    ("ONO319", "gone"): _starter_gone,
    ("ONO319", "dealer"): lambda case: (
        f"{case.player(case.actual)} deals this round, but it is {case.player(case.expected)} who must"
    ),
    ("ONO401", ""): _could_play,
    ("ONO402", ""): _hand_mismatch,
    ("ONO403", "round"): lambda case: (
        f"The round is won by {case.player(case.expected)}, but the log says {case.player(case.actual)}"
    ),
    ("ONO403", "game"): lambda case: (
        f"The game is won by {case.players(case.expected)}, but the log says {case.players(case.actual)}"
    ),
    ("ONO403", "abandoned"): lambda case: (
        f"The game is abandoned and has no winner, but the log says {case.players(case.actual)}"
    ),
    ("ONO404", "dealing"): _but("cards are still being dealt"),
    ("ONO404", "round"): _still_in,
    ("ONO404", "match"): _but("the match is not decided"),
    ("ONO405", "round_over"): _but("the round is over"),
    ("ONO405", "match_over"): _but("the match is over"),
    ("ONO406", ""): _chips,
    ("ONO406", "none_belong"): lambda case: f"{case.happens} with `chips`, but this match has none",
    ("ONO407", "none_belong"): lambda case: f"{case.happens} with points or scores, but this match has none",
    ("ONO407", "points"): _points,
    ("ONO407", "scores"): _scores,
    ("ONO408", ""): lambda case: (
        f"The round is lost by {case.player(case.expected)}, but the log says {case.player(case.actual)}"
    ),
    ("ONO409", "none_belongs"): lambda case: (
        f"{case.happens} with {name_card(case.actual)} as a bust card, but none belongs here"
    ),
    ("ONO409", "missing"): lambda case: (
        f"{case.happens} without a bust card, but the hand has one: {name_cards(case.expected)}"
    ),
    ("ONO409", "not_over"): _not_over,
    ("ONO409", "not_held"): lambda case: (
        f"{case.who} goes out with {case.actual}, which is not in the hand: {name_cards(case.expected)}"
    ),
}
"""A sentence for each code and kind of detail that the rules know, and for what the validator adds."""
