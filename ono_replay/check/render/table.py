"""The table in a few words: the total, who is to act and owes what, the piles, a hand."""

from collections.abc import Iterator, Sequence

from ono_replay.check.phrases import count_of, name_cards, name_player, name_players
from ono_replay.rules.state import Phase, State

_PHASES = {
    Phase.BEFORE_ROUND: "no round is being played",
    Phase.DEALING: "cards are being dealt",
    Phase.ROUND_OVER: "the round is over",
    Phase.MATCH_OVER: "the match is over",
    Phase.ENDED: "the game has ended",
}


def describe_table(state: State, seat: int | None, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the rows of a picture of the table, label and text; `seat` is the one whose hand is shown.

    Without a seat it is that of the seat to act. Names stand as they are.

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> from ono_replay.rules.state import first_state
    >>> list(describe_table(first_state(EDITIONS["2022"], 2), None, ["Ann", "Bo"]))
    [('before', 'no round is being played')]
    """
    yield "before", _moment(state, names)
    if state.phase in (Phase.BEFORE_ROUND, Phase.MATCH_OVER, Phase.ENDED):
        return
    yield "", _piles(state)
    if state.out:
        yield "out", name_players(state.out, names)
    shown = state.turn if seat is None else seat
    if shown is not None and 0 <= shown < len(state.hands) and (state.hands[shown] or state.opened):
        yield "hand", f"{name_cards(state.hands[shown])} – {name_player(shown, names)}"


def _moment(state: State, names: Sequence[str]) -> str:
    if state.phase is not Phase.PLAYING:
        parts = [_PHASES[state.phase]]
        if state.phase is Phase.ROUND_OVER:
            parts.insert(0, f"total {state.total}")
    else:
        parts = [f"total {state.total}", f"{name_player(state.turn, names)} to play{_owed(state)}"]
    if state.draws_due:
        parts.append(f"{name_player(state.drawer, names)} to draw {count_of(state.draws_due, 'card')} first")
    return ", ".join(parts)


def _owed(state: State) -> str:
    if state.plays_due == 2:
        return " the first of two cards"
    return " the second of two cards" if state.second else ""


def _piles(state: State) -> str:
    way = "clockwise" if state.direction == 1 else "counter-clockwise"
    return f"{way}, draw pile {state.draw_pile}, discard pile {state.discard_pile}"
