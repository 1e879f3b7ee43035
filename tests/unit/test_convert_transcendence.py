"""Replays of an outside engine as logs: both modes, all endings, contradictions, bad input."""

import copy
import hashlib
import io
import json
from pathlib import Path

import pytest

from ono_replay.check.validator import validate
from ono_replay.convert.outside import Converted, NotConverted
from ono_replay.convert.transcendence import MOST_NOTES, convert, sniff
from ono_replay.log.jsonl import encode_game, parse_line
from ono_replay.rules.events import (
    Deal,
    Draw,
    Eliminate,
    GameEnd,
    GameStart,
    Play,
    Reshuffle,
    RoundEnd,
    RoundStart,
)
from ono_replay.rules.ruleset import make_ruleset
from ono_replay.rules.state import first_state
from ono_replay.rules.transition import advance
from tests.outside_engine import Engine

PEERS = Path(__file__).parent.parent / "data/peers/transcendence-replays.json"
FILE = PEERS.read_bytes()
ENTRIES = json.loads(FILE)
WITH_FOUR, PAIR_END, NOBODY_END = ENTRIES[0], ENTRIES[2], ENTRIES[15]
LABELS = {"reverse": "Reverse", "play_2": "Play2", "ono_99": "ONO99"}


def convert_all(*entries, use_seed=True):
    return list(convert([json.dumps(list(entries)).encode()], use_seed=use_seed))


def convert_one(entry, *, use_seed=True):
    (found,) = convert_all(entry, use_seed=use_seed)
    assert isinstance(found, Converted), found
    return found


def report_on(found):
    (report,) = validate([io.BytesIO(encode_game(found.events))])
    return report


def changed(entry, change):
    entry = copy.deepcopy(entry)
    change(entry["replay"])
    return entry


def places(entry, kind):
    return [place for place, action in enumerate(entry["replay"]["actions"]) if action["type"] == kind]


def reason_of(entry, *, use_seed=True):
    (found,) = convert_all(entry, use_seed=use_seed)
    assert isinstance(found, NotConverted)
    return found.reason


@pytest.mark.parametrize("use_seed", [True, False])
def test_all_games_of_the_peers_are_valid(use_seed):
    found = list(convert([FILE], use_seed=use_seed))
    assert len(found) == 20
    for game, entry in zip(found, ENTRIES, strict=True):
        assert isinstance(game, Converted)
        assert game.notes == ()
        assert game.first_illegal is None
        report = report_on(game)
        assert (report.game_id, report.verdict, report.warnings) == (entry["replay"]["id"], "valid", 0)
        assert (report.unverified > 0) is not use_seed
        for line in encode_game(game.events).splitlines():
            assert not hasattr(parse_line(line), "code")


def test_the_head_of_a_game():
    start = convert_one(ENTRIES[0]).events[0]
    assert (start.format, start.version, start.game_id, start.view) == ("ono-log", "1.0", "r0001", "full")
    assert start.ruleset == {"edition": "2022", "nobody_can_play": "last_to_play"}
    assert [(player.id, player.name) for player in start.players] == [("user0", "user0"), ("user1", "user1")]
    assert (start.dealer, start.started_at) == (None, "2023-11-14T22:13:20.000Z")
    assert start.meta == {"converted_from": "0yech/transcendence", "lobby": "L0", "status": "FINISHED"}


def test_with_the_seed_the_hands_are_those_of_the_engine():
    for game, entry in zip(convert([FILE]), ENTRIES, strict=True):
        assert isinstance(game, Converted)
        final = {user: sorted(hand) for user, _, hand in entry["final"]}
        assert {user: sorted(hand) for user, hand in hands_at_the_end(game).items()} == final


def hands_at_the_end(game):
    start = game.events[0]
    state = first_state(make_ruleset(start.ruleset), len(start.players))
    for event in game.events[1:]:
        state = advance(state, event)
    return {
        player.id: [LABELS.get(card, card) for card in hand]
        for player, hand in zip(start.players, state.hands, strict=True)
    }


def test_with_the_seed_the_shuffle_is_told_and_nothing_is_unknown():
    entry = ENTRIES[3]
    game = convert_one(entry)
    (start,) = [event for event in game.events if isinstance(event, RoundStart)]
    assert start.deck is not None
    assert start.shuffle is not None
    assert len(start.deck) == 112
    assert start.shuffle.algorithm == "transcendence-sha256-mod"
    assert start.shuffle.seed == entry["seedPrivate"]
    assert start.shuffle.commitment == hashlib.sha256(entry["seedPrivate"].encode()).hexdigest()
    assert game.unknown == ()
    assert b"?" not in encode_game(game.events)


@pytest.mark.parametrize("bare", [True, False])
def test_alone_a_replay_shows_no_card_but_those_played(bare):
    game = convert_one(ENTRIES[3]["replay"] if bare else ENTRIES[3], use_seed=bare)
    start, round_start = game.events[:2]
    assert start.view == "public"
    assert round_start.deck is None
    assert round_start.shuffle.seed is None
    assert round_start.shuffle.commitment == ENTRIES[3]["replay"]["seedHash"]
    shown = [event for event in game.events if isinstance(event, Deal | Draw | Eliminate)]
    assert {
        card for event in shown for card in getattr(event, "cards", None) or (getattr(event, "card", None),)
    } <= {
        "?",
        None,
    }
    assert not any(event.hand for event in game.events if isinstance(event, Eliminate))
    assert ENTRIES[3]["seedPrivate"].encode() not in encode_game(game.events)
    assert game.unknown == ("the cards dealt and drawn (a replay without its seed holds none)",)
    assert start.meta["unknown"] == list(game.unknown)


def test_both_modes_tell_the_same_but_for_the_cards():
    for entry in ENTRIES[:6]:
        full, public = convert_one(entry).events, convert_one(entry["replay"]).events
        assert [event.type for event in full] == [event.type for event in public]
        assert [event.at_ms for event in full] == [event.at_ms for event in public]
        for one, other in zip(full, public, strict=True):
            if isinstance(one, Play | RoundEnd | GameEnd):
                assert one == other


def test_an_array_one_entry_one_replay_and_lines_of_them():
    one, two = ENTRIES[:2]
    texts = [json.dumps(one), json.dumps(one["replay"]), json.dumps([one]), json.dumps(one, indent=1)]
    for text in texts:
        (game,) = convert([text.encode()])
        assert isinstance(game, Converted)
    games = list(convert([(json.dumps(one) + "\n" + json.dumps(two["replay"]) + "\n").encode()]))
    starts = [game.events[0] for game in games if isinstance(game, Converted)]
    assert [start.view for start in starts if isinstance(start, GameStart)] == ["full", "public"]


def test_times_are_those_of_the_actions():
    game = convert_one(ENTRIES[0])
    plays = [event for event in game.events if isinstance(event, Play)]
    assert [event.at_ms for event in plays[:3]] == [1000, 2000, 3000]
    draws = [event for event in game.events if isinstance(event, Draw)]
    assert draws[0].at_ms == plays[0].at_ms
    assert game.events[2].at_ms == 0
    assert game.events[-1].at_ms == 45_000


def test_an_event_names_the_action_it_comes_from():
    game = convert_one(WITH_FOUR)
    told = {event.meta["action"]: event.type for event in game.events[1:] if isinstance(event.meta, dict)}
    kinds = {
        "CARD_PLAYED": "play",
        "FOUR_ONO99_DISCARDED": "discard_four",
        "PLAYER_ELIMINATED": "eliminate",
        "GAME_FINISHED": "round_end",
    }
    actions = WITH_FOUR["replay"]["actions"]
    assert told == {place: kinds[action["type"]] for place, action in enumerate(actions) if place}


class TestEndings:
    @pytest.mark.parametrize("use_seed", [True, False])
    def test_nobody_could_play(self, use_seed):
        game = convert_one(NOBODY_END, use_seed=use_seed)
        round_end = game.events[-2]
        assert (round_end.winner, round_end.loser) == (1, None)
        assert report_on(game).verdict == "valid"

    @pytest.mark.parametrize("use_seed", [True, False])
    @pytest.mark.parametrize("status", ["IN_PROGRESS", None, "PAUSED"])
    def test_a_game_that_is_not_done_is_unfinished(self, use_seed, status):
        def cut(replay):
            replay["actions"] = replay["actions"][:30]
            replay["status"], replay["winnerId"] = status, None
            replay["total"] = replay["actions"][-1]["payload"]["totalAfter"]

        entry = changed(ENTRIES[6], cut)
        del entry["final"]
        game = convert_one(entry, use_seed=use_seed)
        assert report_on(game).verdict == "unfinished"
        assert game.notes == ()

    @pytest.mark.parametrize("length", [1, 2, 20])
    def test_a_game_given_up_is_abandoned(self, length):
        entry = changed(
            ENTRIES[6], lambda replay: replay.update(actions=replay["actions"][:length], status="CANCELLED")
        )
        game = convert_one(entry, use_seed=False)
        assert game.events[-1].reason == "abandoned"
        assert report_on(game).verdict == "valid"

    def test_a_replay_cut_short_says_so(self):
        entry = changed(ENTRIES[6], lambda replay: replay.update(actions=replay["actions"][:-1]))
        game = convert_one(entry)
        assert report_on(game).verdict == "unfinished"
        assert game.notes == ('status is "FINISHED", but there is no GAME_FINISHED',)

    def test_a_player_who_was_timed_out(self):
        engine = Engine("timeout", 3)
        for _ in range(5):
            engine.step()
        engine.eliminate(engine.current, "TURN_TIMEOUT")
        game = convert_one(engine.play())
        assert next(event.reason for event in game.events if isinstance(event, Eliminate)) == "timeout"
        assert report_on(game).verdict == "valid"


class TestReshuffle:
    # Found among 6,000 games of six players who keep the total down: one in 1,500 comes so far.
    GAME = Engine("low-4028", 6, policy="low")
    ENTRY = GAME.play()

    @pytest.mark.parametrize("use_seed", [True, False])
    def test_it_is_written_where_the_draw_pile_is_empty(self, use_seed):
        game = convert_one(self.ENTRY, use_seed=use_seed)
        assert self.GAME.reshuffles == 1
        (reshuffle,) = [event for event in game.events if isinstance(event, Reshuffle)]
        before, after = game.events[reshuffle.seq - 1], game.events[reshuffle.seq + 1]
        assert isinstance(before, Play)
        assert isinstance(after, Draw)
        assert after.seat == before.seat
        assert reshuffle.count == 89
        assert (reshuffle.deck is not None) is use_seed
        if reshuffle.deck is not None:
            assert reshuffle.deck[0] == after.card
        assert report_on(game).verdict == "valid"
        assert ("the order of reshuffled cards" in game.unknown) is not use_seed


class TestGamesThatBreakTheRules:
    """The log shows what was done; the validator says where and what."""

    def first_error(self, entry, *, use_seed=True):
        game = convert_one(entry, use_seed=use_seed)
        report = report_on(game)
        assert report.verdict == "invalid"
        first = report.diagnostics[0]
        assert game.first_illegal == first.seq
        return first.code, game.events[first.seq].meta["action"]

    @pytest.mark.parametrize("use_seed", [True, False])
    def test_a_wrong_total(self, use_seed):
        entry = changed(ENTRIES[1], lambda replay: replay["actions"][9]["payload"].update(totalAfter=97))
        assert self.first_error(entry, use_seed=use_seed) == ("ONO306", 9)

    def test_a_card_not_held(self):
        played = {"cardId": "NUMBER_0_0", "card": {"type": "NUMBER", "value": 0, "label": "0"}}

        def other(replay):
            payload = replay["actions"][7]["payload"]
            payload.update(played, totalAfter=payload["totalBefore"])

        assert self.first_error(changed(ENTRIES[1], other)) == ("ONO302", 7)

    @pytest.mark.parametrize("use_seed", [True, False])
    def test_a_player_out_of_turn(self, use_seed):
        entry = changed(ENTRIES[1], lambda replay: replay["actions"][5].update(actorUserId="user0"))
        assert self.first_error(entry, use_seed=use_seed) == ("ONO301", 5)

    @pytest.mark.parametrize("use_seed", [True, False])
    def test_an_action_left_out(self, use_seed):
        entry = changed(ENTRIES[1], lambda replay: replay["actions"].pop(4))
        assert self.first_error(entry, use_seed=use_seed) == ("ONO301", 4)

    def test_an_elimination_of_a_player_who_could_play(self):
        out = {"type": "PLAYER_ELIMINATED", "payload": {"reason": "NO_LEGAL_MOVE", "total": 0}}
        entry = changed(ENTRIES[1], lambda replay: replay["actions"][1].update(out))
        assert self.first_error(entry) == ("ONO401", 1)

    @pytest.mark.parametrize("use_seed", [True, False])
    def test_an_ono_99_played(self, use_seed):
        card = {"cardId": "ONO99_ONO99_0", "card": {"type": "ONO99", "value": 99, "label": "ONO99"}}
        entry = changed(ENTRIES[1], lambda replay: replay["actions"][5]["payload"].update(card))
        code, place = self.first_error(entry, use_seed=use_seed)
        assert (code, place) in {("ONO302", 5), ("ONO304", 5)}

    @pytest.mark.parametrize("use_seed", [True, False])
    def test_an_end_too_early(self, use_seed):
        def end(replay):
            del replay["actions"][10:-1]

        # Where hands are unknown the round may be over; then another must have won it.
        code = "ONO404" if use_seed else "ONO403"
        assert self.first_error(changed(ENTRIES[1], end), use_seed=use_seed) == (code, 10)

    @pytest.mark.parametrize("where", ["payload", "replay", "both"])
    @pytest.mark.parametrize("use_seed", [True, False])
    def test_a_wrong_winner_wherever_it_stands(self, where, use_seed):
        def other(replay):
            if where != "replay":
                replay["actions"][-1]["payload"]["winnerId"] = "user2"
            if where != "payload":
                replay["winnerId"] = "user2"

        assert ENTRIES[1]["replay"]["winnerId"] == "user1"
        entry = changed(ENTRIES[1], other)
        assert self.first_error(entry, use_seed=use_seed) == ("ONO403", places(entry, "GAME_FINISHED")[0])

    @pytest.mark.parametrize(
        "told",
        [{"cardId": "NUMBER_3_0"}, {"card": {"type": "NUMBER", "value": 3, "label": "3"}}],
        ids=["cardId", "card"],
    )
    @pytest.mark.parametrize("use_seed", [True, False])
    def test_a_card_that_is_named_twice_and_differently_is_seen(self, told, use_seed):
        place = next(
            place
            for place in places(ENTRIES[1], "CARD_PLAYED")
            if ENTRIES[1]["replay"]["actions"][place]["payload"]["card"]["value"] == 7
        )
        entry = changed(ENTRIES[1], lambda replay: replay["actions"][place]["payload"].update(told))
        assert self.first_error(entry, use_seed=use_seed)[1] == place
        assert "names different cards" in convert_one(entry, use_seed=use_seed).notes[0]

    def test_actions_after_the_end(self):
        def more(replay):
            replay["actions"] += copy.deepcopy(replay["actions"][1:3])

        game = convert_one(changed(ENTRIES[1], more), use_seed=False)
        codes = [found.code for found in report_on(game).diagnostics if found.severity == "error"]
        assert codes[0] == "ONO204"

    def test_changes_in_each_of_the_games_never_crash(self):
        for number, entry in enumerate(ENTRIES):
            actions = len(entry["replay"]["actions"])
            for place in range(1, actions, max(1, actions // 3)):
                for change in (
                    lambda replay, place=place: replay["actions"].pop(place),
                    lambda replay, place=place: replay["actions"].insert(place, replay["actions"][place]),
                    lambda replay, place=place: (
                        replay["actions"].reverse()
                        or replay["actions"].sort(key=lambda action: action["sequence"] % (place + 1))
                    ),
                ):
                    for use_seed in (True, False):
                        (found,) = convert_all(changed(entry, change), use_seed=use_seed)
                        if isinstance(found, Converted):
                            assert report_on(found).events == len(found.events), number


class TestContradictions:
    """What the log has no place for is told."""

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda r: r["actions"][5]["payload"].update(totalBefore=1), "action 5 (CARD_PLAYED): totalBefore is 1 there"),
            (lambda r: r["actions"][5]["payload"].update(pendingPlaysAfter=2), "pendingPlaysAfter is 2 there, 1 by"),
            (lambda r: r["actions"][5]["payload"].update(pendingPlaysBefore=2), "pendingPlaysBefore is 2 there, 1 by"),
            (lambda r: r["actions"][5]["payload"].update(directionAfter=5), "directionAfter is 5 there"),
            (lambda r: r["actions"][5]["payload"].update(slotPlayed=9), "slotPlayed is 9, by the seed it is"),
            (lambda r: r["actions"][-1].update(sequence=2), "its sequence 2 follows 49"),
            (lambda r: r.update(total=12), "the replay: total is 12 there, 90 by the rules"),
            (lambda r: r.update(status="IN_PROGRESS"), "but there is a GAME_FINISHED"),
            (lambda r: r["actions"][-2]["payload"].update(total=3), "(PLAYER_ELIMINATED): total is 3 there"),
            (lambda r: r["actions"][0]["payload"].update(seedHash="0" * 64), "seedHash of the replay and of GAME_STARTED"),
        ],
    )  # fmt: skip
    def test_a_number_that_the_rules_have_otherwise(self, change, words):
        game = convert_one(changed(ENTRIES[1], change))
        assert report_on(game).verdict == "valid"
        assert len(game.notes) == 1
        assert words in game.notes[0]
        assert game.events[0].meta["notes"] == list(game.notes)

    def test_another_copy_of_the_card_than_the_seed_gives(self):
        def other(replay):
            payload = replay["actions"][5]["payload"]
            stem, _, copy_number = payload["cardId"].rpartition("_")
            payload["cardId"] = f"{stem}_{(int(copy_number) + 1) % 6}"

        game = convert_one(changed(ENTRIES[1], other))
        assert "the seed gives that player another" in game.notes[0]
        assert report_on(game).verdict == "valid"

    def test_hands_at_the_end_that_are_not_those_of_the_seed(self):
        entry = copy.deepcopy(ENTRIES[1])
        entry["final"][2][2].reverse()
        assert convert_one(entry).notes == (
            'the hands that final tells are not those of the seed: ["user2"]',
        )

    def test_after_a_fault_the_rest_is_not_repeated(self):
        entry = changed(ENTRIES[1], lambda replay: replay["actions"].pop(4))
        assert convert_one(entry).notes == (
            "action 4 (CARD_PLAYED): its sequence 5 follows 3",
            "action 4 (CARD_PLAYED): totalBefore is 27 there, 24 by the rules",
        )

    def test_notes_are_bounded(self):
        def all_wrong(replay):
            for action in replay["actions"]:
                action["sequence"] = 0

        notes = convert_one(changed(ENTRIES[1], all_wrong)).notes
        assert len(notes) == MOST_NOTES + 1
        assert notes[-1] == "… and 30 more like these"


class TestOddFields:
    def test_names_fall_back_to_the_ids(self):
        def odd(replay):
            replay["players"][0]["username"] = None
            del replay["players"][1]["username"]

        start = convert_one(changed(ENTRIES[1], odd)).events[0]
        assert [player.name for player in start.players] == ["user0", "user1", "user2"]

    @pytest.mark.parametrize(
        "name", ["", "  ", "game_start", "<b>&\"'", "a\nb\t\u202e", "e\u0301", "=1+1", "x" * 10_000]
    )
    def test_names_stay_as_they_are(self, name):
        entry = changed(ENTRIES[1], lambda replay: replay["players"][0].update(username=name))
        game = convert_one(entry)
        assert game.events[0].players[0].name == name
        assert report_on(game).verdict == "valid"

    def test_what_nobody_needs_may_be_missing(self):
        def bare(replay):
            for key in ("lobbyId", "status", "total", "winnerId", "seedHash"):
                del replay[key]
            for player in replay["players"]:
                del player["avatarUrl"], player["username"], player["seat"]
            for action in replay["actions"]:
                for key in ("sequence", "turnNumber", "createdAt"):
                    del action[key]
                for key in (
                    "seedHash",
                    "slotPlayed",
                    "totalBefore",
                    "pendingPlaysBefore",
                    "pendingPlaysAfter",
                    "directionBefore",
                    "directionAfter",
                    "card",
                    "cardIds",
                    "total",
                ):
                    action["payload"].pop(key, None)  # fmt: skip

        for use_seed in (True, False):
            game = convert_one(changed(WITH_FOUR, bare), use_seed=use_seed)
            assert report_on(game).verdict == "valid"
            assert game.events[0].started_at is None
            assert all(event.at_ms is None for event in game.events)
            assert "the time of some actions" in game.unknown
            assert game.notes == ("there is no seedHash",)

    def test_the_card_alone_is_enough(self):
        def no_ids(replay):
            for action in replay["actions"]:
                action["payload"].pop("cardId", None)

        game = convert_one(changed(WITH_FOUR, no_ids))
        assert (report_on(game).verdict, game.notes) == ("valid", ())

    def test_players_in_another_order(self):
        game = convert_one(changed(ENTRIES[1], lambda replay: replay["players"].reverse()))
        assert [player.id for player in game.events[0].players] == ["user0", "user1", "user2"]
        assert report_on(game).verdict == "valid"

    def test_players_only_in_the_first_action(self):
        game = convert_one(changed(ENTRIES[1], lambda replay: replay.pop("players")))
        assert report_on(game).verdict == "valid"

    def test_without_a_first_action(self):
        game = convert_one(changed(ENTRIES[1], lambda replay: replay["actions"].pop(0)))
        assert report_on(game).verdict == "valid"
        assert game.notes == ("the first action is no GAME_STARTED",)

    def test_no_action_at_all(self):
        entry = changed(ENTRIES[1], lambda replay: replay.update(actions=[], status="IN_PROGRESS", total=0))
        game = convert_one(entry, use_seed=False)
        assert report_on(game).verdict == "unfinished"

    @pytest.mark.parametrize("told", [5, None, "", "yesterday", "2023-13-01T00:00:00Z", {}, "9" * 100])
    def test_a_time_that_is_none(self, told):
        entry = changed(ENTRIES[1], lambda replay: replay["actions"][5].update(createdAt=told))
        game = convert_one(entry)
        assert report_on(game).verdict == "valid"
        assert game.unknown == ("the time of some actions",)

    def test_a_clock_set_back_is_a_warning(self):
        entry = changed(
            ENTRIES[1], lambda replay: replay["actions"][5].update(createdAt="2023-11-14T22:13:20.500Z")
        )
        report = report_on(convert_one(entry))
        assert report.verdict == "valid"
        assert {found.code for found in report.diagnostics} == {"ONO205"}

    def test_a_seed_without_a_hash(self):
        def no_hash(replay):
            del replay["seedHash"], replay["actions"][0]["payload"]["seedHash"]

        game = convert_one(changed(ENTRIES[1], no_hash))
        assert game.events[1].shuffle.commitment is None
        assert report_on(game).verdict == "valid"

    def test_a_hash_that_is_none(self):
        game = convert_one(
            changed(ENTRIES[1], lambda replay: replay.update(seedHash="sesame")), use_seed=False
        )
        assert game.events[1].shuffle is None
        assert 'seedHash is no SHA-256: "sesame"' in game.notes

    @pytest.mark.parametrize("seed", [None, "missing"])
    def test_no_seed_makes_a_public_log(self, seed):
        entry = copy.deepcopy(ENTRIES[1])
        entry["seedPrivate"] = None
        if seed == "missing":
            del entry["seedPrivate"]
        assert convert_one(entry).events[0].view == "public"


class TestBadInput:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda r: r.pop("id"), "the replay: id is missing"),
            (lambda r: r.update(id=""), "id has 0 characters"),
            (lambda r: r.update(id="x" * 129), "id has 129 characters"),
            (lambda r: r.update(id=7), "id must be a string, not 7"),
            (lambda r: r.pop("actions"), "the replay: actions is missing"),
            (lambda r: r.update(actions={}), "actions must be an array, not {}"),
            (lambda r: r.update(actions=[7]), "actions[0] must be an object, not 7"),
            (lambda r: r["actions"][3].pop("type"), "action 3: type is missing"),
            (lambda r: r["actions"][3].update(type="CHAT"), "action 3 (CHAT): there is no such type here"),
            (lambda r: r["actions"][3].update(payload=None), "action 3 (CARD_PLAYED): payload must be an object"),
            (lambda r: r["actions"][3].update(actorUserId="eve"), 'action 3 (CARD_PLAYED): "eve" is none of the'),
            (lambda r: r["actions"][3].update(actorUserId=None), "action 3 (CARD_PLAYED): null is none of the players"),
            (lambda r: r["actions"][3]["payload"].pop("totalAfter"), "action 3 (CARD_PLAYED): totalAfter is missing"),
            (lambda r: r["actions"][3]["payload"].update(totalAfter=1.5), "totalAfter must be an integer, not 1.5"),
            (lambda r: r["actions"][3]["payload"].update(totalAfter=True), "totalAfter must be an integer, not true"),
            (lambda r: r["actions"][3].update(payload={"totalAfter": 1}), "action 3 (CARD_PLAYED): no card is named"),
            (lambda r: r["actions"][3]["payload"].update(cardId="HOLD_Hold_1", card={"type": "HOLD"}), "no card is named"),
            (lambda r: r["actions"].append(r["actions"][0]), "action 51 (GAME_STARTED): the game has begun already"),
            (lambda r: r["actions"][-2]["payload"].pop("reason"), "action 49 (PLAYER_ELIMINATED): reason is missing"),
            (lambda r: r["actions"][-2]["payload"].update(reason="BORED"), 'reason must be NO_LEGAL_MOVE or TURN_TIMEOUT'),
            (lambda r: r["actions"][-1]["payload"].update(winnerId="eve"), 'action 50 (GAME_FINISHED): "eve" is none of'),
            (lambda r: r.update(players=[]), "0 players; 2 to 6 can play"),
            (lambda r: r.update(players="all"), 'players must be an array, not "all"'),
            (lambda r: r["players"].pop(), "2 players, but 3 in GAME_STARTED"),
            (lambda r: r["players"][0].update(seat=1), "players[0]: seat is 1, in GAME_STARTED 0"),
            (lambda r: r["players"][0].update(seat="0"), 'players[0]: seat must be an integer, not "0"'),
            (lambda r: r["players"][0].update(userId=5), "players[0]: userId must be a string, not 5"),
            (lambda r: r["players"][0].update(userId="user1"), "players[0]: seat is 0, in GAME_STARTED 1"),
            (lambda r: r["players"][0].update(username="x" * (1 << 20)), "longer than a line of a log may be"),
        ],
    )  # fmt: skip
    def test_it_is_said_plainly_and_the_other_games_are_converted(self, change, words):
        found = convert_all(ENTRIES[0], changed(ENTRIES[1], change), ENTRIES[2])
        assert [type(game) for game in found] == [Converted, NotConverted, Converted]
        assert found[1].name.startswith("entry 1")
        assert words in found[1].reason

    def test_seats_that_are_none(self):
        def seats(replay):
            replay["actions"][0]["payload"].pop("playerOrder")
            replay["players"][2]["seat"] = 7

        assert "must have the seats 0 to 2, one each" in reason_of(changed(ENTRIES[1], seats))

    def test_a_seed_of_another_game(self):
        entry = ENTRIES[1] | {"seedPrivate": ENTRIES[2]["seedPrivate"]}
        assert "seedPrivate is not the seed of this game" in reason_of(entry)
        assert convert_one(entry, use_seed=False).events[0].view == "public"

    @pytest.mark.parametrize("seed", [7, [], {}, True])
    def test_a_seed_that_is_none(self, seed):
        assert "seedPrivate must be a string" in reason_of(ENTRIES[1] | {"seedPrivate": seed})

    @pytest.mark.parametrize("kind", [None, True, 7, 1.5, "x", [], {}, [[]], {"a": {}}])
    def test_every_key_with_every_kind_of_value(self, kind):
        short = changed(WITH_FOUR, lambda replay: replay["actions"].__delitem__(slice(3, 28)))

        def spoil(found, way=()):
            for key in list(found) if isinstance(found, dict) else range(len(found)):
                kept = found[key]
                found[key] = kind
                results = convert_all(short), convert_all(short, use_seed=False)
                found[key] = kept
                for (result,) in results:
                    assert isinstance(result, Converted) or "\n" not in result.reason, (way, key)
                if isinstance(kept, dict | list):
                    spoil(kept, (*way, key))

        spoil(short)

    def test_a_file_that_breaks_off_keeps_its_whole_games(self):
        found = list(convert([FILE[: len(FILE) // 2]]))
        assert isinstance(found[-1], NotConverted)
        assert (found[-1].name, found[-1].reason) == (f"entry {len(found) - 1}", "the file breaks off in it")
        assert all(isinstance(game, Converted) for game in found[:-1])


def test_its_files_are_known_by_their_content():
    replay = json.dumps(ENTRIES[0]["replay"]).encode()
    assert all(
        map(
            sniff, [FILE[:100], replay[:100], b"[" + replay[:100], b'{"replay":{', b' [ {"final":1,"replay":']
        )
    )
    log = encode_game(convert_one(ENTRIES[0]).events)
    assert not any(
        map(sniff, [log[:500], log, b"", b"[]", b"{}", b"PAR1", b'{"seq":0,"actions":1}', b"\xff" * 99])
    )
