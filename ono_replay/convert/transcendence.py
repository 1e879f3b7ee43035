"""Replays of the public engine `0yech/transcendence`, an online ONO 99 of the edition 2022.

A replay tells the plays, four-card discards and eliminations, but no deal, draw or reshuffle. Alone it
makes a `public` log with unknown cards. With the private seed beside it every card is derived and the
log is `full`; the seed must be the one whose SHA-256 the replay names.

What a replay says twice is compared. Where it contradicts itself or the rules without a place in the log
for it, that is a note; where it names two cards or winners, the log has the one that breaks the rules, so that
the contradiction is seen.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar, cast

from ono_replay.convert.entries import BadEntry, first_keys, parse_entry, split_entries
from ono_replay.convert.fields import Clock, Object, an_object, array, given, integer, objects, text
from ono_replay.convert.outside import Converted, Converter, NotConverted
from ono_replay.convert.scribe import Scribe
from ono_replay.convert.transcendence_cards import SeededCards, token_of, told_tokens
from ono_replay.log.jsonl import canonical
from ono_replay.log.lines import LONGEST
from ono_replay.log.values import as_json
from ono_replay.rules.cards import ONO_99
from ono_replay.rules.events import EliminationReason, Event, Play, Player, Reshuffle, RoundEnd, Shuffle
from ono_replay.rules.state import Phase
from ono_replay.simulate.shuffle import TRANSCENDENCE, commitment_to

ENGINE = "0yech/transcendence"
RULESET: Mapping[str, Any] = {"edition": "2022", "nobody_can_play": "last_to_play"}
"""Its rules in our terms; seat 0 starts, there is no dealer."""
SEATS = range(2, 7)
"""How many can play."""
REASONS: Mapping[str, EliminationReason] = {"NO_LEGAL_MOVE": "no_legal_play", "TURN_TIMEOUT": "timeout"}
GIVEN_UP = frozenset({"ABANDONED", "CANCELED", "CANCELLED"})
"""The states of a replay, other than finished, that no play can follow."""
MOST_NOTES = 20
"""Notes kept of one game."""

_NO_CARDS = "the cards dealt and drawn (a replay without its seed holds none)"
_NO_ORDER = "the order of reshuffled cards"
_NO_TIMES = "the time of some actions"
_HASH = re.compile("[0-9a-f]{64}")
_E = TypeVar("_E", bound=Event)


def sniff(head: bytes) -> bool:
    """Whether a file begins like one replay, an entry with its seed, or an array of either."""
    keys = set(first_keys(head))
    return "seq" not in keys and bool(keys & {"replay", "seedPrivate", "seedHash", "lobbyId", "actions"})


def convert(blocks: Iterable[bytes], *, use_seed: bool = True) -> Iterator[Converted | NotConverted]:
    """Yield each replay of a file as a log, or why there is none."""
    for entry in split_entries(blocks):
        name = f"entry {entry.number}"
        if entry.fault is not None:
            yield NotConverted(name, entry.fault)
            continue
        try:
            found = parse_entry(entry.raw)
            replay = an_object(found, "replay", "the entry") if "replay" in found else found
            if isinstance(replay.get("id"), str):
                name += f" ({as_json(replay['id'])[1:-1]})"
            yield _Game(name, found, replay, use_seed=use_seed).converted()
        except BadEntry as reason:
            yield NotConverted(name, str(reason))


TRANSCENDENCE_REPLAYS = Converter("transcendence", f"replays of the engine {ENGINE}", sniff, convert)


class _Action(NamedTuple):
    """One action of a replay."""

    place: int
    where: str
    """What messages call it."""
    actor: object
    payload: Object

    @property
    def meta(self) -> Object:
        """What the event in the log keeps of it."""
        return {"action": self.place}


class _Game:
    """One replay on its way into a log."""

    def __init__(self, name: str, entry: Object, replay: Object, *, use_seed: bool) -> None:
        self.name = name
        self.entry = entry
        self.replay = replay
        self.notes: dict[str, None] = {}
        self.unknown: dict[str, None] = {}
        self.clock = Clock()
        self.actions = objects(replay, "actions", "the replay")
        started = next(iter(self.actions), {})
        self.opening = started if started.get("type") == "GAME_STARTED" else {}
        if not self.opening:
            self.note("the first action is no GAME_STARTED")
        players = _players(replay, self.opening)
        self.seat_of = {str(player.id): seat for seat, player in enumerate(players)}
        self.seed_hash = self._seed_hash()
        seed = self._seed() if use_seed else None
        self.cards = SeededCards(seed, seats=len(players)) if seed is not None else None
        at_ms = self.clock.at_ms(started.get("createdAt"))
        game_id = text(replay, "id", "the replay")
        if not 1 <= len(game_id) <= 128:
            raise BadEntry(f"the replay: id has {len(game_id)} characters; a game's id has 1 to 128")
        self.scribe = Scribe(
            game_id,
            RULESET,
            players,
            view="full" if self.cards else "public",
            started_at=self.clock.started_at,
            cards=self.cards,
        )
        self.scribe.at_ms = at_ms
        commitment = self.seed_hash if _is_hash(self.seed_hash) else None
        shuffle = Shuffle(TRANSCENDENCE, seed=seed, commitment=cast("str | None", commitment))
        self.scribe.start_round(starter=0, shuffle=shuffle if seed or commitment else None)

    def note(self, words: str) -> None:
        self.notes[words] = None

    def converted(self) -> Converted:
        """Write down all actions and the end."""
        sequence: int | None = None
        for place, action in enumerate(self.actions):
            kind = text(action, "type", f"action {place}")
            where = f"action {place} ({as_json(kind)[1:-1]})"
            told = action.get("sequence")
            if type(told) is int:
                if sequence is not None and told != sequence + 1:
                    self.note(f"{where}: its sequence {told} follows {sequence}")
                sequence = told
            if action is self.opening:
                continue
            write = _WRITERS.get(kind)
            if write is None:
                raise BadEntry(f"{where}: there is no such type here, only {', '.join(_WRITERS)}")
            self.scribe.at_ms = self.clock.at_ms(action.get("createdAt"))
            payload = an_object(action, "payload", where)
            write(self, _Action(place, where, action.get("actorUserId"), payload))
        self._finish()
        return self._result()

    def write_play(self, action: _Action) -> None:
        """Write a CARD_PLAYED."""
        where, payload = action.where, action.payload
        seat = self._seat(action.actor, where)
        total = integer(payload, "totalAfter", where)
        tokens = told_tokens(payload)
        if not tokens:
            told = {key: payload[key] for key in ("cardId", "card") if key in payload}
            raise BadEntry(f"{where}: no card is named: {as_json(told)}")
        if len(tokens) > 1:
            self.note(f"{where}: names different cards: {', '.join(tokens)}")
        before = self.scribe.state
        played = self._seen([Play(0, seat, token, total) for token in tokens])
        if self.cards is not None:
            self._compare_card(played, payload, where)
        due = {"totalBefore": before.total, "pendingPlaysBefore": before.plays_due}
        if len(before.seats_in) > 2:
            due["directionBefore"] = before.direction
        self._compare(payload, where, due)
        self.scribe.play(seat, played.card, total, action.meta)
        after = self.scribe.state
        due = {"pendingPlaysAfter": after.plays_due} if after.phase is Phase.PLAYING else {}
        if len(after.seats_in) > 2:
            due["directionAfter"] = after.direction
        self._compare(payload, where, due)

    def write_discard(self, action: _Action) -> None:
        """Write a FOUR_ONO99_DISCARDED."""
        where, payload = action.where, action.payload
        seat = self._seat(action.actor, where)
        if given(payload, "cardIds"):
            ids = array(payload, "cardIds", where)
            if len(ids) != 4 or any(token_of(one) != ONO_99 for one in ids):
                raise BadEntry(f"{where}: cardIds must name four ONO99 cards, not {as_json(ids)}")
            if self.cards is not None and self._undisturbed and set(ids) - set(self.cards.hands[seat]):
                self.note(f"{where}: the seed gives that player other ONO99 cards")
        total = self.scribe.state.total
        self._compare(payload, where, {"totalBefore": total, "totalAfter": total})
        if self.cards is not None:
            self.cards.discard_four(seat)
        self.scribe.discard_four(seat, action.meta)

    def write_elimination(self, action: _Action) -> None:
        """Write a PLAYER_ELIMINATED."""
        where, payload = action.where, action.payload
        seat = self._seat(action.actor, where)
        told = text(payload, "reason", where)
        if told not in REASONS:
            raise BadEntry(f"{where}: reason must be {' or '.join(REASONS)}, not {as_json(told)}")
        self._compare(payload, where, {"total": self.scribe.state.total})
        self.scribe.eliminate(seat, REASONS[told], action.meta)

    def write_end(self, action: _Action) -> None:
        """Write a GAME_FINISHED."""
        where, payload = action.where, action.payload
        source = payload if "winnerId" in payload else self.replay
        told = [source.get("winnerId")]
        if given(self.replay, "winnerId") and self.replay["winnerId"] != told[0]:
            told.append(self.replay["winnerId"])
        winners = [None if winner is None else self._seat(winner, where) for winner in told]
        if len(winners) > 1:
            self.note(f"{where}: names another winner than the replay")
        loser = next(iter(self.scribe.state.out), None)
        self.scribe.finish(
            self._seen([RoundEnd(0, 1, winner, loser) for winner in winners]).winner, action.meta
        )

    def write_second_start(self, action: _Action) -> None:
        """Refuse a GAME_STARTED that is not the first action."""
        raise BadEntry(f"{action.where}: the game has begun already")

    @property
    def _undisturbed(self) -> bool:
        """Whether nothing has been wrong so far: after that, all that is said twice differs."""
        return self.scribe.first_illegal is None

    def _seen(self, choices: list[_E]) -> _E:
        """Return the event that breaks a rule, if one of them does: a contradiction is not to be hidden."""
        return next(filter(self.scribe.would_be_illegal, choices), choices[0])

    def _seat(self, user: object, where: str) -> int:
        if not isinstance(user, str) or user not in self.seat_of:
            raise BadEntry(f"{where}: {as_json(user)} is none of the players")
        return self.seat_of[user]

    def _compare(self, told: Object, where: str, due: Mapping[str, object]) -> None:
        for key, value in due.items():
            if self._undisturbed and given(told, key) and told[key] != value:
                self.note(f"{where}: {key} is {as_json(told[key])} there, {value} by the rules")

    def _compare_card(self, played: Play, payload: Object, where: str) -> None:
        assert self.cards is not None
        card_id = payload.get("cardId")
        slot = self.cards.play(played.seat, played.card, card_id)
        if not self._undisturbed or self.scribe.would_be_illegal(played) or not given(payload, "cardId"):
            return
        if slot is None:
            self.note(f"{where}: the seed gives that player another {played.card} than {as_json(card_id)}")
        elif given(payload, "slotPlayed") and payload["slotPlayed"] != slot:
            self.note(f"{where}: slotPlayed is {as_json(payload['slotPlayed'])}, by the seed it is {slot}")

    def _seed_hash(self) -> object:
        """Return the hash that the replay names, whatever it is."""
        opening = self.opening.get("payload")
        told = [self.replay.get("seedHash"), opening.get("seedHash") if isinstance(opening, dict) else None]
        hashes = [one for one in told if one is not None]
        if any(one != hashes[0] for one in hashes):
            self.note("seedHash of the replay and of GAME_STARTED differ")
        if not hashes:
            self.note("there is no seedHash")
        elif not _is_hash(hashes[0]):
            self.note(f"seedHash is no SHA-256: {as_json(hashes[0])}")
        return hashes[0] if hashes else None

    def _seed(self) -> str | None:
        holder = self.entry if given(self.entry, "seedPrivate") else self.replay
        if not given(holder, "seedPrivate"):
            return None
        seed = text(holder, "seedPrivate", "the entry")
        if self.seed_hash not in (None, commitment_to(seed)):
            raise BadEntry(
                f"seedPrivate is not the seed of this game: its SHA-256 is {commitment_to(seed)}, seedHash "
                f"{as_json(self.seed_hash)} (--no-seed converts what the replay alone tells)"
            )
        return seed

    def _finish(self) -> None:
        """Write what follows from the status, and compare what the replay says of the end."""
        status, ended = self.replay.get("status"), self.scribe.state.phase is Phase.ENDED
        if not ended and status in GIVEN_UP:
            self.scribe.abandon()
        elif ended != (status == "FINISHED") and isinstance(status, str) and (ended or status == "FINISHED"):
            self.note(f"status is {as_json(status)}, but there is {'a' if ended else 'no'} GAME_FINISHED")
        self._compare(self.replay, "the replay", {"total": self.scribe.state.total})
        if self.cards is not None and given(self.entry, "final") and self._undisturbed:
            held = {user: self.cards.labels(seat) for user, seat in self.seat_of.items()}
            final = self.entry["final"]
            told = {one[0]: one[2] for one in final if _is_final(one)} if isinstance(final, list) else {}
            wrong = [user for user in held if told.get(user) != held[user]]
            if wrong:
                self.note(f"the hands that final tells are not those of the seed: {as_json(wrong)}")

    def _result(self) -> Converted:
        if self.cards is None:
            self.unknown[_NO_CARDS] = None
            if any(isinstance(event, Reshuffle) for event in self.scribe.events()):
                self.unknown[_NO_ORDER] = None
        if self.clock.untold:
            self.unknown[_NO_TIMES] = None
        notes = list(self.notes)
        if len(notes) > MOST_NOTES:
            notes[MOST_NOTES:] = [f"… and {len(notes) - MOST_NOTES} more like these"]
        meta: dict[str, Any] = {"converted_from": ENGINE}
        told = {"lobby": self.replay.get("lobbyId"), "status": self.replay.get("status")}
        meta |= {key: value for key, value in told.items() if isinstance(value, str) and len(value) <= 128}
        if self.unknown:
            meta["unknown"] = list(self.unknown)
        if notes:
            meta["notes"] = notes
        events = self.scribe.events(meta)
        if len(canonical(events[0])) > LONGEST:
            raise BadEntry("the names and ids of the players are longer than a line of a log may be")
        return Converted(self.name, events, tuple(self.unknown), tuple(notes), self.scribe.first_illegal)


def _is_hash(found: object) -> bool:
    return isinstance(found, str) and _HASH.fullmatch(found) is not None


def _is_final(found: object) -> bool:
    return isinstance(found, list) and len(found) == 3 and isinstance(found[0], str)


def _players(replay: Object, opening: Object) -> tuple[Player, ...]:
    """Return the players in the order of their seats."""
    payload = opening.get("payload")
    told = isinstance(payload, dict) and given(payload, "playerOrder")
    order = objects(cast("Object", payload), "playerOrder", "GAME_STARTED") if told else []
    listed = objects(replay, "players", "the replay") if "players" in replay or not order else order
    seats = {text(one, "userId", "playerOrder"): integer(one, "seat", "playerOrder") for one in order}
    by_seat: dict[int, Player] = {}
    for place, player in enumerate(listed):
        where = f"players[{place}]"
        user = text(player, "userId", where)
        seat = integer(player, "seat", where) if "seat" in player or user not in seats else seats[user]
        if seats and seats.get(user) != seat:
            raise BadEntry(f"{where}: seat is {seat}, in GAME_STARTED {as_json(seats.get(user))}")
        name = player.get("username")
        by_seat[seat] = Player(name if isinstance(name, str) else user, id=user)
    count = len(listed)
    if count not in SEATS:
        raise BadEntry(f"the replay: {count} players; {SEATS[0]} to {SEATS[-1]} can play")
    if sorted(by_seat) != list(range(count)) or len({player.id for player in by_seat.values()}) < count:
        raise BadEntry(f"the replay: the players must have the seats 0 to {count - 1}, one each")
    if seats and len(seats) != count:
        raise BadEntry(f"the replay: {count} players, but {len(seats)} in GAME_STARTED")
    return tuple(by_seat[seat] for seat in range(count))


_WRITERS: dict[str, Callable[[_Game, _Action], None]] = {
    "GAME_STARTED": _Game.write_second_start,
    "CARD_PLAYED": _Game.write_play,
    "FOUR_ONO99_DISCARDED": _Game.write_discard,
    "PLAYER_ELIMINATED": _Game.write_elimination,
    "GAME_FINISHED": _Game.write_end,
}
