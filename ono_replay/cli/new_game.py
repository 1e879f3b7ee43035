"""What the table recorder asks before a game, and what it offers after it."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from ono_replay.check.phrases import join_words
from ono_replay.check.printable import printable
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.house_rules import ruleset_from
from ono_replay.cli.recordings import new_recording, open_recordings
from ono_replay.cli.wish import Wish
from ono_replay.record.names import plain, seat_meant, why_alike, why_no_seat
from ono_replay.record.profiles import HouseRules, Profiles, data_folder, load_profiles, save_profiles
from ono_replay.record.table import Table
from ono_replay.rules.events import Player
from ono_replay.rules.ruleset import EDITIONS, OPTIONS, Ruleset, differing_options

SHOWN_PLAYERS = 20
YES, NO = ("y", "yes"), ("n", "no")
LEAVING = ("q", "quit", "exit")
BACK = "back"


def ask_for_game(wish: Wish, console: Console, ask: Callable[[str], str]) -> Table:
    """Ask for what the command line leaves open, begin the game, and remember its players and rules.

    Raises `EOFError` where the person leaves.
    """
    if wish.log is not None and wish.log.exists() and wish.log.stat().st_size:
        told = "there is a log already; go on with it (--resume) or choose another name"
        raise CannotRun(f"{printable(str(wish.log))}: {told}")
    folder = data_folder()
    profiles = load_profiles(folder)
    if wish.log is None:
        _mention_open(console)
    setup = Setup(wish, profiles, console, ask)
    setup.ask_all()
    log = wish.log or new_recording(datetime.now(UTC).astimezone())
    options = differing_options(setup.ruleset)
    rules = [f"{name}={_as_value(value)}" for name, value in options.items() if name != "edition"]
    wish = replace(
        wish, log=log, edition=setup.ruleset.edition, names=setup.names, rules=rules, dealer=setup.dealer
    )
    table = wish.open_table()
    kept = {"edition": setup.ruleset.edition} if setup.label in EDITIONS else options
    profiles.remember([_known(name, profiles) for name in setup.names], kept, setup.label)
    try:
        save_profiles(folder, profiles)
    except OSError as error:
        console.print(f"The players could not be remembered: {printable(str(error))}", style="yellow")
    return table


def confirm(question: str, console: Console, ask: Callable[[str], str], *, otherwise: bool = False) -> bool:
    """Ask yes or no; only y, n and Enter answer."""
    while True:
        answer = ask(f"{question} [{'Y/n' if otherwise else 'y/N'}] ").strip().lower()
        if answer in ("", *YES, *NO):
            return answer in YES if answer else otherwise
        console.print(Text(f"  y, n or Enter, not {printable(answer[:40])!r}", style="yellow"))


class _Back(Exception):
    """The person wants the question before."""


class Setup:
    """The questions before a game; `back` leads to the one before, `q` leaves."""

    def __init__(self, wish: Wish, profiles: Profiles, console: Console, ask: Callable[[str], str]) -> None:
        """Take what is known already."""
        self.wish = wish
        self.profiles = profiles
        self.console = console
        self._ask_person = ask
        self.names = wish.names or []
        self.edition = ""
        self.ruleset: Ruleset = EDITIONS["2022"]
        self.label = ""
        """The name to remember the rules by."""
        self.dealer = wish.dealer

    def ask_all(self) -> None:
        """Ask all that is open."""
        steps = (self._players, self._edition, self._house_rules, self._dealer)
        asked: list[int] = []
        place = 0
        self.console.print("(back: the question before, q: leave)", style="dim")
        while place < len(steps):
            try:
                if steps[place]():
                    asked.append(place)
                place += 1
            except _Back:
                if not asked:
                    self._complain("this is the first question; q leaves")
                place = asked.pop() if asked else place

    def _ask(self, question: str) -> str:
        answer = self._ask_person(question).strip()
        if answer.lower() in LEAVING:
            raise EOFError
        if answer.lower() == BACK:
            raise _Back
        return answer

    def _complain(self, text: str) -> None:
        self.console.print(Text(f"  {printable(text)}", style="yellow"))

    def _players(self) -> bool:
        if self.wish.names is not None:
            return False
        profiles = self.profiles
        known = [player.name for player in profiles.players[:SHOWN_PLAYERS]]
        for number, name in enumerate(known, 1):
            self.console.print(Text(f"  {number:2}  {printable(name)}"))
        last = printable(", ".join(profiles.last_players))
        hint = (
            f" (Enter: {last})"
            if len(last) <= _WIDEST_HINT and last
            else " (Enter: as last time)"
            if last
            else ""
        )
        numbers = " or numbers" if known else ""
        while True:
            answer = self._ask(f"players in seat order, names{numbers} with commas{hint}: ")
            words = [word.strip() for word in answer.split(",") if word.strip()]
            if not words and profiles.last_players:
                self.names = list(profiles.last_players)
                return True
            if len(words) < 2:
                self._complain("two players at least: Ann, Bo")
                continue
            names = [self._player(word, known) for word in words]
            if self._are_meant(names):
                self.names = names
                return True

    def _player(self, word: str, known: Sequence[str]) -> str:
        """Return the name of a player, as it is remembered where it may be the same."""
        if word.isascii() and word.isdigit() and 1 <= int(word) <= len(known):
            return known[int(word) - 1]
        remembered = [player.name for player in self.profiles.players]
        if word in remembered:
            return word
        for name in remembered:
            if plain(name) == plain(word):
                same = f"is {printable(word)} a new player, not {printable(name)}?"
                return word if confirm(same, self.console, self._ask) else name
        return word

    def _are_meant(self, names: Sequence[str]) -> bool:
        """Return whether two names that are nearly equal are meant; equal ones are not taken."""
        alike = why_alike(names)
        if alike is not None:
            self._complain(alike)
            return False
        plainly = [plain(name) for name in names]
        twice = [
            name for name, plain_name in zip(names, plainly, strict=True) if plainly.count(plain_name) > 1
        ]
        question = f"two players are named {printable(join_words(twice))}; is that right?"
        return not twice or confirm(question, self.console, self._ask)

    def _edition(self) -> bool:
        self.edition = ""
        if self.wish.edition is not None:
            try:
                self.ruleset = ruleset_from(self.wish.edition, self.wish.rules, len(self.names))
            except CannotRun as error:
                if self.wish.names is not None:
                    raise
                self._complain(str(error))
                raise _Back from None
            self.label = self.wish.edition
            return False
        kept = [rules for rules in self.profiles.rules if rules.name not in EDITIONS]
        for number, rules in enumerate(kept, 1):
            told = ", ".join(f"{name} {_as_value(value)}" for name, value in rules.options.items())
            self.console.print(Text(f"  {number:2}  {printable(rules.name)}: {printable(told)}"))
        usual = self._usual_rules()
        more = ", or the number of house rules" if kept else ""
        while True:
            answer = self._ask(f"edition, 1980 or 2022{more} (Enter: {printable(usual)}): ") or usual
            try:
                if self._choose(answer, kept):
                    return True
                self._complain("1980 or 2022" + more)
            except CannotRun as error:
                self._complain(f"{error}; back changes the players")

    def _usual_rules(self) -> str:
        """Return the rules that the same players played by last; other players begin without house rules."""
        if not self.profiles.rules:
            return "2022"
        last = self.profiles.rules[0]
        same = sorted(self.names) == sorted(self.profiles.last_players)
        return last.name if same else str(last.options.get("edition", "2022"))

    def _choose(self, answer: str, kept: Sequence[HouseRules]) -> bool:
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(kept):
            answer = kept[int(answer) - 1].name
        chosen = next((rules for rules in kept if rules.name == answer), None)
        if chosen is not None:
            options = chosen.options.items()
            rules = [f"{name}={_as_value(value)}" for name, value in options if name != "edition"]
            edition = str(chosen.options.get("edition"))
            self.ruleset = ruleset_from(edition, [*rules, *self.wish.rules], len(self.names))
            self.label = chosen.name
        elif answer in EDITIONS:
            ruleset_from(answer, self.wish.rules, len(self.names))
            self.edition = answer
        return chosen is not None or answer in EDITIONS

    def _house_rules(self) -> bool:
        if not self.edition:
            return False
        while True:
            answer = self._ask("house rules, like max_total=99 match=single (Enter: none, ? lists them): ")
            if answer == "?":
                self._list_options()
                continue
            if answer.lower() in YES:
                self._complain("name them, like max_total=99 match=single; ? lists them")
                continue
            told = [*self.wish.rules, *split_rules("" if answer.lower() in (*NO, "none") else answer)]
            try:
                self.ruleset = ruleset_from(self.edition, told, len(self.names))
            except CannotRun as error:
                self._complain(f"{error}; ? lists the rules, back changes what was before")
                continue
            self.label = self.edition
            if told:
                self.label = self._ask("a name to remember these rules by (Enter: don't): ") or self.edition
            return True

    def _list_options(self) -> None:
        for option in OPTIONS[1:]:
            value = getattr(EDITIONS[self.edition], option)
            shown = _as_value(value) if option != "deck" else "the edition’s"
            self.console.print(Text(f"  {option:30}{shown}"))

    def _dealer(self) -> bool:
        if self.wish.dealer is not None or self.wish.starter is not None:
            return False
        while True:
            answer = self._ask("who deals? the next one starts (Enter: nobody in particular): ")
            seat = seat_meant(self.names, answer)
            if not answer or seat is not None:
                self.dealer = None if seat is None else str(seat)
                return True
            self._complain(why_no_seat(self.names, answer))


_WIDEST_HINT = 20


def split_rules(text: str) -> list[str]:
    """Return the rules of an answer, with spaces or commas between; yes and no are true and false.

    >>> split_rules('max_total = 99, match=single; deck={"10": 20, "1": 4} ono_99_on_zero=yes')
    ['max_total=99', 'match=single', 'deck={"10": 20, "1": 4}', 'ono_99_on_zero=true']
    >>> split_rules("chips, 3")
    ['chips', '3']
    """
    text = re.sub(r"\s*=\s*", "=", text.strip())
    parts = re.findall(r"\w+=\{[^{}]*\}|[^\s,;]+", text)
    return [
        re.sub(r"=(yes|no|on)$", lambda told: f"={_TRUTHS[told[1].lower()]}", part, flags=re.IGNORECASE)
        for part in parts
    ]


_TRUTHS = {"yes": "true", "on": "true", "no": "false"}


def _mention_open(console: Console) -> None:
    listed = open_recordings()
    for recording in listed[:3]:
        console.print(
            Text(f"left open: {printable(recording.path.name)}: {printable(recording.told)}", style="dim")
        )
    if listed:
        console.print("(go on with one: ono-replay record --resume)", style="dim")


def _known(name: str, profiles: Profiles) -> Player:
    return next((player for player in profiles.players if player.name == name), Player(name))


def _as_value(value: object) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, default=dict)


def offer_import(log: Path, console: Console, ask: Callable[[str], str]) -> None:
    """Offer to put a finished log into the library, where there can be one."""
    from ono_replay.cli.importing import own_library
    from ono_replay.cli.main import VERBS, run

    if "import" not in VERBS or find_spec("duckdb") is None or find_spec("pyarrow") is None:
        return
    library = own_library()
    try:
        wanted = confirm(f"put it into the library {printable(str(library))}?", console, ask)
    except (EOFError, KeyboardInterrupt):
        return
    if wanted and run(["import", str(log), "--library", str(library)]):
        console.print("It was not imported; the log is untouched.", style="yellow")
