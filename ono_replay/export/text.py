"""A game as plain text: one line a turn, made to be read aloud."""

from collections.abc import Iterator, Sequence

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.check.phrases import ended
from ono_replay.check.printable import printable
from ono_replay.export.course import Step, Turn, steps_of, turns_of
from ono_replay.export.payload import NotShowable
from ono_replay.export.wording import Sentence, figure, say, say_verdict
from ono_replay.replay import Replay
from ono_replay.rules.events import GameStart, RoundEnd

_VIEWS = {"full": "all cards are known", "public": "only what everyone could see"}


def transcript(replay: Replay) -> Iterator[str]:
    """Yield the lines of a game's transcript, without newlines; `[7]` stands before what event 7 was.

    Names are shown with control and bidirectional characters escaped. Raises `NotShowable` for a game whose
    rules or players can't be read.
    """
    start, first = replay.start, replay.first_state
    if start is None or first is None:
        raise NotShowable("its game_start can not be read: the players or the rules are not known")
    steps = steps_of(first, [(start, first), *zip(replay.events, replay.states, strict=True)])
    names = _names(replay.names)
    found: dict[int | None, list[Diagnostic]] = {}
    for finding in replay.report.diagnostics:
        found.setdefault(finding.seq, []).append(finding)
    yield from _head(steps[0], start, replay)
    yield from map(_finding, found.get(start.seq, ()))
    turns = turns_of(steps)
    for place, turn in enumerate(turns):
        end = turns[place + 1].first if place + 1 < len(turns) else len(steps)
        yield from _turn(turn, steps[max(turn.first, 1) : end], names, found)
    numbers = {step.event.seq for step in steps}
    rest = [finding for seq, findings in found.items() if seq not in numbers for finding in findings]
    if rest:
        yield ""
        yield from map(_finding, rest)


def _names(names: Sequence[str]) -> list[str]:
    shown = [printable(name).strip() for name in names]
    return [
        name if name and shown.count(name) == 1 else f"{name or 'a player'} in seat {seat}"
        for seat, name in enumerate(shown)
    ]


def _head(step: Step, start: GameStart, replay: Replay) -> Iterator[str]:
    yield f"{_text(say(step), ())}."
    yield "In brackets stand the numbers of the events."
    yield f"Game {printable(start.game_id)}."
    known = _VIEWS.get(start.view) or f"only what seat {start.viewer} could see"
    yield f"Known: {known}."
    seats = ", ".join(f"seat {seat} {printable(name)}" for seat, name in enumerate(replay.names))
    yield f"Players, clockwise: {seats}."
    yield say_verdict(replay.report, replay.events)


def _turn(
    turn: Turn, steps: Sequence[Step], names: Sequence[str], found: dict[int | None, list[Diagnostic]]
) -> Iterator[str]:
    if turn.seat is None and steps and steps[0].event.type == "round_start":
        yield ""
    lead = "" if turn.number is None else f"Turn {turn.number}. "
    sentences = []
    for number, step in enumerate(steps):
        said = say(step)
        if number and turn.seat is not None and said[:1] == [turn.seat]:
            # The player was named at the turn's beginning.
            said = [_capital(str(said[1]).lstrip()), *said[2:]]
        stood = " This was let stand." if step.event.irregular else ""
        sentences.append(f"[{step.event.seq}] {_text(said, names)}.{stood}")
    if sentences:
        yield lead + " ".join(sentences)
    for step in steps:
        yield from map(_finding, found.get(step.event.seq, ()))
        if isinstance(step.event, RoundEnd):
            yield from _standing(step.event, names)


def _standing(event: RoundEnd, names: Sequence[str]) -> Iterator[str]:
    for held, one, many in ((event.chips, "chip", "chips"), (event.scores, "point", "points")):
        if held is not None:
            each = (
                f"{name} {'is out of the match' if count is None else f'{figure(count)} {one if count == 1 else many}'}"
                for name, count in zip(names, held, strict=False)
            )
            yield f"Standing: {', '.join(each)}."


def _finding(finding: Diagnostic) -> str:
    return f"  {finding.severity.capitalize()} {finding.code}: {ended(printable(finding.message))}"


def _text(said: Sentence, names: Sequence[str]) -> str:
    return "".join(
        printable(part) if isinstance(part, str) else names[part] if part < len(names) else f"seat {part}"
        for part in said
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
