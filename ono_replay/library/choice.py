"""Which games of a library, as plain fields with plain values: for an address, a list, the `where` of a statistic.

>>> condition_of({"edition": "1980", "player": "Ann", "won": "yes"})
"(edition)::varchar = '1980' and exists (select 1 from players where players.game_id = games.game_id and (players.player)::varchar = 'Ann' and players.won)"
>>> condition_of({})
''
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from ono_replay.library.selection import BY
from ono_replay.library.store import text

NOTHING: Final = "-"
"""The value that stands for an absent one: a game without a time, or whose program is not known."""
USES: Final = {
    "played": "plays > 0",
    "fatal": "fatal > 0",
    "forced": "forced > 0",
    "deflected": "deflected > 0",
    "discarded": "discarded > 0",
}
"""What can be asked of a card: words of an address, and their condition."""
SORTS: Final = {
    "counted": "completed and not irregular",
    "unfinished": "not completed",
    "irregular": "completed and irregular",
    "let-stand": "irregular",
}
"""Sorts of games: those of the statistics, and those that are left out."""


def _like(words: str) -> str:
    found = []
    for word in words.casefold().split():
        has = f"contains(lower(game_id), {text(word)})"
        has += f" or exists (select 1 from players where players.game_id = games.game_id and contains(lower(name), {text(word)}))"
        found.append(f"({has})")
    return " and ".join(found)


def _is(sql: str, value: str) -> str:
    return f"({sql}) is null" if value == NOTHING else f"({sql})::varchar = {text(value)}"


def _some(view: str, condition: str) -> str:
    return f"exists (select 1 from {view} where {view}.game_id = games.game_id and {condition})"


def _whole(value: str) -> str:
    return value if value.isascii() and value.isdigit() and len(value) < 10 else "-1"


_PAIRS: Final = {"any": "true", "deflected": "length > 1", "survived": "survived", "fell": "not survived"}
_HIT: Final = "players.seat = pair_chains.hit"
_PASSED_ON: Final = "list_contains(pair_chains.deflected_by, players.seat)"
_OF_PAIRS: Final = {"deflected": _PASSED_ON, "survived": _HIT, "fell": _HIT}
_MOMENTS: Final[dict[str, tuple[str, Callable[[str], str], Callable[[str], str]]]] = {
    "cause": (
        "eliminations.seq",
        lambda _: "players.seat = eliminations.seat",
        lambda value: f"cause = {text(value)}",
    ),
    "set": (
        "eliminations.seq",
        lambda _: "players.seat = eliminations.set_by",
        lambda _: "reason = 'no_legal_play' and set_by is not null",
    ),
    "chain": (
        "pair_chains.start_seq",
        lambda _: "players.seat = pair_chains.started_by",
        lambda value: f"length = {_whole(value)}",
    ),
    "pairs": (
        "pair_chains.start_seq",
        lambda value: _OF_PAIRS.get(value, f"({_HIT} or {_PASSED_ON})"),
        lambda value: _PAIRS.get(value, "false"),
    ),
}
"""Fields that mean an event: its number, which player it is of, and its condition."""


def _has_event(name: str, value: str) -> str:
    seq, _, test = _MOMENTS[name]
    return _some(seq.partition(".")[0], test(value))


_OF_GAME: Final[dict[str, Callable[[str], str]]] = {
    "game": lambda value: _is("game_id", value),
    "after": lambda value: f"game_id > {text(value)}",
    "before": lambda value: f"game_id < {text(value)}",
    "q": _like,
    "verdict": lambda value: _is("verdict", value),
    "sort": lambda value: SORTS.get(value, "false"),
    "opponent": lambda value: _some("players", f"players.player = {text(value)}"),
    "cause": partial(_has_event, "cause"),
    "chain": partial(_has_event, "chain"),
    "pairs": partial(_has_event, "pairs"),
    "code": lambda value: _some("findings", f"code = {text(value)}"),
    "file": lambda value: _is("file", value),
    "reaches": lambda value: _some("rounds", f"n_plays >= {_whole(value)}"),
    "with_times": lambda _: "duration_ms is not null",
}
_OF_PLAYER: Final[dict[str, Callable[[str], str]]] = {
    "player": lambda value: _is("players.player", value),
    "seat": lambda value: _is("players.seat", value),
    "bot": lambda value: _is("players.bot", value),
    "starter": lambda value: _is("players.starter", value),
    "order": lambda value: _is("(players.seat - games.starter + games.n_players) % games.n_players", value),
    "won": lambda value: "players.won" if value == "yes" else "not players.won",
    "set": lambda _: "players.n_set + players.n_set_own > 0",
}
FIELDS: Final = frozenset({*_OF_GAME, *_OF_PLAYER, *BY, "card", "use"})
"""What can be said. Those of a player mean one and the same player."""


def moment_of(choice: Mapping[str, str]) -> str:
    """Return the number of the first event in a game that a choice is about, as an expression over `games`.

    It is of the player that the choice names, and null where the choice is about whole games.

    >>> moment_of({"cause": "bust"})
    "(select min(eliminations.seq) from eliminations where eliminations.game_id = games.game_id and cause = 'bust')"
    >>> moment_of({"edition": "1980"})
    'null'
    """
    # A chain of some length is more than any chain.
    name = next((name for name in _MOMENTS if choice.get(name)), None)
    if name is None:
        return "null"
    seq, whose, test = _MOMENTS[name]
    view = seq.partition(".")[0]
    parts = [f"{view}.game_id = games.game_id", test(choice[name])]
    of_player = [
        _OF_PLAYER[field](value)
        for field, value in choice.items()
        if field in _OF_PLAYER and field not in ("set", "won") and value
    ]
    if of_player:
        parts.append(_some("players", " and ".join([whose(choice[name]), *of_player])))
    return f"(select min({seq}) from {view} where {' and '.join(parts)})"


def _has_event_of_player(name: str, value: str) -> str:
    seq, whose, test = _MOMENTS[name]
    view = seq.partition(".")[0]
    return f"exists (select 1 from {view} where {view}.game_id = players.game_id and {whose(value)} and {test(value)})"


def condition_of(choice: Mapping[str, str]) -> str:
    """Return the condition over `games` that a choice means, empty for all games; fields of no meaning are passed over.

    What happened is meant of the player, where one is named: who fell, who started a chain, who a pair came to.
    """
    said = {name: value for name, value in choice.items() if name in FIELDS and value}
    of_player = [_OF_PLAYER[name](value) for name, value in said.items() if name in _OF_PLAYER]
    happened = [name for name in said if name in _MOMENTS and name in _OF_GAME] if of_player else []
    of_player += [_has_event_of_player(name, said[name]) for name in happened]
    parts = []
    for name, value in said.items():
        if name in happened:
            continue
        if name in _OF_GAME:
            parts.append(_OF_GAME[name](value))
        elif name in BY and name not in _OF_PLAYER:
            parts.append(_is(BY[name].sql, value))
    if of_player:
        parts.append(_some("players", " and ".join(of_player)))
    if "card" in said:
        use = USES.get(said.get("use", "played"), "false")
        parts.append(_some("card_totals", f"card = {text(said['card'])} and {use}"))
    return " and ".join(part for part in parts if part)
