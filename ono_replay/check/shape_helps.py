"""What to do about a key that is missing or has a wrong value: advice that fits the key and what it needs."""

import re
from typing import Any, Final

from ono_replay.log.values import guess

_MISSING: Final = {
    "seq": "Number the events of a game: 0 for `game_start`, then one more for each.",
    "type": "Say what kind of event it is: `play`, `draw`, `deal` and so on.",
    "seat": "Say whose event it is: the number of the seat, from 0.",
    "card": 'Add the card as a token, like "7" or "reverse"; a draw nobody saw is "?".',
    "cards": 'Add the cards as an array of tokens; one that nobody saw is "?".',
    "total": "Add the total after this card, as the table counted it.",
    "count": "Add how many cards the new draw pile has.",
    "format": 'A log begins with "format":"ono-log".',
    "version": 'Add the version of the format: "1.0".',
    "game_id": "Give the game an id of 1 to 128 characters that no other game has.",
    "ruleset": 'Name the edition that is played: "ruleset":{"edition":"2022"}, or "1980".',
    "players": 'Name the players in the order of seats: "players":[{"name":"Ann"},{"name":"Bo"}].',
    "name": 'Give every player a name; it may be empty: "name":"".',
    "dealer": 'Add the seat that deals; where nobody knows it, "dealer":null.',
    "starter": "Add the seat that acts first in this round.",
    "view": 'Say what the log shows: "full" for all cards, "public" where hands are not known, or "seat".',
    "viewer": 'A log with "view":"seat" names the seat whose cards it shows.',
    "round": "Number the rounds: 1 for the first, then one more for each.",
    "winner": "Add the seat that won the round; null where several are still in.",
    "loser": "Add the seat that was eliminated first; null if none was.",
    "winners": 'Add the seats that won, in ascending order; for an abandoned game "winners":[].',
    "text": "Add the words of the comment.",
    "to": "Add the `seq` of the event to go back to.",
}
_REASONS: Final = {
    "eliminate": '"no_legal_play", "left" or "timeout"',
    "game_end": '"completed" or "abandoned"',
}
_EXPECTED: Final = (
    (
        re.compile("array of integers or null"),
        "Write one entry for each seat, in the order of seats: [3,2,null].",
    ),
    (re.compile("^an array of .*(each|by) seat"), "Write one entry for each seat, in the order of seats."),
    (re.compile("array of seats"), "Write the numbers of the seats in brackets: [0,2]."),
    (re.compile("ascending"), "Sort the seats, lowest first, each once: [0,2]."),
    (re.compile("array of card"), 'Write the cards as texts in brackets: ["7","reverse","?"].'),
    (re.compile("array of players"), 'Write an object for each player: [{"name":"Ann"},{"name":"Bo"}].'),
    (re.compile("seat or null"), "Write the number of the seat without quotes, or null."),
    (re.compile("integer|^a seat"), "Write it in plain digits: no quotes, no point, no exponent, no null."),
    (re.compile("known card"), "Write the card that was played; everyone at the table saw it."),
    (re.compile("card token"), 'Write the card as a text in quotes: "7", "-10", "reverse".'),
    (re.compile("^true, or"), "Write true without quotes, or leave the key out."),
    (re.compile("^left out"), "Leave the key out."),
    (re.compile("^true or false"), "Write true or false, without quotes."),
    (re.compile("an object"), "Write an object in braces, with its keys in quotes."),
    (
        re.compile("RFC 3339"),
        "Write date and time with a T between them and a zone at the end: Z, or like +01:00.",
    ),
    (re.compile("version like"), "Write the version as a text of two numbers with a point between them."),
    (re.compile("of 1 to 128"), "Write a text in quotes, neither empty nor longer than 128 characters."),
    (re.compile("a string"), "Write a text in quotes."),
)
"""The first that fits what is expected says what to write; more particular ones stand before the others."""
_CHOICE: Final = re.compile(r'"([^"]*)"')


def help_for_shape(code: str, key: str, expected: Any, actual: Any, event_type: Any = None) -> str | None:
    """Return what to do about an ONO106 or ONO107 at a key, None where no more than the catalogue can be said.

    >>> help_for_shape("ONO106", "seq", "seq", None)
    'Number the events of a game: 0 for `game_start`, then one more for each.'
    >>> help_for_shape("ONO107", "reason", '"no_legal_play" or "left" or "timeout"', "no legal play")
    'Write one of "no_legal_play", "left" and "timeout"; "no_legal_play" may be meant.'
    """
    if code == "ONO106":
        name = key.rpartition(".")[2]
        if name == "reason" and event_type in _REASONS:
            return f"Say why: {_REASONS[event_type]}."
        return _MISSING.get(name, f"Add the key `{name}` with its value.")
    if code != "ONO107" or not isinstance(expected, str):
        return None
    choices = _CHOICE.findall(expected)
    if expected.startswith('"') and len(choices) > 1:
        meant = guess(actual, tuple(choices)) if isinstance(actual, str) else None
        shown = [f'"{choice}"' for choice in choices]
        advice = f"Write one of {', '.join(shown[:-1])} and {shown[-1]}"
        return f'{advice}; "{meant}" may be meant.' if meant else f"{advice}."
    return next((advice for form, advice in _EXPECTED if form.search(expected)), None)
