"""Regular players and house rules, remembered from game to game; and where recordings lie."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from ono_replay.record.errors import JournalError, LogHeld
from ono_replay.record.journal import Journal
from ono_replay.rules.events import Player

MOST_PLAYERS = 200
MOST_RULES = 50


class HouseRules(msgspec.Struct, omit_defaults=True):
    """A named ruleset: the edition and the options that differ."""

    name: str
    options: dict[str, Any]


class Profiles(msgspec.Struct, omit_defaults=True):
    """What is remembered; the last used stands first."""

    players: list[Player] = []
    rules: list[HouseRules] = []
    last_players: list[str] = []
    """The names of the last game, in seat order."""

    def remember(self, players: Sequence[Player], options: Mapping[str, Any], name: str) -> None:
        """Remember the players and the house rules of a game.

        >>> profiles = Profiles()
        >>> profiles.remember([Player("Ann"), Player("Bo")], {"edition": "2022"}, "2022")
        >>> profiles.remember([Player("Bo"), Player("Cy")], {"edition": "2022"}, "2022")
        >>> [player.name for player in profiles.players], len(profiles.rules)
        (['Bo', 'Cy', 'Ann'], 1)
        """
        named = {player.name: player for player in players if not player.bot}
        self.players = [*named.values(), *(known for known in self.players if known.name not in named)]
        del self.players[MOST_PLAYERS:]
        self.rules = [HouseRules(name, dict(options)), *(rules for rules in self.rules if rules.name != name)]
        del self.rules[MOST_RULES:]
        self.last_players = [player.name for player in players]


def data_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Return the folder of recordings and profiles: `ONO_REPLAY_HOME`, else in the platform's data folder.

    >>> data_folder({"ONO_REPLAY_HOME": "/games"}).as_posix()
    '/games'
    >>> data_folder({"HOME": "/ann"}, "linux").as_posix()
    '/ann/.local/share/ono-replay'
    """
    if environment.get("ONO_REPLAY_HOME"):
        return Path(environment["ONO_REPLAY_HOME"])
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or Path.home())
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData/Local") / "ono-replay"
    if platform == "darwin":
        return home / "Library/Application Support/ono-replay"
    return Path(environment.get("XDG_DATA_HOME") or home / ".local/share") / "ono-replay"


def load_profiles(folder: Path) -> Profiles:
    """Return what is remembered in a folder; nothing where there is no file or none that can be read."""
    try:
        return msgspec.json.decode((folder / "profiles.json").read_bytes(), type=Profiles)
    except (OSError, msgspec.MsgspecError, UnicodeError, RecursionError):
        return Profiles()


def save_profiles(folder: Path, profiles: Profiles) -> None:
    """Remember profiles in a folder; a file that could not be read is kept beside.

    Raises `OSError` where they can not be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "profiles.json"
    if path.exists() and load_profiles(folder) == Profiles():
        names = (f"profiles.unread{'' if number == 1 else f'-{number}'}.json" for number in count(1))
        path.replace(next(folder / name for name in names if not (folder / name).exists()))
    pretty = json.dumps(msgspec.to_builtins(profiles), ensure_ascii=False, indent=2) + "\n"
    try:
        path.touch()
        with Journal.open(path, mode="none") as journal:
            journal.replace(pretty.encode("utf-8", "surrogatepass"))
    except LogHeld:
        # Another recorder remembers its game at this moment; forgetting one of the two loses no game.
        return
    except JournalError as error:
        raise OSError(str(error)) from None
