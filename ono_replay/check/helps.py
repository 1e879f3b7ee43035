"""What to do about a broken rule: one or two sentences for a person who has the log before them."""

from typing import Any

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.rules.events import Deal, Eliminate, Event, RoundStart
from ono_replay.rules.violation import Violation

LOOKS_LIKE_ARRAY = (
    "This looks like a JSON array; a log has one object a line, with no brackets or commas around them."
)
"""What helps where a file begins with `[`."""
_LET_STAND = 'If the table let it stand, mark the line with "irregular":true.'
_MAY_STAND = frozenset(
    f"ONO{number}" for number in (301, 303, 304, 305, 306, 308, 309, 312, 313, 316, 317, 319, 401)
)
"""What happens at real tables and is let stand there."""

_HELPS: dict[tuple[str, str], str] = {
    (
        "ONO106",
        "chips",
    ): "In a chips match `round_end` has `chips`: an array by seat, null for who is out of the match.",
    (
        "ONO106",
        "points",
    ): "In a points match `round_end` has `points`, those of this round: an array by seat.",
    (
        "ONO106",
        "scores",
    ): "In a points match `round_end` has `scores`, those after this round: an array by seat.",
    ("ONO107", "round"): "Rounds are numbered from 1 without a gap.",
    (
        "ONO107",
        "deck",
    ): "`deck` is the whole shuffled deck, top card first, the cards that are dealt included.",
    (
        "ONO202",
        "gap",
    ): "Put the missing lines back. Rule faults that follow in this round may come from them.",
    ("ONO202", "odd"): "Correct the number; every event has the number of the one before plus one.",
    ("ONO202", "repeated"): "Take one of the two out; it has been ignored here.",
    ("ONO202", "swapped"): "Swap the two lines; here they were read in the order of `seq`.",
    ("ONO204", "before_round"): "A `round_start` must come first.",
    ("ONO204", "dealing"): "Write one `deal` for each player in the match first.",
    ("ONO204", "round_over"): "Write the `round_end` of the round that is over before this line.",
    ("ONO204", "match_over"): "Only `game_end` can follow.",
    (
        "ONO204",
        "ended",
    ): "After `game_end` only `comment` and `undo` may stand; an `undo` can take the end back.",
    ("ONO204", "round_end_missing"): "Write the `round_end` before the `game_end`.",
    ("ONO207", "dealing"): 'Write a `deal` for each player in the match first; unknown cards are "?".',
    ("ONO207", "twice"): "Take one of the two deals out, or correct its seat.",
    ("ONO301", ""): "Is a card missing before this line, or a reverse or a pair card overlooked?",
    ("ONO302", ""): "Check the card and the seat, and what this seat drew before.",
    ("ONO303", ""): "If the player was out, write `eliminate` instead.",
    ("ONO305", ""): "Check the order of the two cards.",
    ("ONO306", ""): "Correct the total; the game may go on from either number.",
    (
        "ONO308",
        "",
    ): 'Add the `draw` before this line (an unknown card is "?"), or `forfeit_draw` where it was lost.',
    ("ONO309", ""): "Take the line out, or look for a play that is missing before it.",
    ("ONO309", "other_seat"): "Correct the seat, or add the draw that is missing before it.",
    ("ONO312", "bust_draw"): "Write the `draw`.",
    ("ONO313", "not_offered"): "The option `four_ono_99` says if and how four ono_99 may be discarded.",
    ("ONO314", "nothing_due"): "A reshuffle stands right before the draw that needs it.",
    (
        "ONO314",
        "not_empty",
    ): "A reshuffle comes only when the draw pile is empty: is a draw missing before it?",
    ("ONO318", "deal"): "The first cards of `deck`, four for each player, are those that are dealt.",
    ("ONO319", "dealer"): "By `next_starter` = left_of_dealer the deal moves one seat clockwise each round.",
    ("ONO319", "gone"): "A player who is out of the match starts no round.",
    ("ONO403", "abandoned"): 'An abandoned game has no winners: write "winners":[].',
    ("ONO404", "match"): 'Write the next round. A game that was broken off ends with "reason":"abandoned".',
    (
        "ONO405",
        "round_over",
    ): "Only its `round_end` can follow. If a player was not out after all, correct that.",
    ("ONO405", "match_over"): "Only `game_end` can follow.",
    ("ONO406", "none_belong"): 'Take `chips` out, or give the ruleset "match":"chips".',
    ("ONO407", "none_belong"): "Take them out, or give the ruleset a points match.",
    (
        "ONO409",
        "none_belongs",
    ): "Take `card` out: only a player who can play nothing in a points match has one.",
    ("ONO409", "missing"): "Give the card that was played to go out as `card`.",
}
"""Where the page of the code would say more than what fits."""


def help_for(violation: Violation, event: Event, key: tuple[str, str]) -> str:
    """Return what can be done about a violation; `key` is its `messages.message_key`.

    >>> from ono_replay.rules.events import Play
    >>> help_for(Violation("ONO305"), Play(4, 1, "double_play", 7), ("ONO305", ""))
    'Check the order of the two cards. If the table let it stand, mark the line with "irregular":true.'
    """
    advice = _special(violation, event, key) or _HELPS.get(key) or CATALOGUE[violation.code].fix
    if violation.code in _MAY_STAND and not event.irregular and '"irregular"' not in advice:
        return f"{advice} {_LET_STAND}"
    return advice


def _special(violation: Violation, event: Event, key: tuple[str, str]) -> str | None:
    expected: Any = violation.expected
    if key == ("ONO204", "playing"):
        if isinstance(event, RoundStart):
            return "The `round_end` of the round before is missing."
        return "Deals stand before the first card of a round." if isinstance(event, Deal) else None
    if key == ("ONO315", "") and isinstance(expected, int) and expected > 0:
        return f'Put a `reshuffle` before the draw: "count":{expected}.'
    if key == ("ONO318", "") and expected is not None:
        return "Check the deck (top card first), and whether a draw is missing before this one."
    if key == ("ONO401", "") and isinstance(event, Eliminate):
        return "Who gave up or ran out of time is eliminated with the reason left or timeout."
    return None
