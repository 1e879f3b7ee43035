"""`ono-replay export`: a game as a page, a picture, an animation or a transcript, to look at and to hand on."""

from typing import Annotated, Final

import typer

from ono_replay.cli.lazy import add_command
from ono_replay.cli.outfile import Force
from ono_replay.cli.replay import FILE_HELP, GAME_HELP, tell_of_more
from ono_replay.export.files import GIF_TIMES, GIF_WIDTHS, PNG_WIDTHS, Exported, export_game
from ono_replay.export.files import Theme as Themes

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
Theme = Annotated[Themes, typer.Option("--theme", help="The ground and its colours.")]
Width = Annotated[
    int,
    typer.Option("--width", metavar="PIXELS", min=PNG_WIDTHS[0], max=PNG_WIDTHS[1], help="How wide it is."),
]

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
    _tell(export_game(log, out, "html", game_id=game, seat=seat, public=public, seq=seq, overwrite=force))


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
    _tell(
        export_game(
            log, out, "svg", game_id=game, seat=seat, public=public, seq=seq, theme=theme, overwrite=force
        )
    )


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
    _tell(
        export_game(
            log,
            out,
            "png",
            game_id=game,
            seat=seat,
            public=public,
            seq=seq,
            theme=theme,
            width=width,
            overwrite=force,
        )
    )


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
        int,
        typer.Option(
            "--width", metavar="PIXELS", min=GIF_WIDTHS[0], max=GIF_WIDTHS[1], help="How wide it is."
        ),
    ] = 800,
    milliseconds: Annotated[
        int, typer.Option("--ms", min=GIF_TIMES[0], max=GIF_TIMES[1], help="How long an event stays.")
    ] = 900,
    force: Force = False,
) -> None:
    """Make an animated GIF of a stretch of a game.

    Needs the extra `pictures`.

    Examples:
        ono-replay export gif game.ono.jsonl end.gif --from 90
        ono-replay export gif game.ono.jsonl chain.gif --from 40 --to 52 --ms 1500
    """
    _tell(
        export_game(
            log,
            out,
            "gif",
            game_id=game,
            seat=seat,
            public=public,
            first=first,
            last=last,
            theme=theme,
            width=width,
            milliseconds=milliseconds,
            overwrite=force,
        )
    )


def text_command(
    log: Log, out: Out, game: Game = None, seat: Seat = None, public: Public = False, force: Force = False
) -> None:
    """Make a transcript in plain words, a line for each turn, to read or to have read aloud.

    Examples:
        ono-replay export text game.ono.jsonl -
        ono-replay export text games.jsonl.gz game.txt --game kitchen-7 --public
    """
    _tell(export_game(log, out, "text", game_id=game, seat=seat, public=public, overwrite=force))


for _name, _function in (
    ("html", html_command),
    ("svg", svg_command),
    ("png", png_command),
    ("gif", gif_command),
    ("text", text_command),
):
    add_command(app, _name, _function)


def _tell(done: Exported) -> None:
    if done.one_of_several:
        tell_of_more(done.game_id)
