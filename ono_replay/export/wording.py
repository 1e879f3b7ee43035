"""What happens in a game, in plain words: one sentence an event, for lists, captions and transcripts.

A sentence is a list of texts and seats, so that each reader can put in the names as its medium wants them.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.phrases import count_of
from ono_replay.export.art import LOOKS
from ono_replay.export.course import Step
from ono_replay.rules.cards import EFFECTS, HIDDEN
from ono_replay.rules.events import (
    Comment,
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    ForfeitDraw,
    GameEnd,
    GameStart,
    Play,
    Reshuffle,
    RoundEnd,
    RoundStart,
    UnknownEvent,
)

Sentence = list[str | int]
"""Texts, and seats where a player is named."""

_ANNOUNCED: Final = re.compile(r"= ?(-?[0-9]{1,9})")
_MATCHES = {
    "single": "a single round",
    "chips": "a match for chips",
    "points_last_standing": "a points match, last one standing",
    "points_low_score": "a points match, lowest score",
}


def name_of_card(card: str) -> str:
    """Return what a card is called in a sentence: figures for number cards, its printed name else.

    >>> name_of_card("7"), name_of_card("-10"), name_of_card("play_2")
    ('7', '−10', 'Play 2')
    """
    effect = EFFECTS.get(card)
    return LOOKS[card].short if effect is not None and (effect.number or card == "-10") else LOOKS[card].name


def name_cards(cards: Iterable[str]) -> str:
    """Return cards as a list of their names."""
    return ", ".join(map(name_of_card, cards)) or "no cards"


def figure(number: int) -> str:
    """Return a number with a real minus sign.

    >>> figure(-6)
    '−6'
    """
    return str(number).replace("-", "−")


def join_seats(seats: Sequence[int]) -> Sentence:
    """Return seats as a list with `and` before the last."""
    said: Sentence = []
    for place, seat in enumerate(seats):
        if place:
            said.append(" and " if place == len(seats) - 1 else ", ")
        said.append(seat)
    return said


def _joined(said: Sentence) -> Sentence:
    """Return a sentence with neighbouring texts as one."""
    joined: Sentence = []
    for part in said:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def say(step: Step) -> Sentence:
    """Return what an event is about, in one sentence without its full stop."""
    event = step.event
    match event:
        case GameStart():
            rules = step.after.match.ruleset
            players = f"{len(event.players)} players, {_MATCHES[rules.match]}"
            return [f"ONO 99, edition {rules.edition}: {players}"]
        case RoundStart():
            place = " from a set-up position" if event.position is not None else ""
            return [f"Round {event.round} begins{place}: ", event.starter, " starts"]
        case Deal():
            return [event.seat, f" is dealt {_dealt(event.cards)}"]
        case Play():
            return _say_play(step, event)
        case Draw():
            drawn = "a card" if event.card == HIDDEN else name_of_card(event.card)
            return [event.seat, f" draws {drawn}"]
        case ForfeitDraw():
            return [event.seat, " forfeits the draw"]
        case DiscardFour():
            return [event.seat, f" discards four ONO 99: the total stays {figure(step.after.total)}"]
        case Reshuffle():
            return [f"The discard pile becomes the new draw pile: {count_of(event.count, 'card')}"]
        case Eliminate():
            return _say_out(event)
        case RoundEnd():
            return _say_round_end(step, event)
        case GameEnd():
            return _say_end(event)
        case Comment():
            announced = announced_in(event)
            return [f"Remark: “{event.text}”" if announced is None else f"Announced: {figure(announced)}"]
        case UnknownEvent():
            return [f"An event of the type “{event.name}”, which this version does not know"]
        case _:
            return [f"An event of the type “{event.type}”"]


def announced_in(event: Comment) -> int | None:
    """Return the total that was announced at the play which a comment names; None for any other remark.

    >>> announced_in(Comment(8, text="= 35", ref=7)), announced_in(Comment(8, text="= 35"))
    (35, None)
    """
    found = _ANNOUNCED.fullmatch(event.text) if event.ref is not None else None
    return None if found is None else int(found[1])


def _dealt(cards: Sequence[str]) -> str:
    hidden = sum(card == HIDDEN for card in cards)
    if hidden == len(cards):
        return "four cards" if hidden == 4 else count_of(hidden, "card")
    known = name_cards(card for card in cards if card != HIDDEN)
    return f"{known} and {hidden} unknown" if hidden else known


def _say_play(step: Step, event: Play) -> Sentence:
    before, after = step.before, step.after
    moved = after.total != before.total
    total = f"the total is {figure(after.total)}" if moved else f"the total stays {figure(after.total)}"
    said: Sentence = [event.seat, f" plays {name_of_card(event.card)}: {total}"]
    if after.direction != before.direction:
        said.append(", play turns " + ("clockwise" if after.direction > 0 else "counter-clockwise"))
    if after.plays_due == 2 and after.turn is not None:
        if before.plays_due == 2:
            said += [", the two cards pass on to ", after.turn]
        else:
            said += [", ", after.turn, " owes two cards"]
    elif after.second and after.turn == event.seat:
        said.append(", one more card to play")
    return _joined(said)


def _say_out(event: Eliminate) -> Sentence:
    how = {"left": " leaves the game", "timeout": " runs out of time and is out"}.get(event.reason)
    if how is None and event.card is not None:
        how = f" goes over the limit with {name_of_card(event.card)} and is out"
    laid = f", laying down {name_cards(event.hand)}" if event.hand else ""
    return [event.seat, (how or " can play nothing and is out") + laid]


def _say_round_end(step: Step, event: RoundEnd) -> Sentence:
    said: Sentence = [f"Round {event.round} is over"]
    in_match = event.chips is not None or event.scores is not None
    leavers = sorted(step.before.left) if in_match else []
    if event.winner is not None:
        said += [": ", event.winner, " wins it"]
    if event.loser is not None and event.chips is not None and event.loser not in leavers:
        left = event.chips[event.loser] if event.loser < len(event.chips) else None
        out = " had no chip left and is out of the match" if left is None else " pays a chip"
        said += ["; ", event.loser, out]
    elif event.loser is not None and event.winner is None and event.loser not in leavers:
        said += ["; ", event.loser, " was the first to fall"]
    if leavers:
        is_out = " left and is out of the match" if len(leavers) == 1 else " left and are out of the match"
        said += ["; ", *join_seats(leavers), is_out]
    return _joined(said)


def _say_end(event: GameEnd) -> Sentence:
    if event.reason == "abandoned":
        return ["The game is abandoned"]
    if not event.winners:
        return ["The game is over"]
    return [*join_seats(event.winners), " wins the game" if len(event.winners) == 1 else " share the win"]


def say_verdict(report: GameReport, events: Iterable[Event]) -> str:
    """Return the verdict on a game as a sentence, with all that keeps it from being simply true to the rules.

    `events` are those that stand: a fault at one that is marked `irregular` was let stand.

    >>> say_verdict(GameReport(file="a", game_id="a", line=1, verdict="valid"), ())
    'The game is valid: whole, and true to the rules.'
    >>> say_verdict(GameReport(file="a", game_id="a", line=1, verdict="valid", unverified=21), ())
    'The game is valid: no error; 21 checks could not be made (unknown cards).'
    """
    if not (report.errors or report.warnings or report.unverified):
        if report.verdict == "valid":
            return "The game is valid: whole, and true to the rules."
        if report.verdict == "unfinished":
            return "The game is unfinished; so far it is true to the rules."
    irregular = {event.seq for event in events if event.irregular}
    stood = sum(
        found.severity == "warning"
        and found.seq in irregular
        and found.code[3] in "34"
        and not found.knock_on
        for found in report.diagnostics
    )
    none = "no error so far" if report.verdict == "unfinished" else "no error"
    parts = [count_of(report.errors, "error") if report.errors else none]
    if stood:
        parts.append(f"{count_of(stood, 'fault')} let stand")
    if report.warnings > stood:
        parts.append(count_of(report.warnings - stood, "further warning" if stood else "warning"))
    if report.unverified:
        parts.append(f"{count_of(report.unverified, 'check')} could not be made (unknown cards)")
    return f"The game is {report.verdict}: {'; '.join(parts)}."
