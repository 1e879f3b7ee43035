"""A deal against its seed: what verifies, what claims nothing, and each way to differ."""

import io

import pytest
from msgspec.structs import replace

from ono_replay.log.jsonl import canonical, encode_game
from ono_replay.log.redact import view_of
from ono_replay.rules.events import Comment, Deal, Draw, Reshuffle, RoundEnd, RoundStart, Shuffle, Undo
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan
from ono_replay.simulate.shuffle import TRANSCENDENCE, commitment_to, deck_from
from ono_replay.simulate.verify import verify_deals

SMALL_DECK = {"deck": {"1": 12, "2": 4, "reverse": 6, "ono_99": 2}}


def game(*, decks=False, **more):
    """A game with a reshuffle."""
    simulator = Simulator(Plan(players=2, seed=3, rules=SMALL_DECK, decks=decks, **more))
    events = simulator.events(0)
    assert any(isinstance(event, Reshuffle) for event in events)
    return events


def check(events):
    (found,) = verify_deals(io.BytesIO(encode_game(events)))
    return found


def changed(events, kind, number=0, **changes):
    """Events with the one of a kind changed."""
    place = [place for place, event in enumerate(events) if isinstance(event, kind)][number]
    return [*events[:place], replace(events[place], **changes), *events[place + 1 :]]


@pytest.mark.parametrize("decks", [False, True])
def test_a_game_as_it_was_dealt(decks):
    found = check(game(decks=decks))
    assert (found.outcome, found.failed, found.hidden) == ("verified", False, 0)
    assert found.algorithm == "sha256-fisher-yates-1"
    assert found.compared > 20


def test_a_match_has_a_check_for_each_round():
    plan = Plan(edition="1980", players=3, seed=3, forfeits=0.2, mistakes=0.05)
    checks = list(verify_deals(io.BytesIO(Simulator(plan).log(0))))
    assert [found.round for found in checks] == list(range(1, len(checks) + 1))
    assert {found.outcome for found in checks} == {"verified"}


@pytest.mark.parametrize(
    ("kind", "number", "changes", "what"),
    [
        (RoundStart, 0, {"shuffle": Shuffle(algorithm="sha256-fisher-yates-1", seed="other")}, "deck"),
        (RoundStart, 0, {"deck": ("1",) * 24}, "deck"),
        (Deal, 1, {"cards": ("ono_99", "ono_99", "ono_99", "ono_99")}, "deal"),
        (Draw, 0, {"card": "ono_99"}, "draw"),
        (Draw, 20, {"card": "ono_99"}, "draw"),
        (Reshuffle, 0, {"deck": ("1",) * 16}, "reshuffle"),
    ],
)
def test_what_differs(kind, number, changes, what):
    events = changed(game(decks=True), kind, number, **changes)
    found = check(events)
    assert (found.outcome, found.failed, found.what) == ("differs", True, what)
    assert found.expected != found.actual
    assert isinstance(next(event for event in events if event.seq == found.seq), kind)


def test_a_seed_that_is_not_the_one_committed_to():
    told = Shuffle(algorithm="sha256-fisher-yates-1", seed="sim-3-0/1", commitment=commitment_to("other"))
    found = check(changed(game(), RoundStart, shuffle=told))
    assert (found.outcome, found.what) == ("differs", "commitment")
    assert found.actual == commitment_to("other")


def test_a_seed_revealed_after_the_round():
    told = Shuffle(algorithm="sha256-fisher-yates-1", commitment=commitment_to("sim-3-0/1"))
    events = changed(game(), RoundStart, shuffle=told)
    assert check(events).outcome == "no_seed"
    assert check(changed(events, RoundEnd, seed="sim-3-0/1")).outcome == "verified"
    assert check(changed(events, RoundEnd, seed="other")).what == "commitment"
    assert check(changed(game(), RoundEnd, seed="other")).what == "seed"


def test_an_unknown_algorithm_did_not_verify():
    found = check(changed(game(), RoundStart, shuffle=Shuffle(algorithm="riffle", seed="x")))
    assert (found.outcome, found.failed, found.algorithm) == ("unknown_algorithm", True, "riffle")
    found = check(changed(changed(game(), RoundStart, shuffle=None), RoundEnd, seed="x"))
    assert (found.outcome, found.algorithm) == ("unknown_algorithm", None)


def test_the_algorithm_of_another_engine():
    events = game()
    simulator = Simulator(Plan(players=2, seed=3, rules=SMALL_DECK))
    deck = deck_from(TRANSCENDENCE, "x", simulator.ruleset)
    start = replace(events[1], shuffle=Shuffle(algorithm=TRANSCENDENCE, seed="x"))
    deals = [Deal(2, 0, deck[0:8:2]), Deal(3, 1, deck[1:8:2])]
    assert check([events[0], start, *deals]).outcome == "verified"


def test_a_log_without_a_seed_claims_nothing():
    found = check(view_of(game(), None))
    assert (found.outcome, found.failed) == ("no_seed", False)


def test_where_everything_is_hidden_nothing_is_verified():
    hidden = view_of(game(), None)
    told = Shuffle(algorithm="sha256-fisher-yates-1", seed="sim-3-0/1")
    found = check(changed(hidden, RoundStart, shuffle=told))
    assert (found.outcome, found.failed, found.compared) == ("nothing_to_compare", False, 0)
    assert found.hidden > 20


def test_what_a_seat_sees_is_compared():
    told = Shuffle(algorithm="sha256-fisher-yates-1", seed="sim-3-0/1")
    found = check(changed(view_of(game(), 0), RoundStart, shuffle=told))
    assert (found.outcome, found.compared > 4, found.hidden > 4) == ("verified", True, True)


def test_a_deal_that_is_missing():
    events = game()
    found = check([*events[:3], *events[4:]])
    assert (found.outcome, found.what, found.expected, found.actual) == ("differs", "deal", "8", "4")


def test_a_draw_that_is_missing_is_seen_at_the_next():
    events = [event for event in game() if event.seq != 5]
    assert check(events).what == "draw"


def test_undone_events_do_not_count():
    events = game()[:5]
    draw = game()[5]
    wrong = replace(draw, card="ono_99" if draw.card != "ono_99" else "1")
    log = [*events, wrong, Undo(6, 4), replace(draw, seq=7), Comment(8, text="ok")]
    assert check(log).outcome == "verified"


def test_what_can_not_be_read_did_not_verify():
    lines = [canonical(event) for event in game()]
    lines[0] = lines[0].replace(b'"2022"', b'"1999"')
    (found,) = verify_deals(io.BytesIO(b"\n".join(lines)))
    assert (found.outcome, found.failed, found.round) == ("unreadable", True, None)
    assert list(verify_deals(io.BytesIO(b""))) == []
