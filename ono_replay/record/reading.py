"""An open log read back from disk, line by line, to go on with it: all of it is right, or its place is told."""

import msgspec

from ono_replay.check.messages import describe
from ono_replay.log.jsonl import LineFault, RawObject, event_keys, parse_line
from ono_replay.log.shape import Context, ShapeFault, check_shape, context_of, quick_ok
from ono_replay.record.history import History
from ono_replay.rules.events import Event, GameEnd, GameStart, Undo
from ono_replay.rules.legality import why_illegal
from ono_replay.rules.ruleset import BadRuleset, Ruleset, check_player_count, make_ruleset
from ono_replay.rules.state import State, first_state
from ono_replay.rules.transition import advance

FIRST_BYTES = b'{"seq":0,"type":"game_start","format":"ono-log",'
"""How the log of a recorder begins."""


class Misread(Exception):
    """A line that does not go on with the log."""

    def __init__(self, line: int, offset: int, what: str) -> None:
        """Keep the place: the line from 1, the byte from 0."""
        super().__init__(what)
        self.line, self.offset, self.what = line, offset, what


class OpenGame(msgspec.Struct):
    """What an open log holds."""

    start: GameStart
    ruleset: Ruleset
    context: Context
    history: History
    state: State

    @property
    def is_finished(self) -> bool:
        """Whether the log was finished: its end carries a digest."""
        return any(isinstance(event, GameEnd) and event.digest for event in self.history.standing())


def parse_event(line: bytes, context: Context | None) -> Event | LineFault | ShapeFault:
    """Return the event of a line, or the first fault of its shape.

    >>> parse_event(b'{"seq":5,"type":"draw","seat":2,"card":"?"}', Context(2, "public")).code
    'ONO206'
    """
    parsed = parse_line(line)
    if isinstance(parsed, LineFault):
        return parsed
    if isinstance(parsed, RawObject):
        keys = parsed.keys
    elif not isinstance(parsed, GameStart) and quick_ok(parsed, context):
        return parsed
    else:
        keys = event_keys(parsed)
    shape = check_shape(keys, context)
    newer = shape.fault is not None and shape.fault.code == "ONO105" and context is not None and context.minor
    if shape.fault is not None and not newer:
        return shape.fault
    assert shape.event is not None
    return shape.event


def rules_of(start: GameStart) -> Ruleset:
    """Return the ruleset of a game that may be recorded; raise `BadRuleset`."""
    ruleset = make_ruleset(start.ruleset)
    check_player_count(ruleset, len(start.players))
    return ruleset


def fold(start: GameStart, ruleset: Ruleset, events: list[Event]) -> State:
    """Return the state after events that stand."""
    state = first_state(ruleset, len(start.players))
    for event in events:
        state = advance(state, event)
    return state


def read_open_game(data: bytes) -> OpenGame | None:
    """Return the game of an open log given its whole lines, None if there is no line; raise `Misread`."""
    game: OpenGame | None = None
    offset = 0
    for number, raw in enumerate(data.split(b"\n")[:-1], 1):
        line = raw.removeprefix(b"\xef\xbb\xbf").removesuffix(b"\r")
        if line and not line.isspace():
            try:
                game = _take(game, line)
            except (ValueError, BadRuleset) as error:
                raise Misread(number, offset, str(error)) from None
        offset += len(raw) + 1
    return game


def is_next_line(game: OpenGame | None, line: bytes) -> bool:
    """Whether a line that lacks its newline is whole and goes on with the log."""
    if game is None:
        return isinstance(parse_event(line, None), GameStart)
    event = parse_event(line, game.context)
    return isinstance(event, Event) and event.seq == len(game.history)


def _take(game: OpenGame | None, line: bytes) -> OpenGame:
    event = parse_event(line, game.context if game else None)
    if not isinstance(event, Event):
        raise ValueError(f"{event.code}: {event.message}")
    if game is None:
        return _begin(event)
    if isinstance(event, GameStart):
        raise ValueError("a second game begins here; a recorder goes on with logs of one game")
    history = game.history
    if event.seq != len(history):
        raise ValueError(f"ONO202: seq is {event.seq}, not {len(history)}")
    if isinstance(event, Undo):
        if not 0 <= event.to < event.seq:
            raise ValueError(f"ONO209: there is no event {event.to} to go back to")
        history.add(event)
        game.state = fold(game.start, game.ruleset, history.standing())
        return game
    violation = why_illegal(game.state, event)
    if violation is not None and not (event.irregular and may_stand(violation.code)):
        message, _ = describe(violation, event, [player.name for player in game.start.players])
        raise ValueError(f"{violation.code}: {message}")
    history.add(event)
    game.state = advance(game.state, event)
    return game


def may_stand(code: str) -> bool:
    """Whether what a code stands for may be let stand at the table."""
    return code[3] in "34"


def _begin(event: Event) -> OpenGame:
    if not isinstance(event, GameStart) or event.seq:
        raise ValueError("a log begins with its game_start, seq 0")
    ruleset = rules_of(event)
    history = History()
    history.add(event)
    context = context_of(event_keys(event))
    return OpenGame(event, ruleset, context, history, fold(event, ruleset, []))
