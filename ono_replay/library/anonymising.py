"""A library without the names of its players: in every view, and in every log that comes out of it."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import UNSET

from ono_replay.library.chunks import Chunk
from ono_replay.library.manifest import LibraryFault, Snapshot, Writing
from ono_replay.library.rows import player_key
from ono_replay.library.stored import read_groups, read_logs
from ono_replay.library.workers import Task, Workers
from ono_replay.log.jsonl import encode_game
from ono_replay.log.undo import renumbered, with_digest
from ono_replay.rules.events import Comment, Event, GameStart, Player, RoundStart, UnknownEvent
from ono_replay.verdicts import cores

TASK_BYTES = 1 << 23
SHORTEST = 3
"""Names of fewer characters are not looked for in what is left: they are in every other word."""
_NOBODY = re.compile(r"\d+|player|game|bot")
"""Words of names that say nothing of who it is."""
_WORD = re.compile(r"\w+")


class Anonymised(msgspec.Struct):
    """What became of a library: how many players and games, and the games that may still name somebody."""

    players: int = 0
    games: int = 0
    suspects: list[str] = []
    """Ids of games whose id, seed or application still holds a name."""


def anonymise(folder: str | Path, *, jobs: int = 0) -> Anonymised:
    """Replace each player by `player N` everywhere, for good.

    Ids of players go, too, as do the texts of comments, `meta`, keys and events that the format does not know, the
    names of the files that were imported, and aliases, which are followed first. Raises `LibraryFault` while
    something is in quarantine: its bytes can not be changed.

    >>> import tempfile
    >>> from ono_replay.bundle import bundle_path
    >>> from ono_replay.library.importing import import_logs
    >>> with tempfile.TemporaryDirectory() as at:
    ...     _ = import_logs(bundle_path("sample_logs") / "ok" / "2022-online.ono.jsonl", f"{at}/games", jobs=1)
    ...     done = anonymise(f"{at}/games", jobs=1)
    >>> done.games, done.players
    (1, 4)
    """
    done = Anonymised()
    with Writing(Path(folder)) as writing, Workers(jobs or cores()) as workers:
        if writing.manifest.count("quarantine"):
            raise LibraryFault(
                f"{folder}: what is in quarantine may hold names; `ono-replay library quarantine drop --all` first"
            )
        if not writing.manifest.parts:
            return done
        number = writing.manifest.imports + 1
        old = writing.manifest.parts
        added: dict[Path, dict[str, int]] = {}
        snapshot = Snapshot(writing.folder)
        try:
            chunks = _anonymous_chunks(snapshot, done)
            for task in _tasks(chunks, writing, number):
                workers.start(task, small=sum(len(chunk.content) for chunk in task.chunks) < TASK_BYTES)
                for result in workers.done():
                    added[result.draft] = result.rows
            for result in workers.done(all_of_them=True):
                added[result.draft] = result.rows
        finally:
            snapshot.close()
        kept = sum(rows.get("games", 0) for rows in added.values())
        if kept != writing.manifest.count("games"):
            raise LibraryFault(f"{folder}: nothing was changed: some games could not be read again")
        writing.commit(add=added, drop={part.name for part in old}, imports=number, aliases={})
    return done


def _tasks(chunks: Iterator[Chunk], writing: Writing, number: int) -> Iterator[Task]:
    waiting: list[Chunk] = []
    size = 0
    for chunk in chunks:
        waiting.append(chunk)
        size += len(chunk.content)
        if size >= TASK_BYTES:
            yield Task(waiting, writing.new_draft(), number, "")
            waiting, size = [], 0
    if waiting:
        yield Task(waiting, writing.new_draft(), number, "")


def _anonymous_chunks(snapshot: Snapshot, done: Anonymised) -> Iterator[Chunk]:
    aliases = snapshot.manifest.aliases
    numbers: dict[str, int] = {}
    files: dict[str, int] = {}
    places = _places(snapshot)
    words = _all_words(snapshot)
    for game_id, events in read_logs(snapshot):
        bare = anonymous(events, numbers, aliases)
        content = encode_game(bare)
        if _names_somebody(bare, words):
            done.suspects.append(game_id)
        file, line = places[game_id]
        place = files.setdefault(file, len(files) + 1)
        yield Chunk(f"file {place}", line, content, game_id, begins_game=True)
        done.games += 1
        done.players = len(numbers)


def _places(snapshot: Snapshot) -> dict[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    for path in snapshot.paths("games"):
        for table in read_groups(path, columns=["game_id", "file", "line"]):
            for game_id, file, line in zip(*(column.to_pylist() for column in table.columns), strict=True):
                found[game_id] = (file, line)
    return found


def _all_words(snapshot: Snapshot) -> set[str]:
    """Return the words of all names and ids, without those that say nothing."""
    words: set[str] = set()
    for path in snapshot.paths("players"):
        for table in read_groups(path, columns=["name", "id"]):
            for column in table.columns:
                for name in column.unique().to_pylist():
                    words.update(_WORD.findall((name or "").casefold()))
    return {word for word in words if len(word) >= SHORTEST and not _NOBODY.fullmatch(word)}


def _names_somebody(events: list[Event], words: set[str]) -> bool:
    """Return whether the free texts that stay hold such a word: the id, seeds, the program that wrote the log."""
    left = [event.shuffle.seed or "" for event in events if isinstance(event, RoundStart) and event.shuffle]
    start = events[0]
    if isinstance(start, GameStart):
        left += [start.game_id, start.source.app if start.source is not None else ""]
    told = " ".join(left).casefold()
    return any(word in told for word in words)


def anonymous(events: list[Event], numbers: dict[str, int], aliases: Mapping[str, str]) -> list[Event]:
    """Return a game without names; `numbers` has, and is given, the number of each player.

    >>> start = GameStart(seq=0, format="ono-log", version="1.0", game_id="a", ruleset={"edition": "2022"},
    ...     players=(Player("Ann", id="a-17"), Player("Bo")), dealer=None, view="full")
    >>> [player.name for player in anonymous([start], {}, {})[0].players]
    ['player 1', 'player 2']
    """
    return with_digest(renumbered(list(_without_names(events, numbers, aliases))))


def _without_names(
    events: list[Event], numbers: dict[str, int], aliases: Mapping[str, str]
) -> Iterator[Event]:
    for event in events:
        if isinstance(event, UnknownEvent):
            continue
        bare = msgspec.structs.replace(event, meta=UNSET, extra=UNSET)
        if isinstance(bare, GameStart):
            yield msgspec.structs.replace(
                bare, players=tuple(_nobody(player, numbers, aliases) for player in bare.players)
            )
        elif isinstance(bare, Comment):
            yield msgspec.structs.replace(bare, text="")
        else:
            yield bare


def _nobody(player: Player, numbers: dict[str, int], aliases: Mapping[str, str]) -> Player:
    who = player_key(player)
    number = numbers.setdefault(aliases.get(who, who), len(numbers) + 1)
    return Player(f"player {number}", bot=player.bot)
