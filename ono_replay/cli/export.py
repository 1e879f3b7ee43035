"""`ono-replay export`: a game as a page, a picture, an animation or a transcript, to look at and to hand on."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

import typer

from ono_replay.check.printable import printable
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.lazy import add_command
from ono_replay.cli.outfile import Force
from ono_replay.cli.replay import FILE_HELP, GAME_HELP, pick_replay
from ono_replay.export.html import page_of
from ono_replay.export.payload import NotShowable, Options, build_payload
from ono_replay.export.pictures import MOST_FRAMES, gif_of, png_of
from ono_replay.export.shared import read_view
from ono_replay.export.svg import Look, picture_of
from ono_replay.export.text import transcript
from ono_replay.log.output import check_free, log_writer
from ono_replay.replay import Replay

Log = Annotated[str, typer.Argument(metavar="IN", help=FILE_HELP)]
Out = Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - is standard output.")]
Game = Annotated[str | None, typer.Option("--game", metavar="ID", help=GAME_HELP)]
Seat = Annotated[
    str | None,
    typer.Option(
        "--seat", metavar="SEAT", help="Only what this seat, a number or a name, could see; no more is in it."
    ),
]
Public = Annotated[bool, typer.Option("--public", help="Only what everyone could see; the rest is left out.")]
Seq = Annotated[
    int | None, typer.Option("--seq", metavar="N", min=0, help="Right after event N; else the last.")
]
Theme = Annotated[Literal["light", "dark"], typer.Option("--theme", help="The ground and its colours.")]
Width = Annotated[int, typer.Option("--width", metavar="PIXELS", min=200, max=4000, help="How wide it is.")]
Made = TypeVar("Made")

app: Final = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Make a page, a picture, an animation or a transcript of a game.",
)


def html_command(
    log: Log,
    out: Out,
    game: Game = None,
    seat: Seat = None,
    public: Public = False,
    seq: Annotated[int | None, typer.Option("--seq", metavar="N", min=0, help="Opens at event N.")] = None,
    force: Force = False,
) -> None:
    """Make one HTML page to step through a game; it opens from disk and asks nothing of anyone.

    With --seat or --public the cards that this view hides are not in the page at all.

    Examples:
        ono-replay export html game.ono.jsonl game.html
        ono-replay export html games.jsonl.gz kitchen.html --game kitchen-7 --seat 2
    """
    check_free(out, overwrite=force)
    replay = _read(log, game, seat, public=public)
    if seq is not None:
        _place_of(replay, seq)
    known = Path(log).name if seat is None and not public and log != "-" else None
    _write(
        out,
        page_of(
            _shown(lambda: build_payload(replay, Options(event=seq, seat=_viewer(replay, seat), log=known)))
        ).encode(),
    )


def svg_command(
    log: Log,
    out: Out,
    game: Game = None,
    seq: Seq = None,
    seat: Seat = None,
    public: Public = False,
    theme: Theme = "light",
    force: Force = False,
) -> None:
    """Make an SVG picture of the table after an event.

    Examples:
        ono-replay export svg game.ono.jsonl moment.svg --seq 40
        ono-replay export svg game.ono.jsonl - --seat 1 --theme dark
    """
    check_free(out, overwrite=force)
    replay = _read(log, game, seat, public=public)
    (picture,) = _pictures(replay, [_event(replay, seq)], seat, theme)
    _write(out, picture.encode())


def png_command(
    log: Log,
    out: Out,
    game: Game = None,
    seq: Seq = None,
    seat: Seat = None,
    public: Public = False,
    theme: Theme = "light",
    width: Width = 1200,
    force: Force = False,
) -> None:
    """Make a PNG picture of the table after an event.

    Needs the extra `pictures`.

    Examples:
        ono-replay export png game.ono.jsonl moment.png --seq 40
        ono-replay export png game.ono.jsonl end.png --theme dark --width 2400
    """
    check_free(out, overwrite=force)
    replay = _read(log, game, seat, public=public)
    (picture,) = _pictures(replay, [_event(replay, seq)], seat, theme)
    _write(out, png_of(picture, width))


def gif_command(
    log: Log,
    out: Out,
    game: Game = None,
    first: Annotated[
        int | None, typer.Option("--from", metavar="N", min=0, help="The first event shown.")
    ] = None,
    last: Annotated[
        int | None, typer.Option("--to", metavar="N", min=0, help="The last event shown.")
    ] = None,
    seat: Seat = None,
    public: Public = False,
    theme: Theme = "light",
    width: Annotated[
        int, typer.Option("--width", metavar="PIXELS", min=200, max=1600, help="How wide it is.")
    ] = 800,
    milliseconds: Annotated[
        int, typer.Option("--ms", min=50, max=10_000, help="How long an event stays.")
    ] = 900,
    force: Force = False,
) -> None:
    """Make an animated GIF of a stretch of a game.

    Needs the extra `pictures`.

    Examples:
        ono-replay export gif game.ono.jsonl end.gif --from 90
        ono-replay export gif game.ono.jsonl chain.gif --from 40 --to 52 --ms 1500
    """
    check_free(out, overwrite=force)
    replay = _read(log, game, seat, public=public)
    numbers = [event.seq for event in replay.events]
    start = _place_of(replay, first) if first is not None else 0
    end = _place_of(replay, last) if last is not None else len(numbers) - 1
    stretch = numbers[max(start, 0) : end + 1]
    if not stretch:
        raise CannotRun("there is no event from --from to --to")
    if len(stretch) > MOST_FRAMES:
        raise CannotRun(
            f"a GIF has room for {MOST_FRAMES} events, this is {len(stretch)}: choose with --from and --to"
        )
    _write(out, gif_of(_pictures(replay, stretch, seat, theme), width, milliseconds))


def text_command(
    log: Log, out: Out, game: Game = None, seat: Seat = None, public: Public = False, force: Force = False
) -> None:
    """Make a transcript in plain words, a line for each turn, to read or to have read aloud.

    Examples:
        ono-replay export text game.ono.jsonl -
        ono-replay export text games.jsonl.gz game.txt --game kitchen-7 --public
    """
    check_free(out, overwrite=force)
    replay = _read(log, game, seat, public=public)
    _write(out, "".join(f"{line}\n" for line in _shown(lambda: list(transcript(replay)))).encode())


for _name, _function in (
    ("html", html_command),
    ("svg", svg_command),
    ("png", png_command),
    ("gif", gif_command),
    ("text", text_command),
):
    add_command(app, _name, _function)


def _read(log: str, game: str | None, seat: str | None, *, public: bool) -> Replay:
    if public and seat is not None:
        raise CannotRun("either --seat or --public: everyone sees less than one seat does")
    if seat is None and not public:
        return pick_replay(log, game)
    try:
        return read_view(log, game, player=seat)
    except KeyError as reason:
        raise CannotRun(printable(f"{log}: {reason.args[0]}")) from None
    except NotShowable as reason:
        raise CannotRun(f"{printable(log)}: {reason}") from None


def _viewer(replay: Replay, seat: str | None) -> int | None:
    """Return the seat that a view was made for."""
    return None if seat is None or replay.start is None else replay.start.viewer


def _shown(make: Callable[[], Made]) -> Made:
    try:
        return make()
    except NotShowable as reason:
        raise CannotRun(f"this game can not be shown: {reason}") from None


def _place_of(replay: Replay, seq: int) -> int:
    """Return where an event stands among `replay.events`, -1 for the `game_start`."""
    if seq == 0:
        return -1
    numbers = [event.seq for event in replay.events]
    if seq not in numbers:
        near = min(numbers, key=lambda other: abs(other - seq), default=0)
        raise CannotRun(f"no event {seq} stands in this game; the nearest is {near}")
    return numbers.index(seq)


def _event(replay: Replay, seq: int | None) -> int:
    if seq is None:
        return replay.events[-1].seq if replay.events else 0
    _place_of(replay, seq)
    return seq


def _pictures(
    replay: Replay, numbers: Sequence[int], seat: str | None, theme: Literal["light", "dark"]
) -> list[str]:
    look = Look(seat=_viewer(replay, seat), theme=theme)
    return _shown(lambda: [picture_of(replay, seq, look) for seq in numbers])


def _write(out: str, made: bytes) -> None:
    with log_writer(out) as file:
        file.write(made)
