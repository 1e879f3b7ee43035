"""What the page Record shows of a table: plain values, its words ready to show."""

import re
from collections.abc import Sequence
from typing import Any, Final

from ono_replay.check.printable import printable
from ono_replay.export.art import BACK, LOOKS
from ono_replay.export.course import Step
from ono_replay.export.wording import figure, join_seats, name_of_card, say
from ono_replay.record.entries import parse_entry
from ono_replay.record.refusal import Refusal
from ono_replay.record.table import Table
from ono_replay.rules.cards import DISCARD_FOUR, HIDDEN, TOKENS
from ono_replay.rules.ends import may_rest_on_last_to_play
from ono_replay.rules.events import Comment, Deal, Draw, Event, GameEnd, RoundEnd, RoundStart
from ono_replay.rules.playable import playable_now, total_after
from ono_replay.rules.ruleset import Ruleset
from ono_replay.rules.scoring import points_bounds
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance

LAST_LINES: Final = 12
_NOT_A_VERB: Final = {"hold": "(?<!not )hold"}
"""How to find a card whose name is a word of our sentences, too."""
_FOLDED: Final = 40
"""Events that the last lines are looked for in."""
_NEAR, _NEARER = 9, 4
"""How far below the limit the total gets its first and its second colour, as in the terminal: from 89 and 94 on."""


def view_of(table: Table) -> dict[str, Any]:
    """Return a table as the page shows it."""
    state, names = table.state, shown_names(table.recorder.names)
    rules = state.ruleset
    room = rules.max_total - state.total
    return {
        "game": table.recorder.start.game_id,
        "seq": table.recorder.next_seq,
        "edition": rules.edition,
        "round": state.round,
        "phase": state.phase.value,
        "total": figure(state.total),
        "danger": "near" if _NEARER < room <= _NEAR else "nearer" if room <= _NEARER else "",
        "limit": rules.max_total,
        "clockwise": state.direction == 1,
        "turn": state.turn if state.phase is Phase.PLAYING else None,
        "headline": _headline(table, names),
        "owes": "the first of two cards"
        if state.plays_due == 2
        else "the second card"
        if state.second
        else "",
        "players": _players(state, names),
        "lines": _lines(table, names),
        "cards": _cards(state),
        "hand": _hand(state),
        "can": _can(table),
        "points": _points(table, names),
    }


def shown_names(names: Sequence[str]) -> list[str]:
    """Return names safe to show; a blank one is told by its seat.

    >>> shown_names(["Ann", " "])
    ['Ann', 'seat 1']
    """
    return [printable(name) if name.strip() else f"seat {seat}" for seat, name in enumerate(names)]


def faces_of(rules: Ruleset) -> dict[str, Any]:
    """Return the drawings of the cards of a game, and of the back."""
    wanted = (*rules.deck, HIDDEN, BACK)
    return {token: look.shapes for token, look in LOOKS.items() if token in wanted}


def refusal_of(refused: Refusal, names: Sequence[str]) -> dict[str, Any]:
    """Return why an entry was refused, and whether the table may let it stand all the same."""
    return {
        "code": refused.code,
        "message": _plain(refused.message, names),
        # A refusal to let a player fall tells in its words what could have been played.
        "legal": [name_of_card(token) for token in refused.legal if token != DISCARD_FOUR]
        if refused.code != "ONO401"
        else [],
        # A card that is not in the deck is a slip of the finger.
        "may_stand": refused.may_stand and refused.code != "ONO311",
    }


def _plain(message: str, names: Sequence[str]) -> str:
    """Return a message without the numbers of seats, and with the names of cards; a name may read like a card."""
    said = {f"{name} (seat {seat})": name for seat, name in enumerate(names)}
    said |= {token: name_of_card(token) for token in TOKENS if token.strip("-").isidentifier()}
    parts = "|".join(_NOT_A_VERB.get(part, re.escape(part)) for part in sorted(said, key=len, reverse=True))
    return printable(re.sub(rf"(?<!\w)({parts})(?!\w)", lambda match: said[match[0]], message))


def _said(sentence: Sequence[str | int], names: Sequence[str]) -> str:
    return "".join(names[part] if isinstance(part, int) else printable(part) for part in sentence)


def _headline(table: Table, names: Sequence[str]) -> str:
    state = table.state
    if state.phase is Phase.ENDED:
        return outcome(table.recorder.events, names)
    if state.phase is Phase.MATCH_OVER:
        return _who_wins(state.match.winners or (), names)
    return names[state.turn] if state.turn is not None else "Nobody is to play"


def outcome(events: Sequence[Event], names: Sequence[str]) -> str:
    """Return how a game that has ended came out, with names safe to show.

    >>> outcome([GameEnd(9, (1,), "completed", None)], ["Ann", "Bo"])
    'Bo wins'
    """
    end = next((event for event in reversed(events) if isinstance(event, GameEnd)), None)
    if end is not None and end.reason == "abandoned":
        return "Broken off; nobody wins"
    return _who_wins(end.winners if end else (), names)


def _who_wins(winners: Sequence[int], names: Sequence[str]) -> str:
    if not winners:
        return "Nobody wins"
    return _said(join_seats(winners), names) + (" wins" if len(winners) == 1 else " win")


def _players(state: State, names: Sequence[str]) -> list[dict[str, Any]]:
    match = state.match
    players = []
    for seat, name in enumerate(names):
        standing = match.chips or match.scores
        held = None if standing is None else standing[seat]
        word = "chip" if match.chips is not None else "pt"
        players.append(
            {
                "name": name,
                "cards": len(state.hands[seat]),
                "known": [name_of_card(card) for card in state.hands[seat] if card != HIDDEN],
                "out": seat in state.out,
                "gone": seat in match.gone,
                "standing": "" if held is None else f"{held} {word}{'' if held == 1 else 's'}",
            }
        )
    return players


def question_of(table: Table, text: str) -> str | None:
    """Return what a person is asked before an entry is taken."""
    meant = parse_entry(text, table.recorder.names, table.recorder.ruleset)
    if isinstance(meant, Refusal):
        return None
    if meant.kind == "abandon":
        return "Break the game off, without a winner?"
    right = table.right_total(text)
    if right is not None:
        return f"By the cards the total is {right}. Did the table play on from {meant.number}?"
    return None


def newest_line(table: Table) -> str:
    """Return the last thing that happened."""
    return next(iter(_lines(table, shown_names(table.recorder.names))), "nothing that stands")


def _lines(table: Table, names: Sequence[str]) -> list[str]:
    """Return the last things that happened, the newest first."""
    events = table.recorder.events
    before = table.recorder.state_at(events[max(0, len(events) - 1 - _FOLDED)].seq)
    lines = []
    for event in events[max(1, len(events) - _FOLDED) :]:
        after = advance(before, event)
        line = _said(say(Step(event, before, after)), names) if _is_told(event) else ""
        if line:
            lines.append(line + (" (let stand)" if event.irregular else ""))
        before = after
    return lines[: -LAST_LINES - 1 : -1]


def _is_told(event: Event) -> bool:
    """Whether an event is more than what a table takes for granted."""
    return not isinstance(event, Deal) and not (isinstance(event, Draw) and event.card == HIDDEN)


def _cards(state: State) -> list[dict[str, Any]]:
    rules = state.ruleset
    return [
        {
            "token": token,
            "name": name_of_card(token),
            "total": figure(after := total_after(rules, state.total, token)),
            "adds": after - state.total,
            "can": state.phase is Phase.PLAYING and playable_now(state, token),
        }
        for token in TOKENS
        if token in rules.deck
    ]


def _hand(state: State) -> int:
    """Return how many cards the player to act holds, with those still to be drawn."""
    if state.turn is None:
        return 0
    due = state.draws_due if state.drawer == state.turn else 0
    return len(state.hands[state.turn]) + due


def _can(table: Table) -> dict[str, Any]:
    state, rules, events = table.state, table.state.ruleset, table.recorder.events
    playing = state.phase is Phase.PLAYING
    return {
        "undo": any(not isinstance(event, RoundStart | Deal | Comment) for event in events[1:]),
        "redo": table.recorder.redo_to is not None,
        "four": playing and rules.four_ono_99 != "off",
        "forfeit": rules.missed_draw == "forfeit" and bool(state.draws_due) and not state.bust_draw,
        "bust": rules.scores_points,
        "starter": state.starter if playing and not state.opened and table.starter_is_free else None,
        "rest": playing and may_rest_on_last_to_play(state),
        "end": state.phase is Phase.MATCH_OVER,
        "finish": state.phase is Phase.ENDED,
    }


def _points(table: Table, names: Sequence[str]) -> list[dict[str, Any]] | None:
    """Return whose points of the round just over are asked for; None where nothing is to be told."""
    at_end = table.before_round_end
    if at_end is None or not at_end.ruleset.scores_points:
        return None
    bounds = points_bounds(at_end)
    last = next(event for event in reversed(table.recorder.events) if isinstance(event, RoundEnd))
    told = last.points or ()
    if all(bound is None or bound[0] == bound[1] for bound in bounds):
        return None
    return [
        {
            "seat": seat,
            "name": names[seat],
            "least": bound[0],
            "most": bound[1],
            "told": told[seat] if seat < len(told) else None,
            "cards": at_end.hands[seat].count(HIDDEN),
        }
        for seat, bound in enumerate(bounds)
        if bound is not None
    ]
