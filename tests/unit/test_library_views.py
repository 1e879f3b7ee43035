"""The views against the same definitions computed from the logs in plain Python, in another way.

The logs are read with `json`, the states come from `states`; nothing of `ono_replay.library` counts here.
"""

import io
import itertools
import json
from typing import Any

import pytest

from ono_replay.library.importing import import_logs
from ono_replay.library.store import Library
from ono_replay.log.jsonl import encode_game
from ono_replay.log.reader import read_games
from ono_replay.log.redact import view_of
from ono_replay.replay import read_replays
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

PLANS = [
    Plan(edition="2022", players=2, seed=1, bots=("oneply",)),
    Plan(edition="2022", players=4, seed=2, bots=("low", "saver"), mistakes=0.03),
    Plan(edition="2022", players=6, seed=3, rules={"four_ono_99": "free_action", "opening_card": "number"}),
    Plan(edition="1980", players=3, seed=4, forfeits=0.05),
    Plan(edition="1980", players=5, seed=5, match="single", rules={"nobody_can_play": "last_to_play"}),
    Plan(edition="1980", players=2, seed=6, match="single", rules={"reverse_deflects_two_players": False}),
    Plan(edition="1980", players=3, seed=7, match="points_low_score", points_target=120, mistakes=0.02),
    Plan(edition="1980", players=4, seed=8, match="points_last_standing", points_target=150),
    Plan(edition="1980", players=3, seed=9, match="single", rules={"ono_99_on_zero": True, "max_total": 99}),
    # A deck of many ono_99 and pair cards: four-card discards, hands full of ono_99, long chains.
    Plan(edition="2022", players=3, seed=10, rules={"deck": {"9": 8, "reverse": 8, "play_2": 12, "ono_99": 20}}),
]  # fmt: skip
GAMES_EACH = 6
ORDER = [*map(str, range(11)), "-10", "reverse", "hold", "double_play", "play_2", "ono_99", "?"]


def make_logs():
    """Yield logs: as simulated, broken off, without the cards of others, and with times and remarks."""
    for plan in PLANS:
        simulator = Simulator(plan)
        for index in range(GAMES_EACH):
            lines = simulator.log(index).decode().splitlines(keepends=True)
            if index == 1:
                lines = lines[: len(lines) * 2 // 3]
            if index == 2:
                lines = [_with_time(line, place) for place, line in enumerate(lines)]
                lines[-1] = lines[-1].partition(',"digest"')[0] + "}\n"
                lines.append(f'{{"seq":{len(lines)},"type":"comment","text":"well played"}}\n')
            log = "".join(lines)
            if index in (3, 4):
                log = _seen(log, viewer=None if index == 3 else 1)
            yield log


def _with_time(line, place):
    return line.replace("}\n", f',"at_ms":{place * 700 + place % 7 * 90}}}\n')


def _seen(log, viewer):
    (game,) = read_games(io.BytesIO(log.encode()))
    return encode_game(view_of(game.events, viewer)).decode()


@pytest.fixture(scope="module")
def logs():
    return list(make_logs())


@pytest.fixture(scope="module")
def games(logs, tmp_path_factory):
    """For each game its lines and the states after them, by seq."""
    path = tmp_path_factory.mktemp("views") / "games.ono.jsonl"
    path.write_text("".join(logs), encoding="utf-8")
    found: dict[str, list[Any]] = {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    starts = [place for place, line in enumerate(lines) if line["type"] == "game_start"] + [len(lines)]
    for first, last in itertools.pairwise(starts):
        found[lines[first]["game_id"]] = [lines[first:last], {}, None]
    for replay in read_replays(path):
        assert replay.report.verdict != "invalid"
        assert replay.game_id is not None
        found[replay.game_id][1] = {state["seq"]: state for state in replay.states_json()}
        found[replay.game_id][2] = replay
    return path, found


@pytest.fixture(scope="module")
def library(games, tmp_path_factory):
    folder = tmp_path_factory.mktemp("library") / "library"
    summary = import_logs([str(games[0])], folder, jobs=1)
    assert summary.total("added") == len(games[1]) == len(PLANS) * GAMES_EACH
    with Library(folder) as opened:
        yield opened


def rows(library, view, columns):
    return [tuple(row.values()) for row in library.query(f"select {columns} from {view}").to_pylist()]


def in_order(games):
    return sorted(games[1].items())


def test_games(library, games):
    expected = []
    for game_id, (lines, _, replay) in in_order(games):
        start = lines[0]
        ends = [line for line in lines if line["type"] == "game_end"]
        expected.append(
            (
                game_id, start["ruleset"]["edition"], replay.ruleset.match, start["view"], len(start["players"]),
                sum(line["type"] == "round_start" for line in lines), len(lines),
                sum(line["type"] == "play" for line in lines), "valid" if ends else "unfinished",
                ends[0]["winners"] if ends else None, ends[0]["reason"] if ends else None, None, str(games[0]),
            )
        )  # fmt: skip
    columns = "game_id, edition, match, view, n_players, n_rounds, n_events, n_plays, verdict, winners, reason, started_at, file"
    assert rows(library, "games", columns) == expected


def test_players(library, games):
    expected = []
    for game_id, (lines, _, _) in in_order(games):
        ends = [line for line in lines if line["type"] == "game_end"]
        completed = bool(ends) and ends[0]["reason"] == "completed"
        for seat, player in enumerate(lines[0]["players"]):
            won = seat in ends[0]["winners"] if completed else None
            expected.append(
                (game_id, seat, player["name"], player["name"], player.get("bot", False), won,
                 sum(line["type"] == "play" and line["seat"] == seat for line in lines))
            )  # fmt: skip
    assert rows(library, "players", "game_id, seat, player, name, bot, won, n_plays") == expected


def test_events(library, games):
    expected = []
    for game_id, (lines, states, _) in in_order(games):
        before: dict[str, Any] = {}
        for line in lines:
            state = states.get(line["seq"]) or {}
            card = line.get("card") if line["type"] in ("play", "draw", "eliminate") else None
            expected.append(
                (
                    game_id, line["seq"], state.get("round"), line["type"], line.get("seat"), card,
                    state.get("total"), before.get("total"), state.get("direction"), state.get("turn"),
                    state.get("plays_due"), state.get("second"), state.get("hands"), state.get("draw_pile"),
                    state.get("discard_pile"), line.get("at_ms"), line.get("irregular", False),
                )
            )  # fmt: skip
            before = state
    columns = (
        "game_id, seq, round, type, seat, card, total, total_before, direction, turn, plays_due, second, hands, "
        "draw_pile, discard_pile, at_ms, irregular"
    )
    assert rows(library, "events", columns) == expected


def sure_legal(replay, state, hand):
    """The legal tokens by the rules, said anew; the hand is known."""
    rules, total = replay.ruleset, state["total"]
    legal = []
    for card in ORDER[:-1]:
        if card not in hand:
            continue
        change = int(card) if card.lstrip("-").isdigit() else 0
        never_over = card in ("0", "-10", "reverse", "hold", "double_play", "play_2")
        over = total + change > rules.max_total and not never_over
        barred = card == "double_play" and state["plays_due"] == 2
        below = card == "-10" and rules.minus_ten_floor == "illegal" and total < 10
        stuck = card == "ono_99" and (
            not rules.ono_99_on_zero or total % 10 or state["ono_99_played"] or total > rules.max_total
        )
        if not (over or barred or below or stuck):
            legal.append(card)
    opening = [card for card in legal if card.isdigit()]
    if rules.opening_card == "number" and state["opening"] and opening:
        legal = opening
    if rules.four_ono_99 != "off" and hand.count("ono_99") >= 4:
        legal.append("discard_four")
    return legal


def test_decisions(library, games):
    expected = []
    for game_id, (lines, states, replay) in in_order(games):
        before: dict[str, Any] = {}
        opening, played = True, False
        for line in lines:
            state = states.get(line["seq"]) or {}
            if line["type"] == "round_start":
                opening, played = True, False
            if line["type"] in ("play", "discard_four"):
                seat = line["seat"]
                hand = before["hands"][seat]
                here = {**before, "opening": opening, "ono_99_played": played}
                legal = None if "?" in hand else sure_legal(replay, here, hand)
                expected.append(
                    (
                        game_id, line["seq"], before["round"], seat, before["total"], before["plays_due"],
                        before["second"], hand, legal, line.get("card", "discard_four"),
                        None if legal is None else len(legal) == 1,
                    )
                )  # fmt: skip
                free = line["type"] == "discard_four" and replay.ruleset.four_ono_99 == "free_action"
                opening = opening and free
                played = (played or line.get("card") == "ono_99") and state["second"]
            if line["type"] == "eliminate":
                played = False
            before = state
    columns = "game_id, seq, round, seat, total_before, plays_due, second, hand, legal, card, forced"
    found = rows(library, "decisions", columns)
    assert found == expected
    assert any(row[9] == "discard_four" for row in found)
    assert any(row[8] is None for row in found)


def test_eliminations(library, games):
    expected = []
    for game_id, (lines, states, _) in in_order(games):
        before: dict[str, Any] = {}
        setter = None
        for line in lines:
            state = states.get(line["seq"]) or {}
            if line["type"] == "round_start":
                setter = None
            if line["type"] == "play" and state["total"] != before["total"]:
                setter = line["seat"]
            if line["type"] == "eliminate":
                hand = state["hands"][line["seat"]]
                if line["reason"] != "no_legal_play":
                    cause = line["reason"]
                elif "card" in line:
                    cause = "bust"
                elif set(hand) == {"ono_99"}:
                    cause = "only_ono_99"
                else:
                    cause = "second_card" if before["second"] else "first_card"
                expected.append(
                    (game_id, line["seq"], state["round"], line["seat"], line["reason"], cause, before["total"], hand, setter)
                )  # fmt: skip
            before = state
    found = rows(library, "eliminations", "game_id, seq, round, seat, reason, cause, total, hand, set_by")
    assert found == expected
    assert {row[5] for row in found} >= {"bust", "only_ono_99", "second_card", "first_card"}


def chains_of(lines, states):
    """Pair chains, found by looking ahead from each card that starts one."""
    after = [(line, states.get(line["seq"]) or {}) for line in lines]
    for place, (line, state) in enumerate(after):
        before = after[place - 1][1] if place else {}
        if line["type"] != "play" or state["plays_due"] != 2 or before["plays_due"] == 2:
            continue
        seats, hit, survived, was = [line["seat"]], None, None, state
        for later, then in after[place + 1 :]:
            kind, who = later["type"], later.get("seat")
            if kind in ("round_end", "round_start", "game_end"):
                survived = True if hit is not None and kind == "round_end" else survived
                break
            if kind == "eliminate" and who == was["turn"]:
                hit, survived = who, False
                break
            if hit is not None and kind in ("play", "discard_four") and not then["second"]:
                survived = True
                break
            if hit is None and kind == "play" and then["plays_due"] == 2:
                seats.append(who)
            elif hit is None and kind in ("play", "discard_four") and then["plays_due"] == 1:
                hit = who
            was = then
        yield state["round"], line["seq"], seats[0], len(seats), hit, survived, seats[1:]


def test_pair_chains(library, games):
    expected = [
        (game_id, *chain)
        for game_id, (lines, states, _) in in_order(games)
        for chain in chains_of(lines, states)
    ]
    found = rows(
        library, "pair_chains", "game_id, round, start_seq, started_by, length, hit, survived, deflected_by"
    )
    assert found == expected
    assert max(row[4] for row in found) >= 4
    assert {row[6] for row in found} == {True, False, None}


def test_cards_are_conserved_in_full_games(library):
    sums = library.query(
        "select game_id, card, sum(dealt + drawn - plays - discarded - bust - kept) as lost "
        "from card_use join games using (game_id) where view = 'full' and n_irregular = 0 group by all"
    ).to_pylist()
    assert sums
    assert [row for row in sums if row["lost"]] == []


SAME = {
    "plays": """
        select game_id, seat, sum(plays) as n from card_use group by all having n > 0 order by all;
        select game_id, seat, count(*) as n from events where type = 'play' group by all order by all
    """,
    "card use": """
        select game_id, seat, card, plays_first, plays_second, passed_on, deflected, forced, change
        from card_use where plays > 0 order by all;
        select game_id, seat, card, count(*) filter (plays_due = 2)::int, count(*) filter (second)::int,
               count(*) filter (passed_on)::int, count(*) filter (passed_on and plays_due = 2)::int,
               count(*) filter (forced)::int, sum(total - total_before)::bigint
        from decisions where card <> 'discard_four' group by all order by all
    """,
    "fatal": """
        select game_id, seat, sum(fatal) as n from card_use group by all having n > 0 order by all;
        select game_id, set_by as seat, count(*) as n from eliminations
        where reason = 'no_legal_play' and set_by is not null group by all order by all
    """,
    "falls": """
        select game_id, seat, n_set + n_set_own, n_falls from players where n_falls > 0 order by all;
        select game_id, seat, (select count(*) from eliminations f where f.game_id = e.game_id
               and f.set_by = e.seat and reason = 'no_legal_play')::int, count(*)::int
        from eliminations e group by all order by all
    """,
    "phases": """
        select game_id, seat, phase, n, total, n_known, cards, ono_99, helpers, n_forced, n_timed, time_ms
        from phases order by all;
        select game_id, seat, ((play - 1) // 10)::int, count(*)::int, sum(total_before)::bigint,
               count(*) filter (known)::int, coalesce(sum(len(hand)) filter (known), 0)::int,
               coalesce(sum(len(list_filter(hand, lambda c: c = 'ono_99'))) filter (known), 0)::int,
               coalesce(sum(len(list_filter(hand,
                   lambda c: c in ('0', '-10', 'reverse', 'hold', 'double_play', 'play_2')))) filter (known), 0)::int,
               count(*) filter (forced)::int, count(think_ms)::int, coalesce(sum(think_ms), 0)::bigint
        from (select *, not list_contains(hand, '?') as known from decisions) group by all order by all
    """,
    "decisions": """
        select game_id, seat, n_decisions, n_known, n_forced, n_legal, n_timed, time_ms from players
        where n_decisions > 0 order by all;
        select game_id, seat, count(*)::int, count(legal)::int, count(*) filter (forced)::int,
               coalesce(sum(len(legal)), 0)::int, count(think_ms)::int, coalesce(sum(think_ms), 0)::bigint
        from decisions group by all order by all
    """,
    "pairs": """
        select game_id, sum(pairs_started)::int, sum(pairs_hit)::int, sum(pairs_survived)::int,
               sum(pairs_passed)::int from players group by all having sum(pairs_started) > 0 order by all;
        select game_id, count(*)::int, count(hit)::int, count(*) filter (survived)::int, sum(length - 1)::int
        from pair_chains group by all order by all
    """,
    "rounds": """
        select game_id, count(*) as n, sum(n_plays)::int, sum(n_eliminations)::int, sum(n_reshuffles)::int
        from rounds group by all order by all;
        select game_id, count(*) filter (type = 'round_start') as n, count(*) filter (type = 'play')::int,
               count(*) filter (type = 'eliminate')::int, count(*) filter (type = 'reshuffle')::int
        from events group by all order by all
    """,
    "bounds": """
        select game_id, round, start_seq, end_seq, highest from rounds order by all;
        select game_id, round, min(seq) filter (type = 'round_start'), max(seq) filter (type = 'round_end'),
               max(total)
        from events where round is not null group by all order by all
    """,
}


@pytest.mark.parametrize("queries", SAME.values(), ids=SAME)
def test_summaries_are_of_the_rows(library, queries):
    one, other = queries.split(";")
    found = [tuple(row.values()) for row in library.query(one).to_pylist()]
    expected = [tuple(row.values()) for row in library.query(other).to_pylist()]
    assert found
    assert found == expected


def test_one_query_finds_the_reverse_under_a_pair(library, games):
    expected = set()
    for game_id, (lines, states, _) in games[1].items():
        for place, line in enumerate(lines):
            before = states.get(lines[place - 1]["seq"]) if place else None
            if line["type"] == "play" and line["card"] == "reverse" and before and before["plays_due"] == 2:
                expected |= {game_id} if before["total"] > 80 else set()
    found = library.query(
        "select distinct game_id from decisions where total_before > 80 and plays_due = 2 and card = 'reverse'"
    )
    assert expected
    assert set(found.column("game_id").to_pylist()) == expected
