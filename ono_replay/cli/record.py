"""`ono-replay record`: a game at the table, entered as it is played."""

import sys
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
import typer

from ono_replay._version import __version__
from ono_replay.check.printable import printable
from ono_replay.check.render.jsontext import diagnostic_object, to_json, write_json
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.house_rules import ruleset_from
from ono_replay.log.lines import LONGEST
from ono_replay.record.journal import JournalError, SyncMode
from ono_replay.record.recorder import NoGame, Recorder
from ono_replay.record.refusal import Refusal, refuse_plainly
from ono_replay.record.table import Table
from ono_replay.rules.events import Source

Edition = Literal["1980", "2022"]
SOURCE: Final = Source("ono-replay", __version__)


def record_command(
    log: Annotated[
        Path | None,
        typer.Argument(
            metavar="[LOG]", help="The log; without it one in the folder of recordings (in a terminal)."
        ),
    ] = None,
    edition: Annotated[Edition | None, typer.Option("--edition", "-e", help="The rules of the box.")] = None,
    players: Annotated[
        str | None, typer.Option("--players", "-p", metavar="A,B,C", help="The players in seat order.")
    ] = None,
    dealer: Annotated[
        int | None, typer.Option("--dealer", min=0, help="The seat that deals; the next one starts.")
    ] = None,
    starter: Annotated[
        int | None, typer.Option("--starter", min=0, help="The seat that starts, where no one deals.")
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", "-r", metavar="KEY=VALUE", help="A house rule; may be repeated."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a log that was left open.")] = False,
    game_id: Annotated[
        str | None, typer.Option("--game-id", help="The id of the game, else a new one.")
    ] = None,
    mode: Annotated[
        SyncMode, typer.Option("--mode", help="When an entry is on disk: at once, in batches, at the end.")
    ] = "durable",
) -> None:
    """Record a game at the table, entry by entry, and lose nothing.

    In a terminal it asks for what is not given and shows the table. Otherwise it reads the entries one a line
    from standard input and prints the state after each that is on disk, or why it is refused, as JSON.

    Examples:
        ono-replay record
        ono-replay record game.ono.jsonl --edition 2022 --players Ann,Bo,Cy --dealer 2
        ono-replay record game.ono.jsonl --resume
        ono-replay record game.ono.jsonl -e 1980 -p Ann,Bo -r match=single < entries.txt
    """
    names = None if players is None else _names(players)
    wish = Wish(
        log=log,
        edition=edition,
        names=names,
        dealer=dealer,
        starter=starter,
        rules=rule or [],
        resume=resume,
        game_id=game_id,
        mode=mode,
    )
    try:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from ono_replay.cli.table_screen import record_in_terminal

            record_in_terminal(wish)
        else:
            record_lines(wish.open_table())
    except JournalError as error:
        raise CannotRun(printable_lines(str(error))) from error


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line asks for."""

    log: Path | None = None
    edition: str | None = None
    names: list[str] | None = None
    dealer: int | None = None
    starter: int | None = None
    rules: list[str] = []
    resume: bool = False
    game_id: str | None = None
    mode: SyncMode = "durable"

    def open_table(self) -> Table:
        """Begin the game, or go on with it."""
        if self.log is None:
            raise CannotRun("name the log: ono-replay record LOG --edition 2022 --players A,B,C")
        if self.resume and (self.log.exists() or not self.is_complete):
            try:
                return self.go_on(self.log)
            except NoGame as error:
                # Nothing was acknowledged there: the game may begin.
                if not self.is_complete:
                    raise CannotRun(
                        f"{printable(str(error))}; begin it with --edition and --players"
                    ) from None
        return self.begin(self.log)

    @property
    def is_complete(self) -> bool:
        """Whether a game can begin with it."""
        return self.edition is not None and self.names is not None

    def begin(self, log: Path) -> Table:
        """Begin a game in a new log."""
        if self.edition is None or self.names is None:
            raise CannotRun(
                "a new log needs --edition and --players (and --resume goes on with one that is there)"
            )
        ruleset = ruleset_from(self.edition, self.rules, len(self.names))
        for what, seat in (("dealer", self.dealer), ("starter", self.starter)):
            if seat is not None and seat >= len(self.names):
                raise CannotRun(
                    f"there is no seat {seat} for the {what}; seats are 0 to {len(self.names) - 1}"
                )
        try:
            recorder = Recorder.create(
                log,
                ruleset,
                self.names,
                dealer=self.dealer,
                view="public",
                game_id=self.game_id,
                source=SOURCE,
                mode=self.mode,
            )
        except ValueError as error:
            raise CannotRun(printable(str(error))) from None
        return Table(recorder, starter=self.starter)

    def go_on(self, log: Path) -> Table:
        """Go on with a log that was left open."""
        recorder = Recorder.resume(log, mode=self.mode)
        try:
            self._check_same(recorder)
            table = Table(recorder)
        except ValueError as error:
            recorder.close()
            raise CannotRun(f"{printable(str(log))}: {printable(str(error))}") from None
        except BaseException:
            recorder.close()
            raise
        if recorder.torn is not None:
            print(
                f"ono-replay: a torn last line was put into {printable(str(recorder.torn))}", file=sys.stderr
            )
        return table

    def _check_same(self, recorder: Recorder) -> None:
        if self.names is not None and self.names != recorder.names:
            raise ValueError(f"this is a game of {', '.join(recorder.names)}")
        if self.edition is not None:
            ruleset = ruleset_from(self.edition, self.rules, len(recorder.names))
            if ruleset != recorder.ruleset:
                raise ValueError("this game is played by other rules")


def _names(players: str) -> list[str]:
    names = [name.strip() for name in as_utf8(players).split(",")]
    if not all(names):
        raise CannotRun("--players needs a name for each player: Ann,Bo,Cy")
    return names


def as_utf8(text: str) -> str:
    """Return what was typed, also where the locale knows no more than ASCII."""
    return text.encode(errors="surrogateescape").decode(errors="replace")


def printable_lines(text: str) -> str:
    """Return a message of several lines safe to show."""
    return "\n".join(printable(line) for line in text.split("\n"))


def record_lines(table: Table) -> None:
    """Take entries from standard input and print a JSON object for each; exit 1 if one was refused."""
    refusals = 0
    game_id = table.recorder.start.game_id
    try:
        while (text := _next_entry()) is not None:
            if isinstance(text, str) and not text.strip():
                continue
            refused = table.enter(text) if isinstance(text, str) else text
            if refused is None:
                answer = table.state_json()
            else:
                refusals += 1
                found = refused.diagnostic(str(table.recorder.path), game_id)
                answer = {"refused": diagnostic_object(found)}
            write_json(sys.stdout, to_json(answer) + "\n")
            sys.stdout.flush()
        table.close()
    finally:
        table.recorder.close()
    if refusals:
        raise typer.Exit(1)


def _next_entry() -> str | Refusal | None:
    """Return the next line of standard input, None at its end."""
    line = sys.stdin.buffer.readline(LONGEST + 1)
    if len(line) > LONGEST and not line.endswith(b"\n"):
        while line and not line.endswith(b"\n"):
            line = sys.stdin.buffer.readline(LONGEST)
        return refuse_plainly("ONO111", "The entry is longer than a line may be (1 MiB)")
    return line.decode("utf-8", "replace") if line else None
