r"""Two logs against each other, and a log against the states that another program made of it.

>>> import io
>>> log = (
...     b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"k",'
...     b'"ruleset":{"edition":"2022"},"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":1,"view":"public"}\n'
...     b'{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":0}\n'
... )
>>> other = log.replace(b"Ann", b"Eva")
>>> found = first_difference(io.BytesIO(log), io.BytesIO(other))
>>> found.key, found.values
('players[0].name', ('Ann', 'Eva'))
>>> states = io.BytesIO(b'{"game_id":"k","seq":1,"total":0,"draw_pile":111}')
>>> check_states(io.BytesIO(log), states).difference.key
'draw_pile'
"""

import difflib
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, cast

import msgspec

from ono_replay.check.diagnostic import Diagnostic, GameReport
from ono_replay.log.jsonl import event_keys
from ono_replay.log.lines import CutStream, LineReader, LongLine, Source
from ono_replay.log.strict import LineFault, parse_strictly
from ono_replay.replay import Replay, no_game, read_replays, state_json
from ono_replay.rules.cards import HIDDEN, merge_hand, sort_cards
from ono_replay.rules.events import Comment, Event, GameStart, RoundStart, UnknownEvent
from ono_replay.rules.ruleset import OPTIONS
from ono_replay.rules.state import State

Games = Source | Replay | Iterable[Replay]
"""The games of a log: the log itself, or replays of it."""

_ABOUT_THE_FILE = ("at_ms", "meta")
_ABOUT_THE_LOG = ("format", "version", "game_id", "started_at", "source", "digest")
_ABOUT_THE_VIEW = ("view", "viewer", "deck", "shuffle", "seed")
_IN_ANY_ORDER = ("cards", "hand")


class Moment(msgspec.Struct, frozen=True):
    """An event of a game and the state after it."""

    game_id: str | None
    names: tuple[str, ...]
    event: Event
    state: State | None
    """None where the rules of the game can't be read."""

    def state_json(self) -> dict[str, Any] | None:
        """Return the state as the object of schemas/SPECIFICATION.md section 12."""
        return None if self.state is None else state_json(self.game_id, self.event, self.state)


class Difference(msgspec.Struct, frozen=True):
    """Where two logs part: the first of each two belongs to the first log."""

    game: int
    """Which game of the logs, counted from 1."""
    moments: tuple[Moment | None, Moment | None]
    """The first events that differ; None where a game, or its log, has ended."""
    key: str | None = None
    """The first key that differs, with the way to it (`players[0].name`); None where one has ended."""
    values: tuple[Any, Any] = (None, None)


class CannotCompare(Exception):
    """Two logs that can not be compared; the text is a message for people."""


def first_difference(
    ours: Games,
    theirs: Games,
    *,
    game_id: str | None = None,
    everything: bool = False,
    unknown_fits: bool = False,
) -> Difference | None:
    """Return where the games of two logs first differ, None if they do not; games are compared in order.

    Logs are paths (`-` is standard input), binary files or replays; with `game_id` only that game of each is compared.

    Effective events are compared, as what happened: not their numbers and times, `meta`, comments, ids of games
    and what wrote the log; the cards of a hand in any order; a ruleset by what it means. With `everything` all but
    the numbers counts. With `unknown_fits` an unknown card is like any card, and decks, seeds and views do not
    count: a log is like its redacted view.

    Raises `CannotCompare` where a log has no such game, or neither has any, and `log.lines.Unreadable`.
    """
    if str(ours) == str(theirs) == "-":
        raise CannotCompare("only one of the logs can be standard input")
    game = 0
    for game, (one, other) in enumerate(
        zip_longest(_replays_of(ours, game_id), _replays_of(theirs, game_id)), 1
    ):
        for mine, yours in zip_longest(
            _moments(one, everything=everything), _moments(other, everything=everything)
        ):
            if mine is None or yours is None:
                return Difference(game, (mine, yours))
            found = _first_unlike(
                _keys(mine, everything=everything, views=not unknown_fits),
                _keys(yours, everything=everything, views=not unknown_fits),
                "",
                unknown_fits=unknown_fits,
            )
            if found is not None:
                key, values = found
                return Difference(game, (mine, yours), key, values)
    if not game:
        raise CannotCompare("there is no game in either log")
    return None


def _replays_of(log: Games, game_id: str | None) -> Iterable[Replay]:
    """Return the replays of a log, only that of one game if it is named."""
    if isinstance(log, Replay):
        replays: Iterable[Replay] = (log,)
    elif isinstance(log, str | Path) or hasattr(log, "read"):
        replays = read_replays(cast("Source", log))
    else:
        replays = log
    if game_id is None:
        return replays
    others: list[str | None] = []
    for replay in replays:
        if replay.game_id == game_id:
            return (replay,)
        others.append(replay.game_id)
    name = log if isinstance(log, str | Path) else "one of the logs"
    raise CannotCompare(f"{name}: {no_game(game_id, others)}")


def _moments(replay: Replay | None, *, everything: bool) -> Iterator[Moment]:
    if replay is None:
        return
    names, game_id = replay.names, replay.game_id
    if replay.start is not None:
        replay.index = -1
        yield Moment(game_id, names, replay.start, replay.state)
    for event, state in zip(replay.events, replay.states, strict=True):
        if everything or not isinstance(event, Comment):
            yield Moment(game_id, names, event, state)


def _keys(moment: Moment, *, everything: bool, views: bool) -> dict[str, Any]:
    """Return what counts of an event."""
    event = moment.event
    keys = event_keys(event)
    del keys["seq"]
    if not everything:
        known = set(type(event).__struct_fields__) | {"type"}
        away = {
            *_ABOUT_THE_FILE,
            *_ABOUT_THE_LOG,
            *(() if isinstance(event, UnknownEvent) else keys.keys() - known),
        }
        keys = {key: value for key, value in keys.items() if key not in away}
        if isinstance(event, GameStart) and moment.state is not None:
            ruleset = moment.state.ruleset
            keys["ruleset"] = {name: getattr(ruleset, name) for name in OPTIONS}
    if not views:
        keys = {key: value for key, value in keys.items() if key not in _ABOUT_THE_VIEW}
    position = event.position if isinstance(event, RoundStart) else None
    if position is not None and not views and not isinstance(position.draw_pile, int):
        keys["position"] = {**keys["position"], "draw_pile": len(position.draw_pile)}
    return keys


def _first_unlike(
    ours: Any, theirs: Any, key: str, *, unknown_fits: bool
) -> tuple[str, tuple[Any, Any]] | None:
    """Return the first place in which two JSON values differ, with both values; `key` is the way so far."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in dict.fromkeys([*ours, *theirs]):
            way = f"{key}.{name}" if key else name
            found = _first_unlike(ours.get(name), theirs.get(name), way, unknown_fits=unknown_fits)
            if found is not None:
                return found
        return None
    if isinstance(ours, list | tuple) and isinstance(theirs, list | tuple):
        if key in _IN_ANY_ORDER or key.startswith(("position.hands[", "hands[")):
            return None if _same_cards(ours, theirs, unknown_fits=unknown_fits) else (key, (ours, theirs))
        if len(ours) != len(theirs):
            return key, (ours, theirs)
        for place, pair in enumerate(zip(ours, theirs, strict=True)):
            found = _first_unlike(*pair, f"{key}[{place}]", unknown_fits=unknown_fits)
            if found is not None:
                return found
        return None
    fits = unknown_fits and HIDDEN in (ours, theirs) and isinstance(ours, str) and isinstance(theirs, str)
    same = ours == theirs and isinstance(ours, bool) == isinstance(theirs, bool)
    return None if same or fits else (key, (ours, theirs))


def _same_cards(ours: Sequence[Any], theirs: Sequence[Any], *, unknown_fits: bool) -> bool:
    try:
        hands = sort_cards(ours), sort_cards(theirs)
    except (KeyError, TypeError):
        return False
    return merge_hand(*hands) is not None if unknown_fits else hands[0] == hands[1]


_WHICH = ("game_id", "seq")
"""Keys of a state that say which it is."""
KEYS = (
    "game_id", "seq", "type", "round", "total", "direction", "turn", "plays_due", "second", "draws_due", "hands",
    "out", "draw_pile", "discard_pile", "chips", "scores",
)  # fmt: skip
"""The keys of a state as `replay.state_json` makes it."""


def nearest_key(key: str) -> str | None:
    """Return the key of a state that another key may be meant for.

    >>> nearest_key("totl"), nearest_key("mood")
    ('total', None)
    """
    return next(iter(difflib.get_close_matches(key, KEYS, 1, 0.7)), None)


def tell_unknown(keys: Sequence[str]) -> str:
    """Return a text for people: keys that no state has, and which may be meant.

    >>> tell_unknown(["totl", "mood"])
    'not compared, no state has them: totl, mood (did you mean total?)'
    """
    meant = ", ".join(dict.fromkeys(near for near in map(nearest_key, keys) if near is not None))
    told = f"not compared, no state has them: {', '.join(keys)}"
    return f"{told} (did you mean {meant}?)" if meant else told


class BadStates(Exception):
    """States that can not be read, or of which nothing can be compared; the text is a message for people."""


class StateDifference(msgspec.Struct, frozen=True):
    """The first state that is not like ours."""

    line: int
    """The line of the other program's states."""
    game_id: str | None
    seq: int
    key: str | None
    """The first key that differs; None where the log has no state there."""
    values: tuple[Any, Any] = (None, None)
    """Ours and theirs."""
    moment: Moment | None = None
    """The event and our state."""


class StatesCheck(msgspec.Struct):
    """What came out of comparing."""

    compared: int = 0
    """States that were compared."""
    difference: StateDifference | None = None
    values: int = 0
    """Values that were compared, beside those that say which state it is."""
    unknown_keys: list[str] = []
    """Keys that no state has, in the order met."""
    errors: list[Diagnostic] = []
    """The first error of each game that has one: its states are compared up to there."""
    left_out: int = 0
    """States behind an error."""


def check_states(log: Source, states: Source, *, unknown_fits: bool = False) -> StatesCheck:
    """Compare states that another program made of a log with ours, up to the first difference.

    `states` is JSON Lines, each an object with `seq`, `game_id` (may be missing where the log has one game) and any
    of the keys of schemas/SPECIFICATION.md section 12, the games in the order of the log. With `unknown_fits`
    an unknown card is like any card. Raises `BadStates` for what is no such object, and where nothing was compared as
    there are no states, or none has a key of ours; `log.lines.Unreadable`.
    """
    if str(log) == str(states) == "-":
        raise BadStates("only one of the log and the states can be standard input")
    result = StatesCheck()
    games = _Games(log)
    for line, keys in _read_states(states):
        game_id, seq = keys.get("game_id"), keys.get("seq")
        if type(seq) is not int:
            raise BadStates(f"line {line}: a state needs an integer `seq`")
        if not isinstance(game_id, str | None):
            raise BadStates(f"line {line}: `game_id` must be a string")
        replay = games.only(line) if "game_id" not in keys else games.find(game_id, line)
        if replay is None:
            result.difference = StateDifference(line, game_id, seq, None)
            return result
        error = next((one for one in replay.report.diagnostics if one.severity == "error"), None)
        if error is not None and error not in result.errors:
            result.errors.append(error)
        if error is not None and seq >= _seq_of(error, replay.report):
            result.left_out += 1
            continue
        result.difference = _compare_state(replay, line, seq, keys, result, unknown_fits=unknown_fits)
        if result.difference is not None:
            return result
        result.compared += 1
    if not result.values and not result.errors:
        raise BadStates(_why_nothing(result))
    return result


def _why_nothing(result: StatesCheck) -> str:
    if not result.compared:
        return "there are no states in it"
    only = "its states have only `seq` and `game_id`"
    return f"nothing was compared; {tell_unknown(result.unknown_keys) if result.unknown_keys else only}"


def _seq_of(error: Diagnostic, report: GameReport) -> int:
    """Return the number of the event that an error is at; of a line that can't be read, what it should have."""
    return error.seq if error.seq is not None else (error.line or report.line) - report.line


def _compare_state(
    replay: Replay, line: int, seq: int, keys: dict[str, Any], result: StatesCheck, *, unknown_fits: bool
) -> StateDifference | None:
    try:
        state = replay.seek(seq)
    except KeyError:
        return StateDifference(line, replay.game_id, seq, None)
    event = replay.event
    if event is None:
        return StateDifference(line, replay.game_id, seq, None)
    moment = Moment(replay.game_id, replay.names, event, state)
    ours = state_json(replay.game_id, event, state)
    result.values += sum(key in ours and key not in _WHICH for key in keys)
    result.unknown_keys += [key for key in keys if key not in ours and key not in result.unknown_keys]
    for key in ours:
        if key not in keys:
            continue
        found = _first_unlike(ours[key], keys[key], key, unknown_fits=unknown_fits)
        if found is not None:
            return StateDifference(line, replay.game_id, seq, found[0], found[1], moment)
    return None


class _Games:
    """The games of a log, looked for in order."""

    def __init__(self, log: Source) -> None:
        self._replays = read_replays(log)
        self._now: Replay | None = None
        self._only: Replay | None = None
        self._passed: set[int] = set()

    def find(self, game_id: str | None, line: int) -> Replay | None:
        while self._now is None or self._now.game_id != game_id:
            if hash(game_id) in self._passed:
                raise BadStates(f"line {line}: the games do not come in the order of the log")
            if self._now is not None:
                self._passed.add(hash(self._now.game_id))
            self._now = next(self._replays, None)
            if self._now is None:
                return None
        return self._now

    def only(self, line: int) -> Replay | None:
        if self._only is None:
            self._only = self._now = next(self._replays, None)
            if self._only is None:
                return None
            if next(self._replays, None) is not None:
                raise BadStates(f"line {line}: the log has several games: a state needs a `game_id`")
        return self._only


def _read_states(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    for line in LineReader(source):
        if isinstance(line, CutStream):
            raise BadStates(line.message)
        if isinstance(line, LongLine):
            raise BadStates(f"line {line.number}: longer than 1 MiB")
        found = parse_strictly(line.raw)
        if isinstance(found, LineFault):
            raise BadStates(f"line {line.number}: no state: {found.message}")
        yield line.number, found.keys
