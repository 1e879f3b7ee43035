"""Samples that are simulated games, whole or in part, as they are or dressed as games of people."""

from collections.abc import Sequence

from msgspec.structs import replace

from ono_replay.log.redact import view_of
from ono_replay.rules.events import (
    Comment,
    Draw,
    Eliminate,
    EliminationReason,
    Event,
    GameEnd,
    Play,
    Player,
    RoundEnd,
    Undo,
)
from ono_replay.simulate.game import Simulator, Table
from ono_replay.simulate.plan import Plan
from ono_replay.simulate.samples.sample import (
    APP,
    Sample,
    game,
    played_by,
    sample,
    timed,
    with_comment,
)

FAMILY = ("Zoë", "Jürgen", "Łucja", "Émile")
CLUB = ("Ann", "Bo", "Cy", "Dee", "Eli", "Fay")

EDITION_2022 = Plan(players=2, seed=2022, bots=("saver", "oneply"))
FOUR = Plan(players=4, seed=2022, bots=("low", "saver", "random", "oneply"))
SIX = Plan(players=6, seed=2022, bots=("saver",))
OLD = Plan(
    edition="1980", players=5, seed=1980, match="single", bots=("low", "saver", "random"), forfeits=0.05
)
CHIPS = Plan(edition="1980", players=3, seed=1980, bots=("saver", "oneply", "low"), forfeits=0.02)
LAST_STANDING = Plan(
    edition="1980",
    players=2,
    seed=1980,
    match="points_last_standing",
    points_target=150,
    bots=("saver", "oneply"),
    forfeits=0.05,
)
LOW_SCORE = Plan(edition="1980", players=3, seed=1980, match="points_low_score", bots=("saver", "oneply"))
HOUSE = Plan(
    edition="2022",
    players=3,
    seed=7,
    bots=("low", "saver"),
    decks=True,
    rules={
        "max_total": 99,
        "minus_ten_floor": "illegal",
        "four_ono_99": "free_action",
        "ono_99_on_zero": True,
        "opening_card": "number",
        "reshuffle_keep_top": True,
        "deck": {
            "0": 3,
            "1": 4,
            "2": 4,
            "5": 4,
            "10": 4,
            "-10": 4,
            "reverse": 6,
            "hold": 4,
            "play_2": 4,
            "ono_99": 6,
        },
    },
)
NOBODY = Plan(players=3, seed=99, bots=("random",), rules={"nobody_can_play": "last_to_play"})
CARELESS = Plan(players=3, seed=5, bots=("low",), mistakes=0.05)
DEALER = Plan(
    edition="1980", players=4, seed=80, match="chips", rules={"chips": 1, "next_starter": "left_of_dealer"}
)


INCIDENTS: tuple[tuple[int, EliminationReason, int], ...] = ((2, "timeout", 30), (1, "left", 50))
"""Seat, reason, and the event from which on it happens."""


class _OnlineTable(Table):
    """A table on which seat 2 runs out of time and, later, seat 1 leaves."""

    def take_turn(self) -> None:
        seq = len(self.events)
        for seat, reason, moment in INCIDENTS:
            if seq >= moment and self.state.is_in(seat):
                self.add(Eliminate(seq, seat, reason, hand=self.state.hands[seat]))
                return
        super().take_turn()


def _online() -> list[Event]:
    simulator = Simulator(Plan(players=4, seed=31, bots=("low", "saver")))
    events = _OnlineTable(simulator, 0).play()
    ids = tuple(Player(name, id=f"u-{number}") for number, name in enumerate(CLUB[:4], 101))
    dressed = played_by(events, *CLUB[:4], players=ids, source=APP)
    return timed(dressed, since="2026-03-01T20:15:00Z")


def _irregular() -> list[Event]:
    events = played_by(game(CARELESS, 51), *CLUB[:3])
    for event in reversed(events):
        if event.irregular:
            text = "the total is wrong, but play went on" if isinstance(event, Play) else "gave up too early"
            events = with_comment(events, event.seq, text, ref=event.seq)
    return events


def _public_table() -> list[Event]:
    events = view_of(game(LAST_STANDING, 613), None)
    return timed(played_by(events, "Zoë", "Jürgen"), since="2025-12-26T16:04:00+01:00")


def _table_of_2022() -> list[Event]:
    return timed(played_by(view_of(game(FOUR, 12), None), *FAMILY), since="2026-01-01T19:30:00+01:00")


def _seat() -> list[Event]:
    return played_by(view_of(game(Plan(players=3, seed=11, bots=("saver",))), 1), *CLUB[:3], source=APP)


def _abandoned() -> list[Event]:
    events = played_by(game(FOUR, 3), *CLUB[:4])[:31]
    return [*events, Comment(31, "the pizza is here"), GameEnd(32, (), "abandoned")]


OK: tuple[Sample, ...] = (
    sample(
        "ok/2022-two-players",
        "Two bots, one round; play_2 and reverse send a pair back.",
        game(EDITION_2022, 582),
    ),
    sample(
        "ok/2022-every-card",
        "Four bots; every kind of card, also four ono_99 discarded at once.",
        game(FOUR, 4701),
    ),
    sample("ok/2022-six-players", "Six bots, a full table.", game(SIX, 500)),
    sample(
        "ok/2022-table",
        "A family at a real table: hands and draws are unknown, names have accents.",
        _table_of_2022(),
    ),
    sample("ok/2022-seat-view", "What seat 1 saw of a game.", _seat()),
    sample("ok/2022-online", "An app's game with clock: one player runs out of time, one leaves.", _online()),
    sample(
        "ok/2022-nobody-can-play",
        "nobody_can_play = last_to_play: who played last wins the round.",
        game(NOBODY, 3),
    ),
    sample(
        "ok/2022-let-stand", "A wrong total and a player who gave up too early, both let stand.", _irregular()
    ),
    sample("ok/2022-abandoned", "Nobody finished it.", _abandoned()),
    sample(
        "ok/house-rules",
        "A deck and rules of the house, whole decks recorded, a reshuffle.",
        game(HOUSE, 2582),
    ),
    sample(
        "ok/1980-chips",
        "A whole chips match of three bots, a draw forfeited here and there.",
        game(CHIPS, 26),
    ),
    sample(
        "ok/1980-left-of-dealer", "A chips match with one chip each; the deal goes around.", game(DEALER, 0)
    ),
    sample(
        "ok/1980-single",
        "One round of five; hold and reverse deflect, draws are forfeited, a reshuffle.",
        game(OLD, 5425),
    ),
    sample(
        "ok/1980-points-last-standing",
        "A points match with bust cards; Zoë and Jürgen at a table.",
        _public_table(),
    ),
    sample(
        "ok/1980-points-low-score",
        "A points match of three bots: the lowest score wins.",
        game(LOW_SCORE, 1428),
    ),
)
"""Whole games without a fault."""


def _cut(events: Sequence[Event], seq: int) -> list[Event]:
    return [event for event in events if event.seq <= seq]


def _unfinished() -> list[Event]:
    return _cut(
        timed(played_by(view_of(game(CHIPS, 2), None), *FAMILY[:3]), since="2026-02-14T18:00:00Z"), 150
    )


def _between_rounds() -> list[Event]:
    events = game(LOW_SCORE, 7)
    return _cut(events, next(event.seq for event in events if isinstance(event, RoundEnd)))


def _undone() -> list[Event]:
    """A card is misread, taken back and entered right; later a play is taken back and done again."""
    events = played_by(view_of(game(FOUR, 21), None), *FAMILY)
    plays = [event for event in events if isinstance(event, Play)]
    wrong = plays[4]
    log = _cut(events, wrong.seq - 1)
    log += [replace(wrong, card="9", total=plays[3].total + 9), Undo(wrong.seq + 1, wrong.seq - 1)]
    log += [replace(event, seq=event.seq + 2) for event in events if wrong.seq <= event.seq <= plays[9].seq]
    last = log[-1].seq
    # Undone, and done again: an undo may lead to an event that an undo has voided.
    return [*log, Undo(last + 1, last - 1), Undo(last + 2, last), Draw(last + 3, plays[9].seat, "?")]


OPEN: tuple[Sample, ...] = (
    sample("open/1980-table-unfinished", "A table's chips match in the middle of a round.", _unfinished()),
    sample("open/1980-between-rounds", "A points match after its first round.", _between_rounds()),
    sample("open/2022-just-dealt", "The cards are dealt, nothing is played.", _cut(game(SIX, 1), 7)),
    sample("open/2022-undo-and-redo", "A card misread and undone; another undone and redone.", _undone()),
)
"""Games that are not over."""
