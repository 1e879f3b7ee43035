"""What the table recorder asks before a game, and what it offers after it."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from ono_replay.check.printable import printable
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.house_rules import ruleset_from
from ono_replay.cli.wish import Wish
from ono_replay.record.errors import JournalError, LogHeld
from ono_replay.record.profiles import Profiles, data_folder, load_profiles, save_profiles
from ono_replay.record.recorder import IsFinished, NoGame, Recorder
from ono_replay.record.table import Table
from ono_replay.rules.events import Player
from ono_replay.rules.ruleset import EDITIONS, OPTIONS, Ruleset, differing_options

SHOWN_PLAYERS = 20


def recordings_folder() -> Path:
    """Return the folder of recordings without a name of their own."""
    return data_folder() / "recordings"


def open_recording() -> Path:
    """Return the youngest recording that was left open."""
    found = [path for path in recordings_folder().glob("*.ono.jsonl") if path.is_file()]
    for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            Recorder.resume(path).close()
        except (IsFinished, NoGame):
            continue
        except LogHeld:
            raise
        except JournalError:
            pass
        return path
    raise CannotRun(
        f"no recording was left open in {printable(str(recordings_folder()))}; name the log to go on with"
    )


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


def ask_for_game(wish: Wish, console: Console, ask: Callable[[str], str]) -> Table:
    """Ask for what the command line leaves open, begin the game, and remember its players and rules."""
    if wish.log is not None and wish.log.exists() and wish.log.stat().st_size:
        told = "there is a log already; go on with it (--resume) or choose another name"
        raise CannotRun(f"{printable(str(wish.log))}: {told}")
    folder = data_folder()
    profiles = load_profiles(folder)
    names = wish.names or _ask_players(profiles, console, ask)
    ruleset, label = _ask_rules(wish, profiles, len(names), console, ask)
    dealer, starter = wish.dealer, wish.starter
    if dealer is None and starter is None:
        dealer = _ask_seat(
            "who deals? the next one starts (Enter: nobody in particular): ", names, console, ask
        )
    log = wish.log or new_recording(datetime.now(UTC).astimezone())
    options = differing_options(ruleset)
    rules = [f"{name}={_as_value(value)}" for name, value in options.items() if name != "edition"]
    wish = replace(
        wish, log=log, edition=ruleset.edition, names=names, rules=rules, dealer=dealer, starter=starter
    )
    table = wish.open_table()
    profiles.remember([_known(name, profiles) for name in names], options, label)
    try:
        save_profiles(folder, profiles)
    except OSError as error:
        console.print(f"The players could not be remembered: {printable(str(error))}", style="yellow")
    return table


def _known(name: str, profiles: Profiles) -> Player:
    return next((player for player in profiles.players if player.name == name), Player(name))


def _ask_players(profiles: Profiles, console: Console, ask: Callable[[str], str]) -> list[str]:
    known = [player.name for player in profiles.players[:SHOWN_PLAYERS]]
    for number, name in enumerate(known, 1):
        console.print(Text(f"  {number:2}  {printable(name)}"))
    last = ", ".join(profiles.last_players)
    hint = f" (Enter: {printable(last)})" if last else ""
    numbers = " or numbers" if known else ""
    while True:
        answer = ask(f"players in seat order, names{numbers} with commas{hint}: ").strip()
        if not answer and profiles.last_players:
            return list(profiles.last_players)
        names = [_name(word.strip(), known) for word in answer.split(",") if word.strip()]
        if len(names) > 1:
            return names
        console.print("  two players at least: Ann, Bo", style="yellow")


def _name(word: str, known: Sequence[str]) -> str:
    if word.isascii() and word.isdigit() and 1 <= int(word) <= len(known):
        return known[int(word) - 1]
    return word


def _ask_rules(
    wish: Wish, profiles: Profiles, players: int, console: Console, ask: Callable[[str], str]
) -> tuple[Ruleset, str]:
    """Return the ruleset of a game and the name to remember it by."""
    if wish.edition is not None:
        return ruleset_from(wish.edition, wish.rules, players), wish.edition
    kept = [rules for rules in profiles.rules if rules.name not in EDITIONS]
    for number, rules in enumerate(kept, 1):
        told = ", ".join(f"{name} {_as_value(value)}" for name, value in rules.options.items())
        console.print(Text(f"  {number:2}  {printable(rules.name)}: {printable(told)}"))
    usual = profiles.rules[0].name if profiles.rules else "2022"
    while True:
        more = ", or the number of house rules" if kept else ""
        answer = ask(f"edition, 1980 or 2022{more} (Enter: {printable(usual)}): ").strip() or usual
        if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(kept):
            answer = kept[int(answer) - 1].name
        chosen = next(
            (rules for rules in profiles.rules if rules.name == answer and answer not in EDITIONS), None
        )
        try:
            if chosen is not None:
                return _ruleset_of(chosen.options, players), chosen.name
            if answer in EDITIONS:
                return _ask_house_rules(answer, wish.rules, players, console, ask)
        except CannotRun as error:
            console.print(Text(f"  {printable(str(error))}", style="yellow"))
            continue
        console.print("  1980 or 2022", style="yellow")


def _ask_house_rules(
    edition: str, rules: list[str], players: int, console: Console, ask: Callable[[str], str]
) -> tuple[Ruleset, str]:
    ruleset_from(edition, rules, players)
    while True:
        answer = ask("house rules, like max_total=99 match=single (Enter: none, ? lists them): ").strip()
        if answer == "?":
            for option in OPTIONS[1:]:
                value = getattr(EDITIONS[edition], option)
                console.print(
                    Text(f"  {option:30}{_as_value(value) if option != 'deck' else 'the edition’s'}")
                )
            continue
        told = [*rules, *answer.split()]
        try:
            ruleset = ruleset_from(edition, told, players)
        except CannotRun as error:
            console.print(Text(f"  {printable(str(error))}", style="yellow"))
            continue
        if not told:
            return ruleset, edition
        return ruleset, ask("a name to remember these rules by (Enter: don't): ").strip() or edition


def _ruleset_of(options: dict[str, Any], players: int) -> Ruleset:
    rules = [f"{name}={_as_value(value)}" for name, value in options.items() if name != "edition"]
    return ruleset_from(str(options.get("edition")), rules, players)


def _as_value(value: object) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, default=dict)


def _ask_seat(question: str, names: Sequence[str], console: Console, ask: Callable[[str], str]) -> int | None:
    while True:
        answer = ask(question).strip()
        if not answer:
            return None
        for seat, name in enumerate(names):
            if answer.casefold() == name.casefold() or answer == str(seat):
                return seat
        console.print(Text(f"  one of: {printable(', '.join(names))}", style="yellow"))


def offer_import(log: Path, console: Console, ask: Callable[[str], str]) -> None:
    """Offer to put a finished log into the library, where there can be one."""
    from ono_replay.cli.main import VERBS, run

    if "import" not in VERBS or find_spec("duckdb") is None or find_spec("pyarrow") is None:
        return
    library = data_folder() / "library"
    try:
        answer = ask(f"put it into the library {printable(str(library))}? [y/N] ")
    except (EOFError, KeyboardInterrupt):
        return
    if answer.strip().lower().startswith("y") and run(["import", str(log), "--library", str(library)]):
        console.print("It was not imported; the log is untouched.", style="yellow")
