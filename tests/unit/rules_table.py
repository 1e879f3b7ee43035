"""A table set up in one line, for tests of the rules: hands, total, who is to act; then cards are played.

Everything goes through `apply`: a test that sets up what the rules do not allow fails at once.
"""

from msgspec.structs import replace

from ono_replay.rules.cards import DISCARD_FOUR, HIDDEN, sort_cards
from ono_replay.rules.events import (
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    ForfeitDraw,
    GameEnd,
    Play,
    Position,
    Reshuffle,
    RoundEnd,
    RoundStart,
)
from ono_replay.rules.legality import cards_to_reshuffle, why_illegal
from ono_replay.rules.playable import total_after
from ono_replay.rules.ruleset import make_ruleset
from ono_replay.rules.scoring import chips_after, points_bounds
from ono_replay.rules.state import State, first_state
from ono_replay.rules.transition import apply


def hand(cards):
    """`"7 ono_99 ? ?"` as a hand."""
    return sort_cards(cards.split())


def rules(edition="2022", **options):
    return make_ruleset({"edition": edition, **options})


def table(*hands, edition="2022", total=0, turn=0, direction=1, plays_due=1, second=False, out=(),
          draw_pile=None, discard_pile=0, chips=None, scores=None, round_number=1, **options):  # fmt: skip
    """A round that is being played: each hand is written as `"7 9 reverse ?"`."""
    ruleset = rules(edition, **options)
    held = tuple(map(hand, hands))
    if draw_pile is None:
        on_piles = discard_pile if isinstance(discard_pile, int) else len(discard_pile)
        draw_pile = ruleset.deck_size - sum(map(len, held)) - on_piles
    position = Position(
        total=total, direction=direction, turn=turn, plays_due=plays_due, second=second, hands=held,
        out=tuple(out), draw_pile=draw_pile, discard_pile=discard_pile, chips=chips, scores=scores,
    )  # fmt: skip
    return apply(first_state(ruleset, len(hands)), RoundStart(1, round_number, None, turn, position=position))


def dealt(*hands, edition="2022", dealer=None, starter=0, recorded=None, **options):
    """A round as it begins, without a position: the hands are dealt and the starter is to act."""
    state = first_state(rules(edition, **options), len(hands))
    return deal(apply(state, RoundStart(1, 1, dealer, starter, deck=recorded)), *hands)


def deal(state, *hands):
    for seat, cards in enumerate(hands):
        if seat not in state.match.gone:
            state = apply(state, Deal(2, seat, hand(cards)))
    return state


def code(state, event: Event):
    """The code of the rule that an event breaks, None for a legal one."""
    found = why_illegal(state, event)
    return None if found is None else found.code


def put(state, card, seat=None, total=None):
    """A play by the seat to act, with the right total."""
    seat = state.turn if seat is None else seat
    return Play(9, seat, card, total_after(state.ruleset, state.total, card) if total is None else total)


def draw(state, card=HIDDEN):
    """Draw all that is due, `card` each time, with the reshuffles that takes."""
    while state.draws_due:
        if not state.draw_pile:
            state = apply(state, Reshuffle(9, cards_to_reshuffle(state)))
        state = apply(state, Draw(9, state.drawer, card))
    return state


def play(state, *cards, drawn=HIDDEN):
    """Play cards one after the other, whoever is to act, and draw `drawn` after each."""
    for card in cards:
        event = DiscardFour(9, state.turn) if card == DISCARD_FOUR else put(state, card)
        state = draw(apply(state, event), drawn)
    return state


def fall(state, seat=None, *, reason="no_legal_play", card=None, shown=None):
    """The elimination of the seat to act, or another."""
    return Eliminate(9, state.turn if seat is None else seat, reason, card, shown)


def out(state, seat=None, **how):
    """Eliminate the seat to act, or another, with the draw of a bust card."""
    return draw(apply(state, fall(state, seat, **how)))


def left(state, seat):
    return out(state, seat, reason="left")


def forfeit(state):
    return apply(state, ForfeitDraw(9, state.drawer))


def right_end(state: State) -> RoundEnd:
    """The `round_end` that is right, the hands known."""
    points = scores = None
    if state.match.scores is not None:
        points = tuple(bound and bound[0] for bound in points_bounds(state))
        scores = tuple(
            None if was is None or got is None else was + got
            for was, got in zip(state.match.scores, points, strict=True)
        )
    return RoundEnd(
        9,
        round=state.round,
        winner=state.winner,
        loser=state.out[0] if state.out else None,
        chips=None if state.match.chips is None else chips_after(state),
        points=points,
        scores=scores,
    )


def end_round(state, **changes):
    return apply(state, replace(right_end(state), **changes))


def next_round(state, starter, dealer=None):
    return RoundStart(9, state.round + 1, dealer, starter)


def game_end(*winners, reason="completed"):
    return GameEnd(9, winners, reason)


def to_act(state):
    """Whose turn it is, how many cards are owed, and whether the second of a pair is."""
    return state.turn, state.plays_due, state.second
