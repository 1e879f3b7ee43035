"""What the command line asks of a recorder, and the table that it gets."""

import sys
from pathlib import Path
from typing import Final

import msgspec

from ono_replay._version import __version__
from ono_replay.check.printable import printable
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.house_rules import ruleset_from
from ono_replay.record.errors import LogExists
from ono_replay.record.journal import SyncMode
from ono_replay.record.names import lower_first, seat_meant, why_alike, why_no_seat
from ono_replay.record.recorder import NoGame, Recorder
from ono_replay.record.table import Table
from ono_replay.rules.events import Source

SOURCE: Final = Source("ono-replay", __version__)


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line asks for."""

    log: Path | None = None
    edition: str | None = None
    names: list[str] | None = None
    dealer: str | None = None
    starter: str | None = None
    """Seats, as numbers or names."""
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
        alike = why_alike(self.names)
        if alike is not None:
            raise CannotRun(f"--players: {printable(alike)}")
        ruleset = ruleset_from(self.edition, self.rules, len(self.names))
        dealer, starter = self._seat("dealer", self.dealer), self._seat("starter", self.starter)
        try:
            recorder = Recorder.create(
                log,
                ruleset,
                self.names,
                dealer=dealer,
                view="public",
                game_id=self.game_id,
                source=SOURCE,
                mode=self.mode,
            )
        except LogExists:
            told = "there is a log already; go on with it (--resume) or choose another name"
            raise CannotRun(f"{printable(str(log))}: {told}") from None
        except ValueError as error:
            raise CannotRun(printable(str(error))) from None
        return Table(recorder, starter=starter)

    def _seat(self, what: str, word: str | None) -> int | None:
        if word is None or self.names is None:
            return None
        seat = seat_meant(self.names, word)
        if seat is None:
            why = lower_first(why_no_seat(self.names, word))
            raise CannotRun(printable(f"--{what} {word}: {why}"))
        return seat

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


def split_names(players: str) -> list[str]:
    """Return the names of `--players`."""
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
