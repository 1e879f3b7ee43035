"""What a library is worth: games that are there twice, and how good its sources are."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ono_replay.library.store import Library

MOST_ALIKE = 100
"""Games that begin alike and are compared each with each."""

_SAME = """
select list(game_id order by game_id) as ids from games group by play_hash having count(*) > 1 order by ids
"""
_ALIKE = """
with first_of as (select play_hash, min(game_id) as game_id from games group by play_hash),
     distinct_games as (select game_id, table_hash, head_hash, n_plays from games join first_of using (game_id))
select list({'game_id': game_id, 'table_hash': table_hash, 'n_plays': n_plays} order by n_plays, game_id) as games
from distinct_games where head_hash is not null group by head_hash having count(*) > 1 order by min(game_id)
"""
_PLAYS = """
select game_id, list((seat, card, total, round) order by seq) as plays
from decisions where list_contains($ids, game_id) group by game_id
"""


class Likeness(NamedTuple):
    """Two games that may be one."""

    kind: str
    """`same`: all that was played is equal; `shown`: equal but for the cards that one of them hides;
    `beginning`: the first is the beginning of the other."""
    game_id: str
    other: str


def find_duplicates(folder: str | Path) -> list[Likeness]:
    """Return the games that are in a library twice under several ids, and those that are nearly.

    Names, comments, times and the order of keys play no part. Games that begin alike are found from ten plays on.
    Raises `LibraryFault`.

    >>> import tempfile
    >>> from ono_replay.bundle import bundle_path
    >>> from ono_replay.library.importing import import_logs
    >>> log = bundle_path("sample_logs") / "ok" / "2022-online.ono.jsonl"
    >>> with tempfile.TemporaryDirectory() as at:
    ...     for prefix in ("", "club-"):
    ...         _ = import_logs(log, f"{at}/games", prefix=prefix, jobs=1)
    ...     find_duplicates(f"{at}/games")
    [Likeness(kind='same', game_id='2022-online', other='club-2022-online')]
    """
    found: list[Likeness] = []
    with Library(folder) as library:
        for row in library.query(_SAME).to_pylist():
            first, *others = row["ids"]
            found += [Likeness("same", first, other) for other in others]
        for row in library.query(_ALIKE).to_pylist():
            found += _compare(library, row["games"][:MOST_ALIKE])
    return sorted(found, key=lambda likeness: (likeness.game_id, likeness.other))


def _compare(library: Library, games: list[dict[str, Any]]) -> Iterator[Likeness]:
    answer = library.query(_PLAYS, {"ids": [game["game_id"] for game in games]}).to_pylist()
    plays = {row["game_id"]: row["plays"] for row in answer}
    for place, less in enumerate(games):
        for more in games[place + 1 :]:
            first, second = plays[less["game_id"]], plays[more["game_id"]]
            if less["table_hash"] == more["table_hash"]:
                yield Likeness("shown", less["game_id"], more["game_id"])
            elif second[: len(first)] == first:
                yield Likeness("beginning", less["game_id"], more["game_id"])


class SourceQuality(NamedTuple):
    """How good the games of one file are."""

    file: str
    games: int
    """In the library or in quarantine."""
    valid: int
    unfinished: int
    invalid: int
    forks: int
    irregular: int
    warnings: int
    unverified: int
    """Checks that unknown cards kept from being made."""
    unverified_share: float | None
    """Of the games let in, those with such a check."""
    codes: dict[str, int]
    """How many games each code of an error or a warning was given to."""


_GAMES = """
select file, count(*)::int as games, count(*) filter (verdict = 'valid')::int as valid,
       count(*) filter (verdict = 'unfinished')::int as unfinished, count(*) filter (irregular)::int as irregular,
       sum(warnings)::bigint as warnings, sum(unverified)::bigint as unverified,
       count(*) filter (unverified > 0) / count(*) as unverified_share
from games group by file
"""
_REFUSED = """
select file, count(*) filter (why = 'invalid')::int as invalid, count(*) filter (why = 'fork')::int as forks
from quarantine group by file
"""
_CODES = """
select file, code, sum(n)::int as n from (
    select file, code, count(*) as n from findings join games using (game_id) group by all
    union all
    select file, code, count(*) as n from (select file, unnest(codes) as code from quarantine) group by all
) group by file, code order by file, code
"""


def quality(folder: str | Path) -> list[SourceQuality]:
    """Return for each imported file how good its games are, in the order of the names; raises `LibraryFault`."""
    rows: dict[str, dict[str, Any]] = defaultdict(
        lambda: {"valid": 0, "unfinished": 0, "irregular": 0, "warnings": 0, "unverified": 0, "games": 0}
    )
    with Library(folder) as library:
        for query in (_GAMES, _REFUSED):
            for row in library.query(query).to_pylist():
                rows[row["file"]] |= row
        for row in library.query(_CODES).to_pylist():
            rows[row["file"]].setdefault("codes", {})[row["code"]] = row["n"]
    return [_quality_of(file, row) for file, row in sorted(rows.items())]


def _quality_of(file: str, row: dict[str, Any]) -> SourceQuality:
    invalid, forks = row.get("invalid", 0), row.get("forks", 0)
    return SourceQuality(
        file=file,
        games=row["games"] + invalid + forks,
        valid=row["valid"],
        unfinished=row["unfinished"],
        invalid=invalid,
        forks=forks,
        irregular=row["irregular"],
        warnings=row["warnings"],
        unverified=row["unverified"],
        unverified_share=row.get("unverified_share"),
        codes=row.get("codes", {}),
    )
