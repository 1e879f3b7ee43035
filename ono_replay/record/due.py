"""What follows from a state without anybody's choice: draws, reshuffles, round ends, the next round, its deals.

Events are made with `seq` 0; the recorder numbers them.
"""

from msgspec.structs import replace

from ono_replay.rules.cards import HIDDEN
from ono_replay.rules.events import Deal, Draw, Event, GameEnd, Reshuffle, RoundEnd, RoundStart
from ono_replay.rules.legality import cards_to_reshuffle
from ono_replay.rules.scoring import chips_after, points_bounds
from ono_replay.rules.setup import HAND_SIZE, expected_dealer, expected_starter
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance

Points = tuple[int | None, ...]


def draws(state: State) -> list[Event]:
    """Return the draws that are due, of cards that nobody sees, with the reshuffles that they need.

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> from ono_replay.rules.state import first_state
    >>> draws(first_state(EDITIONS["2022"], 2))
    []
    """
    events: list[Event] = []
    while state.draws_due and state.drawer is not None:
        event: Event = Draw(0, state.drawer, HIDDEN)
        if not state.draw_pile:
            event = Reshuffle(0, cards_to_reshuffle(state))
        events.append(event)
        state = advance(state, event)
    return events


def round_end(state: State, points: Points | None = None, seed: str | None = None) -> RoundEnd:
    """Return the end of the round as the state makes it.

    `points` are those of this round by seat; without them unknown cards count nothing.
    """
    scores: Points | None = None
    before = state.match.scores
    if before is None:
        points = None
    else:
        if points is None:
            points = tuple(None if bound is None else bound[0] for bound in points_bounds(state))
        # One number too few or too many is for the shape of the event to say.
        scores = tuple(
            None if was is None or now is None else was + now
            for was, now in zip(before, points, strict=False)
        )
    return RoundEnd(
        0,
        round=state.round,
        winner=state.last_to_play if state.phase is Phase.PLAYING else state.winner,
        loser=state.out[0] if state.out else None,
        chips=None if state.match.chips is None else chips_after(state),
        points=points,
        scores=scores,
        seed=seed,
    )


def starter_is_free(state: State, dealer: int | None = None) -> bool:
    """Whether the table chooses who starts the next round; `dealer` is that of the first round."""
    return expected_starter(state.match, round_start(state, dealer=dealer)) is None


def round_start(state: State, *, dealer: int | None = None, starter: int | None = None) -> RoundStart:
    """Return the start of the next round; `dealer` is that of the first round, where one is named.

    Where the rules leave open who starts, that is `starter`, else the seat after the dealer or, without
    one, after the last starter, else seat 0.
    """
    match = state.match
    start = RoundStart(0, state.round + 1, expected_dealer(match) if match.rounds else dealer, starter=0)
    must = expected_starter(match, start)
    if must is None:
        before = state.starter if start.dealer is None else start.dealer
        usual = 0 if before is None else match.next_in(before)
        must = usual if starter is None else starter
    return replace(start, starter=must)


def deals(state: State) -> list[Event]:
    """Return a deal of unknown cards for each seat that has none yet."""
    return [
        Deal(0, seat, (HIDDEN,) * HAND_SIZE) for seat in state.match.seats_in() if seat not in state.dealt
    ]


def game_end(state: State) -> GameEnd:
    """Return the end of the game, won by whom the state has as winners."""
    return GameEnd(0, winners=state.match.winners or (), reason="completed")


def by_itself(
    state: State, *, dealer: int | None = None, starter: int | None = None, points: Points | None = None
) -> list[Event]:
    """Return what a table with unknown hands does next without anybody's choice.

    A bust card's draw, the end of a round that is over, the start of the next and its deals; not the draw
    after a card, which may yet be forfeited, and not the end of the game.
    """
    events: list[Event] = []
    while True:
        if state.draws_due:
            following = draws(state) if state.bust_draw else []
        elif state.phase is Phase.ROUND_OVER:
            following = [round_end(state, points)]
        elif state.phase is Phase.BEFORE_ROUND:
            following = [round_start(state, dealer=dealer, starter=starter)]
        elif state.phase is Phase.DEALING:
            following = deals(state)
        else:
            following = []
        if not following:
            return events
        for event in following:
            state = advance(state, event)
        events += following
