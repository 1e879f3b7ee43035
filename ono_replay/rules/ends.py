"""When a round and a match may be declared over, and by whom they are won."""

from ono_replay.rules.events import GameEnd, RoundEnd
from ono_replay.rules.playable import nobody_can_play
from ono_replay.rules.scoring import chips_after, points_bounds
from ono_replay.rules.state import Phase, State
from ono_replay.rules.violation import Violation


def may_rest_on_last_to_play(state: State) -> bool:
    """Whether only unknown cards keep the round from being over by `last_to_play`."""
    return (
        state.phase is Phase.PLAYING
        and not state.draws_due
        and state.ruleset.nobody_can_play == "last_to_play"
        and state.last_to_play is not None
        and state.is_in(state.last_to_play)
        and len(state.seats_in) > 1
        and nobody_can_play(state) is None
    )


def _missing_key(state: State, event: RoundEnd) -> Violation | None:
    ruleset = state.ruleset
    if ruleset.match == "chips" and event.chips is None:
        return Violation("ONO106", detail="chips")
    if ruleset.scores_points and event.points is None:
        return Violation("ONO106", detail="points")
    if ruleset.scores_points and event.scores is None:
        return Violation("ONO106", detail="scores")
    return None


def _round_not_over(state: State) -> Violation | None:
    phase = state.phase
    if phase in (Phase.BEFORE_ROUND, Phase.MATCH_OVER, Phase.ENDED):
        return Violation("ONO204", detail=phase.value)
    if phase is Phase.DEALING:
        return Violation("ONO404", detail="dealing")
    if state.draws_due:
        return Violation("ONO308", expected=state.drawer, actual=state.draws_due)
    if phase is Phase.PLAYING and not may_rest_on_last_to_play(state):
        return Violation("ONO404", detail="round", expected=state.seats_in)
    return None


def why_not_round_end(state: State, event: RoundEnd) -> Violation | None:
    """Return the first rule that a `round_end` breaks, or None."""
    blocked = _missing_key(state, event) or _round_not_over(state)
    if blocked is not None:
        return blocked
    if event.round != state.round:
        return Violation("ONO107", detail="round", expected=state.round, actual=event.round)
    winner = state.last_to_play if state.phase is Phase.PLAYING else state.winner
    if event.winner != winner:
        return Violation("ONO403", detail="round", expected=winner, actual=event.winner)
    loser = state.out[0] if state.out else None
    if event.loser != loser:
        return Violation("ONO408", expected=loser, actual=event.loser)
    return _why_not_chips(state, event) or _why_not_points(state, event)


def _why_not_chips(state: State, event: RoundEnd) -> Violation | None:
    if state.match.chips is None:
        return (
            Violation("ONO406", detail="none_belong", actual=event.chips) if event.chips is not None else None
        )
    expected = chips_after(state)
    return None if event.chips == expected else Violation("ONO406", expected=expected, actual=event.chips)


def _why_not_points(state: State, event: RoundEnd) -> Violation | None:
    points, scores, before = event.points, event.scores, state.match.scores
    if before is None:
        given = points if points is not None else scores
        return Violation("ONO407", detail="none_belong", actual=given) if given is not None else None
    assert points is not None
    assert scores is not None
    bounds = points_bounds(state)
    for seat, bound in enumerate(bounds):
        point = points[seat]
        if (point is None) != (bound is None) or (
            bound is not None and point is not None and not bound[0] <= point <= bound[1]
        ):
            shown = bound[0] if bound is not None and bound[0] == bound[1] else bound
            return Violation("ONO407", detail=f"points:{seat}", expected=shown, actual=point)
    for seat, point in enumerate(points):
        was = before[seat]
        score = None if point is None or was is None else was + point
        if scores[seat] != score:
            return Violation("ONO407", detail=f"scores:{seat}", expected=score, actual=scores[seat])
    return None


def why_not_game_end(state: State, event: GameEnd) -> Violation | None:
    """Return the first rule that a `game_end` breaks, or None."""
    phase = state.phase
    if phase is Phase.ENDED:
        return Violation("ONO204", detail="ended")
    if event.reason == "abandoned":
        if event.winners:
            return Violation("ONO403", detail="abandoned", expected=(), actual=event.winners)
        return None
    if phase is Phase.ROUND_OVER:
        return Violation("ONO204", detail="round_end_missing")
    if phase is Phase.DEALING:
        return Violation("ONO404", detail="dealing")
    if state.draws_due:
        return Violation("ONO308", expected=state.drawer, actual=state.draws_due)
    if phase is not Phase.MATCH_OVER:
        return Violation("ONO404", detail="match" if phase is Phase.BEFORE_ROUND else "round")
    if event.winners != state.match.winners:
        return Violation("ONO403", detail="game", expected=state.match.winners, actual=event.winners)
    return None
