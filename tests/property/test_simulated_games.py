"""Laws of simulated games: legal, conserved, clean, and the same bytes again."""

import io
from collections import Counter

from hypothesis import HealthCheck, given, settings

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.log.jsonl import canonical, encode_game
from ono_replay.log.reader import read_games
from ono_replay.rules.events import Deal, GameStart
from ono_replay.rules.legality import why_illegal
from ono_replay.rules.state import Phase, first_state
from ono_replay.rules.transition import advance
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.verify import verify_deals
from tests.property.plans import plans

games = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def steps(simulator, events):
    state = first_state(simulator.ruleset, simulator.plan.players)
    for event in events:
        after = advance(state, event)
        yield state, event, after
        state = after


def verdict_on(log):
    (report,) = validate([io.BytesIO(log)])
    assert isinstance(report, GameReport)
    return report


@games
@given(plans())
def test_every_event_is_legal_and_no_card_is_lost(plan):
    simulator = Simulator(plan)
    whole = Counter(simulator.ruleset.deck)
    for before, event, after in steps(simulator, simulator.events(3)):
        assert why_illegal(before, event) is None
        if isinstance(event, GameStart | Deal) or after.phase is Phase.DEALING:
            continue
        held = sum(map(len, after.hands))
        assert held + after.draw_pile + after.discard_pile == whole.total()
        if after.stack is not None:
            pile = after.stack[len(after.stack) - after.draw_pile :]
            assert (
                Counter(pile) + Counter(after.discards) + sum(map(Counter, after.hands), Counter()) == whole
            )


@games
@given(plans())
def test_a_log_is_canonical_and_reads_back(plan):
    simulator = Simulator(plan)
    log = simulator.log(0)
    (game,) = read_games(io.BytesIO(log))
    assert not game.faults
    assert game.events == simulator.events(0)
    assert encode_game(game.events) == log
    assert log == Simulator(plan).log(0)
    assert all(canonical(event) in log for event in game.events[-3:])


@games
@given(plans())
def test_the_validator_finds_nothing(plan):
    report = verdict_on(Simulator(plan).log(1))
    assert (report.verdict, report.diagnostics, report.unverified) == ("valid", [], 0)


@games
@given(plans(mistakes=True))
def test_mistakes_are_warnings_and_nothing_else(plan):
    report = verdict_on(Simulator(plan).log(0))
    assert (report.verdict, report.unverified) == ("valid", 0)
    assert {found.severity for found in report.diagnostics} <= {"warning"}


@games
@given(plans())
def test_every_deal_verifies(plan):
    checks = list(verify_deals(io.BytesIO(Simulator(plan).log(0))))
    assert checks
    assert {check.outcome for check in checks} == {"verified"}
    assert not any(check.hidden for check in checks)
