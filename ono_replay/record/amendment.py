"""Mends a finished log in a new one, which names the digest of the old; the old one stays as it is.

The new log has `"amends": "sha256:…"` in the `meta` of its `game_start` and is open until it is finished again.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from msgspec import UNSET
from msgspec.structs import replace

from ono_replay.check.phrases import name_event
from ono_replay.log.jsonl import canonical, digest_of, encode_game
from ono_replay.log.reader import Game, read_games
from ono_replay.log.undo import finished
from ono_replay.record import due
from ono_replay.record.entries import parse_entry
from ono_replay.record.errors import JournalError
from ono_replay.record.journal import Journal, SyncMode
from ono_replay.record.names import lower_first, seat_meant, why_no_seat
from ono_replay.record.reading import Misread, fold, read_open_game, rules_of
from ono_replay.record.recorder import Recorder
from ono_replay.record.refusal import Refusal
from ono_replay.record.table import event_of
from ono_replay.rules.events import Event, GameEnd, GameStart, Play, RoundEnd
from ono_replay.rules.playable import total_after
from ono_replay.rules.ruleset import BadRuleset, Ruleset
from ono_replay.rules.state import State
from ono_replay.rules.transition import advance

AMENDS = "amends"
"""The key in `game_start.meta` for the digest of the log that was mended."""


class CannotAmend(JournalError):
    """A log can not be mended so; the message says why."""


def amend(
    source: str | Path | BinaryIO,
    target: str | Path,
    *,
    entries: Mapping[int, str] | None = None,
    names: Mapping[int | str, str] | None = None,
    until: int | None = None,
    mode: SyncMode = "durable",
) -> Recorder:
    """Begin a new log with what a finished one holds, mended, and return its recorder.

    `entries` maps the `seq` of an event to the entry of the table that should stand there; what follows is
    kept, with totals, chips and winners counted anew. `names` maps seats, or the
    names as they were, to names. `until` is the `seq` of the
    last event to keep. Without any of these the game is as it was, its end included: undo takes that back.

    Raises `CannotAmend` for a log that is not one whole finished game, or where what follows a changed event
    can not have followed it; `LogExists`, `log.lines.Unreadable`.

    The new log is open, without a digest, until the recorder finishes it: `finish` does, and leaving its `with` block once
    the game has ended; `close` does not.

    >>> import tempfile
    >>> from ono_replay.bundle import bundle_path
    >>> log = bundle_path("sample_logs") / "ok" / "2022-table.ono.jsonl"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mended = Path(folder, "mended.ono.jsonl")
    ...     amend(log, mended, names={0: "Anna"}).finish()
    ...     b'"name":"Anna"' in mended.read_bytes(), b'"digest":"sha256:' in mended.read_bytes()
    (True, True)
    """
    game = _read(source)
    events = finished(game.events)
    start = events[0]
    assert isinstance(start, GameStart)
    digest = _digest(source, game, events)
    try:
        ruleset = rules_of(start)
    except BadRuleset as error:
        raise CannotAmend(f"{source}: {error}") from None
    events[0] = _named(start, names or {}, digest)
    events = events[: len(events) if until is None else _place(events, until) + 1]
    mended = _mend(start, ruleset, events, entries or {})
    try:
        mended_game = read_open_game(encode_game(mended))
    except Misread as error:
        raise CannotAmend(_told(source, mended, error, changed=bool(entries))) from None
    assert mended_game is not None
    journal = Journal.create(Path(target), mode=mode)
    try:
        journal.append(encode_game(mended))
    except BaseException:
        journal.discard()
        raise
    return Recorder(mended_game, journal, None)


def _read(source: str | Path | BinaryIO) -> Game:
    games: list[Game] = []
    for game in read_games(source):
        games.append(game)
        if len(games) > 1:
            raise CannotAmend(f"{source}: there is more than one game in this log")
    if not games or games[0].start is None:
        raise CannotAmend(f"{source}: there is no game in this log")
    if games[0].faults:
        fault = games[0].faults[0]
        told = "" if fault.fault is None else f": {fault.fault.message}"
        raise CannotAmend(f"{source}: line {fault.line}{told}; `ono-replay recover` comes first")
    return games[0]


def _digest(source: object, game: Game, events: Sequence[Event]) -> str:
    """Return the digest that the old log carries, else that of its events before the end."""
    for place, event in enumerate(events):
        if isinstance(event, GameEnd):
            carried = [end.digest for end in game.events if isinstance(end, GameEnd) and end.digest]
            return carried[-1] if carried else digest_of(map(canonical, events[:place]))
    raise CannotAmend(f"{source}: the game has not ended; `ono-replay record LOG --resume` goes on with it")


def _named(start: GameStart, names: Mapping[int | str, str], digest: str) -> GameStart:
    old = [player.name for player in start.players]
    new: dict[int, str] = {}
    for word, name in names.items():
        seat = seat_meant(old, str(word))
        if seat is None:
            raise CannotAmend(lower_first(why_no_seat(old, str(word))))
        new[seat] = name
    players = tuple(
        replace(player, name=new.get(seat, player.name)) for seat, player in enumerate(start.players)
    )
    meta = {} if start.meta is UNSET else dict(start.meta)
    return replace(start, players=players, meta={**meta, AMENDS: digest})


def _place(events: Sequence[Event], seq: int) -> int:
    if not 0 <= seq < len(events):
        raise CannotAmend(f"there is no event {seq}; they are 0 to {len(events) - 1}")
    return seq


def _mend(start: GameStart, ruleset: Ruleset, events: list[Event], entries: Mapping[int, str]) -> list[Event]:
    """Return the events with some replaced, and what can be counted counted anew."""
    for seq in entries:
        _place(events, seq)
    was = fold(start, ruleset, [])
    state = was
    mended: list[Event] = []
    for event in events:
        before, was = was, advance(was, event)
        if event.seq in entries:
            event = _instead(event, entries[event.seq], start, state)
        elif entries:
            event = _counted_anew(event, before, state)
        if isinstance(event, GameEnd):
            event = replace(event, digest=None)
        mended.append(event)
        state = advance(state, event)
    return mended


def _instead(event: Event, text: str, start: GameStart, state: State) -> Event:
    names = [player.name for player in start.players]
    entry = parse_entry(text, names, state.ruleset)
    if isinstance(entry, Refusal):
        raise CannotAmend(f"{text!r} for event {event.seq}: {entry.message}")
    if entry.kind not in ("card", "four", "out", "left", "timeout", "forfeit", "comment"):
        raise CannotAmend(f"{text!r} can not stand in the place of event {event.seq}")
    if entry.seat is None:
        entry = replace(entry, seat=getattr(event, "seat", None))
    made = event_of(entry, state)
    if isinstance(made, Play) and entry.number is not None:
        made = replace(made, total=entry.number)
    return replace(made, seq=event.seq, at_ms=event.at_ms, meta=event.meta)


def _counted_anew(event: Event, before: State, state: State) -> Event:
    """Return an event with the numbers that follow from what was changed before it.

    A total that was announced wrong stays as it was announced.
    """
    if isinstance(event, Play) and event.total == total_after(before.ruleset, before.total, event.card):
        return replace(event, total=total_after(state.ruleset, state.total, event.card))
    if isinstance(event, RoundEnd):
        right = due.round_end(state, event.points, None)
        return replace(event, winner=right.winner, loser=right.loser, chips=right.chips, scores=right.scores)
    if isinstance(event, GameEnd) and event.reason == "completed":
        return replace(event, winners=due.game_end(state).winners)
    return event


def _told(source: object, events: Sequence[Event], error: Misread, *, changed: bool) -> str:
    event = events[error.line - 1]
    start = events[0]
    names = [player.name for player in start.players] if isinstance(start, GameStart) else []
    what = f"{source}: event {event.seq} ({name_event(event, names)}): {error.what}"
    if changed:
        return f"{what}\n  This can not have followed. Keep only what was before it, and go on by hand (--until {event.seq - 1})."
    return f"{what}\n  Say what should stand there (--replace {event.seq}=ENTRY), or keep what was before it (--until {event.seq - 1})."
