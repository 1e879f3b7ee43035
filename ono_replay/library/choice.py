"""Which games of a library, as plain fields with plain values: for an address, a list, the `where` of a statistic.

>>> condition_of({"edition": "1980", "player": "Ann", "won": "yes"})
"(edition)::varchar = '1980' and exists (select 1 from players where players.game_id = games.game_id and (players.player)::varchar = 'Ann' and players.won)"
>>> condition_of({})
''
"""

from collections.abc import Callable, Mapping
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
_OF_GAME: Final[dict[str, Callable[[str], str]]] = {
    "game": lambda value: _is("game_id", value),
    "after": lambda value: f"game_id > {text(value)}",
    "before": lambda value: f"game_id < {text(value)}",
    "q": _like,
    "verdict": lambda value: _is("verdict", value),
    "sort": lambda value: SORTS.get(value, "false"),
    "opponent": lambda value: _some("players", f"players.player = {text(value)}"),
    "cause": lambda value: _some("eliminations", f"cause = {text(value)}"),
    "chain": lambda value: _some("pair_chains", f"length = {_whole(value)}"),
    "pairs": lambda value: _some("pair_chains", _PAIRS.get(value, "false")),
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


def condition_of(choice: Mapping[str, str]) -> str:
    """Return the condition over `games` that a choice means, empty for all games; fields of no meaning are passed over."""
    said = {name: value for name, value in choice.items() if name in FIELDS and value}
    of_player = [_OF_PLAYER[name](value) for name, value in said.items() if name in _OF_PLAYER]
    parts = []
    for name, value in said.items():
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
