r"""What if: a game from a moment of another one, as a log of its own.

>>> import io
>>> from ono_replay.replay import read_replay
>>> log = io.BytesIO(
...     b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"k",'
...     b'"ruleset":{"edition":"2022"},"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":1,"view":"public"}\n'
...     b'{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":0}\n'
...     b'{"seq":2,"type":"deal","seat":0,"cards":["?","?","?","?"]}\n'
...     b'{"seq":3,"type":"deal","seat":1,"cards":["?","?","?","?"]}\n'
...     b'{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
...     b'{"seq":5,"type":"draw","seat":0,"card":"?"}\n'
... )
>>> what_if = branch(read_replay(log), 5)
>>> [event.type for event in what_if.events], what_if.events[1].position.total
(['game_start', 'round_start'], 7)
"""

import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
from msgspec import UNSET

from ono_replay.log.jsonl import encode_game
from ono_replay.log.output import check_free, write_log
from ono_replay.log.undo import renumbered
from ono_replay.replay import NoEvent, Replay, read_replay, state_json
from ono_replay.rules.cards import HIDDEN
from ono_replay.rules.events import Event, GameStart, Position, RoundStart
from ono_replay.rules.setup import gone_at
from ono_replay.rules.state import Match, Phase, State

Loss = Literal["forfeits", "scores", "left", "ono_99_played", "last_to_play", "opening_card"]
"""What a position can not say: draws forfeited in the round; scores of players who left the match;
who left in the round and will be out of the match; that this
turn has seen an `ono_99`; who played last; that the round has still to be opened with a number card."""

_LONGEST_ID = 128


class Branch(msgspec.Struct, frozen=True):
    """A what-if game."""

    events: tuple[Event, ...]
    """`game_start`, then `round_start` with the position and what follows it, or the head of the game."""
    state: State
    """The state at its end: that of the source."""
    lost: tuple[Loss, ...] = ()
    """What mattered and could not be carried over."""


class CannotBranch(Exception):
    """There is no branch at this moment; the text says why, for people.

    `nearest` is the number of the nearest event where there is one, None if the game has none.
    """

    def __init__(self, message: str, nearest: int | None = None) -> None:
        """Keep the number of the nearest event."""
        super().__init__(message)
        self.nearest = nearest


def branch(replay: Replay, seq: int, *, game_id: str | None = None) -> Branch:
    """Return the game that begins as `replay` stood right after the event `seq`.

    It begins from that position. While draws are due, which no position can say, it begins before the card that
    made them due and goes on to `seq`; while the first round is dealt it is the head of the game. Deals and draws
    stay hidden or known as they were, and so does the order of the draw pile.

    `game_id` is that of the new game, else `<id>-branch-<seq>`. Raises `CannotBranch` where there is no such event,
    while a later round is dealt, when no round is being played, and where the log breaks the rules in a way that a
    position may not.
    """
    if game_id is not None and not 1 <= len(game_id) <= _LONGEST_ID:
        raise CannotBranch(f"an id has 1 to {_LONGEST_ID} characters")
    start = replay.start
    if start is None or replay.ruleset is None:
        raise CannotBranch("the game_start can not be read: the players or the rules are not known")
    try:
        place = replay.place_of(seq)
    except NoEvent as reason:
        raise CannotBranch(str(reason), reason.nearest) from None
    state = replay.states[place] if place >= 0 else None
    if state is None or (state.phase is Phase.DEALING and not state.match.rounds):
        began, played = -1, replay.events[: place + 1]
    else:
        began = _begin(replay, place, state)
        played = replay.events[began + 1 : place + 1]
    head: list[Event] = [_new_start(start, seq, game_id)]
    if began >= 0:
        head.append(_round_from(replay, began))
    events = renumbered(head + list(played))
    made = _checked(events, state)
    return Branch(tuple(events), made, () if state is None else tuple(_losses(state, made)))


def write_branch(
    source: str | Path | BinaryIO | Replay,
    target: str | Path,
    seq: int,
    *,
    game_id: str | None = None,
    new_id: str | None = None,
    overwrite: bool = False,
) -> Branch:
    """Write a game that goes on from a moment of another one as a log, and return it; see `branch`.

    The other one is a replay, or the first game of a log, or the one with the id `game_id`. The new log is packed as
    its name says, `-` is standard output, and one that exists stays unless `overwrite` is given. Raises
    `CannotBranch`, also where there is no such game, `Unreadable` and `Unwritable`.

    >>> import tempfile
    >>> from ono_replay.bundle import bundle_path
    >>> log = bundle_path("sample_logs") / "ok" / "2022-online.ono.jsonl"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = write_branch(log, f"{folder}/what-if.ono.jsonl", 40)
    ...     read_replay(f"{folder}/what-if.ono.jsonl").game_id, made.lost
    ('2022-online-branch-40', ())
    """
    check_free(target, overwrite=overwrite)
    try:
        replay = source if isinstance(source, Replay) else read_replay(source, game_id)
    except KeyError as reason:
        name = source if isinstance(source, str | Path) else "the log"
        raise CannotBranch(f"{name}: {reason.args[0]}") from None
    made = branch(replay, seq, game_id=new_id)
    write_log(target, made.events, overwrite=overwrite)
    return made


def _begin(replay: Replay, place: int, state: State) -> int:
    """Return the index of the event whose state the branch begins from."""
    if state.phase is not Phase.PLAYING:
        why = {
            Phase.DEALING: "the cards of the round are still being dealt",
            Phase.ROUND_OVER: "the round is over",
            Phase.MATCH_OVER: "the match is over",
            Phase.ENDED: "the game has ended",
        }.get(state.phase, "no round is being played")
        near = _nearest(replay.states, place)
        seq = None if near is None else replay.events[near].seq
        hint = (
            "nor at any other moment of this game"
            if seq is None
            else f"the nearest moment that can is after event {seq}"
        )
        raise CannotBranch(
            f"after event {replay.events[place].seq} {why}: nothing can begin there; {hint}", seq
        )
    while replay.states[place].draws_due:
        place -= 1
        if place < 0 or replay.states[place].phase is not Phase.PLAYING:
            raise CannotBranch("a card must be drawn, and the log does not tell for which play")
    return place


def _nearest(states: Sequence[State], place: int) -> int | None:
    can = [at for at, state in enumerate(states) if state.phase is Phase.PLAYING]
    return min(can, key=lambda at: (abs(at - place), at), default=None)


def _new_start(start: GameStart, seq: int, game_id: str | None) -> GameStart:
    ending = f"-branch-{seq}"
    meta = {} if start.meta is UNSET else start.meta
    return msgspec.structs.replace(
        start,
        game_id=game_id or start.game_id[: _LONGEST_ID - len(ending)] + ending,
        meta={**meta, "branch_of": {"game_id": start.game_id, "seq": seq}},
    )


def _round_from(replay: Replay, place: int) -> RoundStart:
    state = replay.states[place]
    hides = replay.start is not None and replay.start.view != "full"
    match = state.match
    stack = _stack(state)
    missing = state.discard_pile - len(state.discards)
    discards = (HIDDEN,) * missing + state.discards
    position = Position(
        total=state.total,
        direction=1 if state.direction == 1 else -1,
        turn=state.turn,
        plays_due=2 if state.plays_due == 2 else 1,
        second=state.second,
        hands=state.hands,
        out=state.out,
        draw_pile=state.draw_pile if stack is None else stack,
        discard_pile=state.discard_pile if missing < 0 or (missing and not hides) else discards,
    )
    return RoundStart(
        seq=1,
        round=state.round,
        dealer=match.dealer,
        starter=state.starter if state.starter is not None else state.turn or 0,
        position=_with_standing(position, match),
        at_ms=replay.events[place].at_ms,
    )


def _stack(state: State) -> tuple[str, ...] | None:
    """Return the order of the draw pile, None where it is not known or has more copies than there can be."""
    if state.stack is None or len(state.stack) < state.draw_pile:
        return None
    stack = state.stack[len(state.stack) - state.draw_pile :]
    left = Counter(state.ruleset.deck)
    left.subtract(card for hand in state.hands for card in hand)
    left.subtract([*state.discards, *stack])
    return None if any(count < 0 for card, count in left.items() if card != HIDDEN) else stack


def _with_standing(position: Position, match: Match) -> Position:
    """Return a position with chips and scores: null for who is out of the match and it would not be seen else."""
    position = msgspec.structs.replace(position, chips=match.chips, scores=match.scores)
    unseen = match.gone - gone_at(msgspec.structs.replace(match, gone=frozenset()), position)
    if not unseen or match.scores is None:
        return position
    scores = (None if seat in unseen else score for seat, score in enumerate(match.scores))
    return msgspec.structs.replace(position, scores=tuple(scores))


def _losses(wanted: State, made: State) -> list[Loss]:
    """Return what the branch does not know at its end and the rules would ask about."""
    ruleset = wanted.ruleset
    matters: dict[Loss, bool] = {
        "forfeits": ruleset.scores_points and wanted.forfeits != made.forfeits,
        "scores": wanted.match.scores != made.match.scores,
        "left": ruleset.match != "single" and wanted.left != made.left,
        "ono_99_played": ruleset.ono_99_on_zero and wanted.ono_99_played != made.ono_99_played,
        "last_to_play": ruleset.nobody_can_play == "last_to_play"
        and wanted.last_to_play != made.last_to_play,
        "opening_card": ruleset.opening_card == "number" and wanted.opened != made.opened,
    }
    return [loss for loss, lost in matters.items() if lost]


def _checked(events: Sequence[Event], state: State | None) -> State:
    """Return the state at the end of a branch, once it is sure that it breaks no rule and ends where it should."""
    made = read_replay(io.BytesIO(encode_game(events)))
    for found in made.report.diagnostics:
        if found.severity == "error":
            raise CannotBranch(
                f"the log breaks a rule that the branch would break, too: {found.code} {found.message}"
            )
    after = made.states[-1] if made.states else made.state
    assert after is not None
    if state is not None:
        event = events[-1]
        ours, theirs = state_json(None, event, after), state_json(None, event, state)
        wrong = [key for key, value in theirs.items() if value != ours[key] and key != "scores"]
        if wrong or after.match.gone != state.match.gone:
            named = ", ".join(wrong) or "who is in the match"
            raise CannotBranch(
                f"the log breaks the rules here, and no position is like it: {named} would differ"
            )
    return after
