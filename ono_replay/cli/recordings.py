"""The recordings in the data folder: which are open, and a name for a new one."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text

from ono_replay.check.printable import printable
from ono_replay.cli.guard import CannotRun
from ono_replay.record.profiles import data_folder
from ono_replay.record.reading import Misread, read_open_game

MOST_LISTED = 9
_TAIL = 4096


class OpenRecording(msgspec.Struct, frozen=True):
    """A recording that was left open, and what is played in it."""

    path: Path
    told: str


def recordings_folder() -> Path:
    """Return the folder of recordings without a name of their own."""
    return data_folder() / "recordings"


def open_recordings() -> list[OpenRecording]:
    """Return the youngest recordings that were left open, the youngest first; nothing is changed."""
    found = [
        (path.stat().st_mtime, path) for path in recordings_folder().glob("*.ono.jsonl") if path.is_file()
    ]
    listed: list[OpenRecording] = []
    for _, path in sorted(found, reverse=True):
        recording = _look_into(path)
        if recording is not None:
            listed.append(recording)
        if len(listed) == MOST_LISTED:
            break
    return listed


def choose_open_recording(console: Console, ask: Callable[[str], str]) -> Path:
    """Return the recording to go on with; asks where there are several."""
    listed = open_recordings()
    if not listed:
        folder = printable(str(recordings_folder()))
        raise CannotRun(f"no recording was left open in {folder}; name the log to go on with")
    if len(listed) == 1:
        return listed[0].path
    for number, recording in enumerate(listed, 1):
        console.print(Text(f"  {number}  {printable(recording.path.name)}: {printable(recording.told)}"))
    while True:
        answer = ask("go on with which (Enter: 1, q: leave): ").strip()
        if answer.lower() in ("q", "quit", "exit"):
            raise EOFError
        if not answer or (answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(listed)):
            return listed[int(answer or 1) - 1].path
        console.print(f"  a number, 1 to {len(listed)}", style="yellow")


def new_recording(now: datetime) -> Path:
    """Return a name for a new recording that no other has."""
    folder = recordings_folder()
    folder.mkdir(parents=True, exist_ok=True)
    day = now.strftime("%Y-%m-%d-%H%M")
    for number in range(1, 1000):
        path = folder / (f"{day}.ono.jsonl" if number == 1 else f"{day}-{number}.ono.jsonl")
        if not path.exists():
            return path
    raise CannotRun(f"{printable(str(folder))}: a thousand recordings begin in this minute")


def _look_into(path: Path) -> OpenRecording | None:
    """Return what an open recording holds, None for one that is finished or empty."""
    try:
        with path.open("rb") as file:
            # Most recordings are finished; their last line says so.
            file.seek(max(0, path.stat().st_size - _TAIL))
            last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
            if b'"type":"game_end"' in last and b'"digest":"sha256:' in last:
                return None
            file.seek(0)
            data = file.read()
        game = read_open_game(data[: data.rfind(b"\n") + 1])
    except Misread as error:
        return OpenRecording(path, f"damaged at line {error.line}")
    except OSError as error:
        return OpenRecording(path, f"can not be read: {error.strerror}")
    if game is None or game.is_finished:
        return None
    names = ", ".join(player.name for player in game.start.players)
    return OpenRecording(path, f"{names}; round {game.state.round}, total {game.state.total}")
