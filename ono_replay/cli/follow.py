"""`ono-replay follow`: the table, live, while its log is written."""

import sys
import time
from typing import Annotated, Final

import typer

from ono_replay.check.printable import printable
from ono_replay.check.render.jsontext import to_json, write_json
from ono_replay.cli.guard import CannotRun, end_well
from ono_replay.record.follow import Follower, Moment
from ono_replay.record.reading import Misread
from ono_replay.replay import state_json

_EVERY: Final = 0.1


def follow_command(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log that is being recorded.")],
) -> None:
    """Show the table live while its log is written.

    Ends when the game ends, or with ^C. Where standard output is no terminal it prints the state after every
    event as JSON, one a line.

    Examples:
        ono-replay follow game.ono.jsonl
        ono-replay follow game.ono.jsonl | jq .total
    """
    follower = Follower(log)
    show = _Picture(follower) if sys.stdout.isatty() else _Lines()
    end_well()
    try:
        with show:
            while True:
                show.take(follower.poll())
                if follower.has_ended:
                    return
                time.sleep(_EVERY)
    except Misread as error:
        raise CannotRun(
            f"{printable(log)}: line {error.line} (byte {error.offset}): {printable(error.what)}"
        ) from None
    except KeyboardInterrupt:
        return


class _Lines:
    """A state a line."""

    def __enter__(self) -> "_Lines":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def take(self, moments: list[Moment]) -> None:
        for moment in moments:
            answer = state_json(moment.start.game_id, moment.event, moment.state)
            write_json(sys.stdout, to_json(answer) + "\n")
        if moments:
            sys.stdout.flush()


class _Picture:
    """The table, drawn over and over."""

    def __init__(self, follower: Follower) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        self._follower = follower
        self._console = Console(highlight=False)
        self._live = Live(Text("waiting for the first event …"), console=self._console, auto_refresh=False)

    def __enter__(self) -> "_Picture":
        self._live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.__exit__(None, None, None)

    def take(self, moments: list[Moment]) -> None:
        from ono_replay.cli.table_picture import picture

        if moments:
            last = moments[-1]
            names = [player.name for player in last.start.players]
            shown = picture(
                self._follower.path.name, names, last.state, self._follower.standing, console=self._console
            )
            self._live.update(shown, refresh=True)
