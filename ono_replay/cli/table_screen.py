"""The table recorder in a terminal: a picture of the table, one prompt, the shortest possible entries."""

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from ono_replay.check.phrases import count_of, name_player
from ono_replay.check.printable import printable
from ono_replay.cli.new_game import LEAVING, ask_for_game, confirm, offer_import
from ono_replay.cli.points_asked import PointsAsked
from ono_replay.cli.recordings import choose_open_recording
from ono_replay.cli.table_picture import picture
from ono_replay.cli.wish import Wish, as_utf8
from ono_replay.record.entries import Kind, list_entries, parse_entry
from ono_replay.record.errors import NotWritten
from ono_replay.record.refusal import Refusal
from ono_replay.record.table import Table
from ono_replay.rules.state import Phase, State


def record_in_terminal(wish: Wish) -> None:
    """Record a game with a person at the keyboard."""
    console = Console(highlight=False)
    try:
        if wish.resume and not wish.is_complete:
            table = wish.go_on(wish.log or choose_open_recording(console, ask))
        else:
            table = (
                ask_for_game(wish, console, ask)
                if not wish.is_complete or wish.log is None
                else wish.open_table()
            )
    except (EOFError, KeyboardInterrupt):
        console.print("\nNothing was recorded.")
        return
    run_screen(table, console)


def ask(question: str) -> str:
    """Return a line from the keyboard."""
    return as_utf8(input(question))


def run_screen(table: Table, console: Console | None = None) -> None:
    """Take entries for a table until its log is finished or left open."""
    console = console or Console(highlight=False)
    finished = False
    try:
        finished = Screen(table, console).run()
    except (EOFError, KeyboardInterrupt):
        console.print()
    finally:
        table.recorder.close()
    path = table.recorder.path
    assert path is not None
    if finished:
        console.print(f"Finished: {printable(str(path))}", soft_wrap=True)
        offer_import(path, console, ask)
    else:
        console.print(f"Left open: {printable(str(path))}", soft_wrap=True)
        console.print(f"Go on with: ono-replay record {printable(str(path))} --resume", soft_wrap=True)


class Screen:
    """The table and the prompt below it."""

    def __init__(self, table: Table, console: Console) -> None:
        """Take a table that is open."""
        self.table = table
        self.console = console
        self.notes: list[str] = []
        """What is said below the table, once."""
        self.untold: set[int] = set()
        """Seats whose points of the last round are not all known."""
        if table.recorder.path is not None:
            self.notes.append(f"recorded in {printable(str(table.recorder.path.absolute()))}")
        torn = table.recorder.torn
        if torn is not None:
            self.notes.append(f"A torn last line was put into {torn.name}; nothing else was lost.")

    @property
    def names(self) -> list[str]:
        """The players' names by seat."""
        return self.table.recorder.names

    @property
    def state(self) -> State:
        """The state of the game."""
        return self.table.state

    def run(self) -> bool:
        """Take entries until the game is finished (then return True) or left open."""
        while True:
            self.show()
            entry = self.ask(self._prompt()).strip()
            if entry.lower() in LEAVING:
                return False
            if not entry and self.state.phase is Phase.ENDED:
                self.notes.clear()
                if self._try_until_written(self.table.finish):
                    return True
            elif self._is(entry, "show"):
                self.help()
            elif entry or self.state.phase is Phase.MATCH_OVER:
                self.take(entry or "end")

    def _prompt(self) -> str:
        if self.state.phase is Phase.ENDED:
            return "Enter closes the log (undo takes the end back): "
        if self.state.phase is Phase.MATCH_OVER:
            return "Enter ends the game (undo takes the last entry back): "
        return "entry (? help, q leave): "

    def _is(self, entry: str, kind: Kind) -> bool:
        meant = parse_entry(entry, self.names, self.state.ruleset)
        return not isinstance(meant, Refusal) and meant.kind == kind

    def take(self, entry: str) -> None:
        """Take one entry, with the questions that it raises."""
        if self._is(entry, "abandon") and self.state.phase is not Phase.ENDED:
            decided = self.state.phase is Phase.MATCH_OVER
            over = "The match is decided. Break it off all the same, without a winner?"
            if not self.confirm(over if decided else "Break the game off, without a winner?"):
                self._not_entered(entry)
                return
        entry = self._with_hand(entry)
        right = self.table.right_total(entry)
        if right is not None:
            question = f"By the cards the total is {right}. Did the table play on from another?"
            if not self.confirm(question):
                self._not_entered(entry)
                return
        before = self.state
        if self._is(entry, "points"):
            self.untold = set()
        refused = self._enter(entry)
        if refused is not None and _is_offered(refused) and not entry.startswith("!"):
            self._say(refused)
            if not self.confirm("Let it stand?"):
                self._not_entered(entry)
                return
            refused = self._enter(f"!{entry}")
        if refused is not None:
            self.notes += self._words_of(refused)
        else:
            self._after(before)

    def _not_entered(self, entry: str) -> None:
        self.notes.append(f"not entered: {printable(entry)}")

    def _with_hand(self, entry: str) -> str:
        word = entry.lower().removeprefix("!").strip()
        if word != "out" or self.state.phase is not Phase.PLAYING or self.state.turn is None:
            return entry
        mark = "!" if entry.startswith("!") else ""
        held = len(self.state.hands[self.state.turn])
        if self.state.draws_due and self.state.drawer == self.state.turn:
            held += self.state.draws_due
        bust = ""
        if self.state.ruleset.scores_points:
            bust = self._ask_cards("bust card (Enter: none): ", 1)
        hand = self._ask_cards("cards laid down (Enter: not shown): ", held - bool(bust))
        return f"{mark}bust {bust} {hand}".strip() if bust else f"{mark}out {hand}".strip()

    def _ask_cards(self, question: str, wanted: int) -> str:
        """Ask for so many cards, or none, until that is what is told."""
        while True:
            answer = self.ask(question).strip()
            meant = parse_entry(f"out {answer}", self.names, self.state.ruleset)
            if isinstance(meant, Refusal):
                told = f"{printable(meant.message)}; cards are like 10 7 r o"
            elif not meant.cards or len(meant.cards) == wanted:
                return " ".join(meant.cards or ())
            elif wanted == 1:
                told = f"one card, not {len(meant.cards)}"
            else:
                told = (
                    f"{count_of(len(meant.cards), 'card')}; the hand has {wanted} (? for a card nobody saw)"
                )
            self.console.print(Text(f"  {told}", style="yellow"))

    def _after(self, before: State) -> None:
        """Ask what only the table knows once a round is over."""
        state = self.state
        over = state.match.rounds > before.match.rounds
        if over and state.ruleset.scores_points:
            self._ask_points()
        if over and self.state.phase is Phase.PLAYING and self.table.starter_is_free:
            self.show()
            name = self.ask(f"who starts (Enter: {printable(self._name(self.state.starter))}): ").strip()
            if name:
                self.take(f"starter {name}")

    def _ask_points(self) -> None:
        """Ask for the points of the round that has just ended, before the standing is shown."""
        at_end = self.table.before_round_end
        if at_end is None:
            return
        self.console.clear()
        self.console.print(f"Round {at_end.round} is over. The cards left in each hand, or the points:\n")
        asked = PointsAsked(self.names, at_end, self.ask, self.console)
        points = asked.ask_all()
        refused = self._enter("points " + " ".join(map(str, points)))
        self.notes += self._words_of(refused) if refused is not None else []
        self.untold = asked.untold
        if self.untold:
            numbers = " ".join("N" * len(points))
            self.notes.append(f"? points are not counted; before the next card, tell all: points {numbers}")

    def _enter(self, entry: str) -> Refusal | None:
        answer: list[Refusal | None] = []
        self._try_until_written(lambda: answer.append(self.table.enter(entry)))
        return answer[0] if answer else None

    def _try_until_written(self, write: Callable[[], object]) -> bool:
        """Write, and after an error of the disk again as often as the person wants."""
        while True:
            try:
                write()
            except NotWritten as error:
                self.console.print(Text(printable(str(error)), style="bold red"))
                self.console.print("Nothing is lost; this entry is not in the log yet.")
                if not self.confirm("Try again?", otherwise=True):
                    return False
            else:
                return True

    def show(self) -> None:
        """Draw the table."""
        path = self.table.recorder.path
        state = self.state
        if state.opened or state.phase is not Phase.PLAYING:
            self.untold = self.untold if state.phase is Phase.MATCH_OVER else set()
        elif self.table.starter_is_free:
            self.notes.append(f"{printable(self.names[state.starter or 0])} starts; another: starter NAME")
        self.console.clear()
        self.console.print(
            picture(
                path.name if path else "",
                self.names,
                state,
                self.table.recorder.events,
                console=self.console,
                below=sum(1 + (len(note) + 1) // self.console.width for note in self.notes) + 2,
                untold=self.untold,
            )
        )
        self.console.print()
        for note in self.notes:
            self.console.print(Text(f"  {note}", style="yellow"))
        self.notes.clear()

    def help(self) -> None:
        """Show what can be entered."""
        self.console.clear()
        for line in list_entries(self.state.ruleset):
            self.console.print(Text.assemble((f"  {line[:19]}", "bold"), line[19:]))
        self.ask("Enter goes on (q at the table leaves the game open): ")

    def ask(self, question: str) -> str:
        """Return a line from the keyboard."""
        return ask(question)

    def confirm(self, question: str, *, otherwise: bool = False) -> bool:
        """Ask yes or no."""
        return confirm(question, self.console, self.ask, otherwise=otherwise)

    def _say(self, refused: Refusal) -> None:
        for line in self._words_of(refused):
            self.console.print(Text(f"  {line}", style="yellow"))

    def _words_of(self, refused: Refusal) -> list[str]:
        lines = [f"{refused.code}: {printable(refused.message)}"]
        if refused.code == "ONO110" and refused.help:
            lines.append(refused.help)
        if refused.legal:
            lines.append(f"could have been played: {' '.join(refused.legal)}")
        return lines

    def _name(self, seat: int | None) -> str:
        return name_player(seat, self.names)


def _is_offered(refused: Refusal) -> bool:
    """Whether a person is asked to let it stand; a card that is not in the deck is a slip of the finger."""
    return refused.may_stand and refused.code != "ONO311"
