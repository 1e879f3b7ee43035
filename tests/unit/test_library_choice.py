"""Choices of games: what an address says, as a condition that is let through and means what it says."""

import pytest

from dashboard.words import value_told
from ono_replay.library.choice import FIELDS, NOTHING, SORTS, USES, condition_of
from ono_replay.library.conditions import chosen_by
from ono_replay.library.importing import import_logs
from ono_replay.library.listing import ORDERS, count_games, kinds_of_games, list_games
from ono_replay.library.stats import statistic
from ono_replay.library.store import Library
from ono_replay.log.jsonl import encode_game
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

PLANS = [
    Plan(edition="2022", players=3, seed=1, bots=("oneply", "low", "saver")),
    Plan(edition="1980", players=2, seed=2, bots=("low", "saver"), match="single"),
    Plan(edition="2022", players=4, seed=3, mistakes=0.05),
]
HOSTILE = ["'", "' or true --", "\\", "%", "a\nb", "\u202e", "1)", "; drop view games", "x" * 500, "-", "😀"]


@pytest.fixture(scope="module")
def games():
    return [list(Simulator(plan).events(index)) for plan in PLANS for index in range(5)]


@pytest.fixture(scope="module")
def library(games, tmp_path_factory):
    folder = tmp_path_factory.mktemp("choice")
    logs = [encode_game(events) for events in games] + [
        encode_game(games[0][:30]).replace(b"sim-1-0", b"cut-off")
    ]
    for place, log in enumerate(logs):
        (folder / f"{place}.ono.jsonl").write_bytes(log)
    import_logs([str(path) for path in sorted(folder.glob("*.jsonl"))], folder / "library", jobs=1)
    with Library(folder / "library") as opened:
        yield opened


def ids(library, **choice):
    return {game.game_id for game in list_games(library, most=100, choice=choice)}


def wanted(games, test):
    return {events[0].game_id for events in games if test(events)}


def test_choices_are_those_of_the_logs(library, games):
    assert ids(library, edition="1980") == wanted(
        games, lambda events: events[0].ruleset["edition"] == "1980"
    )
    assert ids(library, n_players="4") == wanted(games, lambda events: len(events[0].players) == 4)
    assert ids(library, sort="unfinished") == {"cut-off"}
    assert ids(library, sort="counted", player="oneply", won="yes") == wanted(
        games,
        lambda events: any(
            events[0].players[seat].name == "oneply" for seat in events[-1].winners
        ) and not any(event.irregular for event in events),
    )  # fmt: skip
    assert ids(library, card="hold", use="played", sort="counted") == wanted(
        games,
        lambda events: (
            any(event.type == "play" and event.card == "hold" for event in events)
            and not any(event.irregular for event in events)
        ),
    )
    assert ids(library, seat="2", won="yes") <= ids(library, seat="2")
    assert ids(library, player="low", opponent="oneply") == ids(library, player="oneply", opponent="low")
    assert ids(library, game="cut-off") == ids(library, q="CUT off") == {"cut-off"}
    assert ids(library, app=NOTHING) | ids(library, app="ono-replay") <= ids(library)


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_whatever_an_address_says_only_chooses(library, name):
    for value in HOSTILE:
        assert chosen_by(condition_of({name: value, "card": "hold"}))
    for value in HOSTILE[:3]:
        assert 0 <= count_games(library, {name: value}) <= 16


def test_what_is_no_field_is_passed_over():
    assert condition_of({"log": "x", "event": "3", "q": "", "use": "played"}) == ""
    assert all(condition_of({"sort": sort}) for sort in SORTS)
    assert len({condition_of({"card": "7", "use": use}) for use in USES}) == len(USES)


def test_a_choice_about_events_leads_to_the_first_of_them(library, games):
    events = {log[0].game_id: {event.seq: event for event in log[1:]} for log in games}
    seats = {log[0].game_id: [player.name for player in log[0].players] for log in games}

    def moments(**choice):
        found = {game.game_id: game.moment for game in list_games(library, most=100, choice=choice)}
        return {game: events[game][seq] for game, seq in found.items() if seq is not None and game in events}

    assert not moments(edition="2022")
    falls = moments(cause="bust") | moments(cause="first_card")
    assert falls
    assert {event.type for event in falls.values()} == {"eliminate"}
    for game, event in moments(cause="first_card", player="saver").items():
        assert seats[game][event.seat] == "saver"
    set_by = moments(set="yes", player="low")
    assert set_by
    assert {(event.type, event.reason) for event in set_by.values()} == {("eliminate", "no_legal_play")}
    chains = moments(chain="2")
    assert chains
    assert {event.type for event in chains.values()} == {"play"}
    assert moments(pairs="any").keys() >= chains.keys()
    for game, event in chains.items():
        assert moments(pairs="any")[game].seq <= event.seq
    for value in HOSTILE:
        for name in ("cause", "set", "chain", "pairs"):
            assert len(list_games(library, most=100, choice={name: value, "player": value})) <= 16


@pytest.mark.parametrize("by", ["player", "seat", "bot"])
@pytest.mark.parametrize("name", ["eliminations", "pair_chains"])
def test_each_count_of_events_leads_to_as_many_games_and_in_each_to_one(library, name, by):
    told = statistic(library, name, by=[by])
    counted = 0
    for row in told.rows:
        of_player = {by: value_told(row[by]), "sort": "counted"}
        happened = {"cause": row.get("cause")}
        if name == "pair_chains":
            happened = {"chain": row["length"]} if row["length"] else {"pairs": row["measure"]}
            if row["measure"] not in ("share", "deflected", "survived"):
                continue
        found = list_games(
            library, most=100, choice=of_player | {key: str(value) for key, value in happened.items()}
        )
        assert len(found) <= row["k"]
        assert bool(found) == bool(row["k"])
        assert all(game.moment is not None for game in found)
        counted += len(found)
    assert counted >= 10


def test_lists_have_an_order_and_an_end(library):
    assert len(list_games(library, most=3)) == 3
    events = [game.events for game in list_games(library, most=100, order="longest")]
    assert events == sorted(events, reverse=True)
    there = [game.game_id for game in list_games(library, most=100)]
    assert [game.game_id for game in list_games(library, most=100, order="game_back")] == there[::-1]
    for order in ORDERS:
        assert len(list_games(library, most=100, order=order)) == count_games(library) == 16
    assert sum(kind.games for kind in kinds_of_games(library)) == 16
