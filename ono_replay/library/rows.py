"""The rows of one game in every view: one walk over its events and states."""

import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import astuple, replace

from ono_replay.library.chains import PairChains
from ono_replay.library.game import CheckedGame
from ono_replay.library.hashes import play_hashes
from ono_replay.library.lines import log_columns
from ono_replay.library.tallies import CardUse, Phases, SeatSums, count_codes
from ono_replay.log.jsonl import encode_value
from ono_replay.rules.cards import DISCARD_FOUR, HIDDEN, ONO_99
from ono_replay.rules.events import (
    Comment,
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    GameEnd,
    Play,
    Player,
    Reshuffle,
    RoundEnd,
    RoundStart,
    UnknownEvent,
)
from ono_replay.rules.playable import legal_plays
from ono_replay.rules.ruleset import Ruleset
from ono_replay.rules.state import State

Rows = dict[str, list[tuple[Any, ...]]]
"""Rows by view, each a tuple in the order of its columns."""


def rows_of(game: CheckedGame) -> Rows:
    """Return the rows of a game, each view in its order."""
    walk = _Walk(game)
    for event in game.events:
        walk.take(event)
    return walk.finish()


def player_key(player: Player) -> str:
    r"""Return who a player is: the id, else the name in NFC.

    >>> player_key(Player("Zoe\u0308")) == player_key(Player("Zo\u00eb"))
    True
    """
    return player.id if player.id is not None else unicodedata.normalize("NFC", player.name)


def utc(started_at: str | None) -> datetime | None:
    """Return a time of RFC 3339 in UTC without a zone, None for none and for what no calendar has.

    >>> utc("2026-01-31T20:15:00+01:00")
    datetime.datetime(2026, 1, 31, 19, 15)
    """
    if started_at is None:
        return None
    text = started_at.upper().replace(":60", ":59", 1) if ":60" in started_at[16:19] else started_at.upper()
    try:
        return datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None


class _Round:
    """What is counted of the round under way."""

    __slots__ = (
        "dealer", "end_seq", "falls", "first_ms", "highest", "last_ms", "loser", "n_players", "number", "play",
        "plays", "position", "reshuffles", "set_by", "start_seq", "starter", "winner",
    )  # fmt: skip

    def __init__(self, event: RoundStart, state: State) -> None:
        self.number = state.round
        self.start_seq = event.seq
        self.end_seq: int | None = None
        self.dealer, self.starter = event.dealer, event.starter
        self.n_players = sum(1 for _ in state.match.seats_in())
        self.position = event.position is not None
        self.winner: int | None = None
        self.loser: int | None = None
        self.plays = self.play = self.falls = self.reshuffles = 0
        self.highest = state.total
        self.set_by: tuple[int, str] | None = None
        self.first_ms: int | None = None
        self.last_ms: int | None = None

    def row(self, game_id: str) -> tuple[Any, ...]:
        duration = None if self.first_ms is None or self.last_ms is None else self.last_ms - self.first_ms
        return (
            game_id, self.number, self.start_seq, self.end_seq, self.dealer, self.starter, self.n_players,
            self.position, self.winner, self.loser, self.plays, self.falls, self.reshuffles, self.highest, duration,
        )  # fmt: skip


class _Walk:
    """Goes through the events of a game and fills its rows."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.game_id = game.start.game_id
        self.ruleset: Ruleset = game.first.ruleset
        self.state: State | None = None
        self.before_ms: int | None = None
        self.round: _Round | None = None
        self.rounds: list[_Round] = []
        self.seats = [SeatSums() for _ in game.start.players]
        self.chains = PairChains(self.game_id)
        self.use = CardUse()
        self.phases = Phases(self.ruleset.max_total)
        self.end: GameEnd | None = None
        self.n_irregular = 0
        self.events: list[tuple[Any, ...]] = []
        self.details: list[tuple[Any, ...]] = []
        self.decisions: list[tuple[Any, ...]] = []
        self.eliminations: list[tuple[Any, ...]] = []

    def take(self, event: Event) -> None:
        before = self.state
        after = self.game.states.get(event.seq, before)
        self.state = after
        self.n_irregular += event.irregular
        self.events.append(self._event_row(event, before, after))
        cards, rest = log_columns(event, after)
        if cards is not None or rest is not None:
            self.details.append((self.game_id, event.seq, cards, rest))
        if after is None:
            return
        act = _ACTS.get(event.__class__)
        known = before or self.game.first
        if act is not None:
            act(self, event, known, after)
        round_ = self.round
        if round_ is not None and round_.end_seq in (None, event.seq):
            if after.total > round_.highest:
                round_.highest = after.total
            if event.at_ms is not None:
                round_.first_ms = event.at_ms if round_.first_ms is None else round_.first_ms
                round_.last_ms = event.at_ms
        self.chains.take(event, known, after)
        if event.__class__ is not Comment:
            self.before_ms = event.at_ms

    def _event_row(self, event: Event, before: State | None, after: State | None) -> tuple[Any, ...]:
        known = event.__class__ is not UnknownEvent
        head = (
            self.game_id,
            event.seq,
            None if after is None else after.round,
            event.type if known else event.name,  # type: ignore[attr-defined]  # an UnknownEvent has a name
            getattr(event, "seat", None),
            getattr(event, "card", None),
        )
        if after is None:
            return (*head, *(None,) * 9, event.at_ms, event.irregular)
        return (
            *head,
            after.total,
            None if before is None else before.total,
            after.direction,
            after.turn,
            after.plays_due,
            after.second,
            after.hands,
            after.draw_pile,
            after.discard_pile,
            event.at_ms,
            event.irregular,
        )

    # --- what each type of event is counted for -----------------------------------------------------

    def start_round(self, event: RoundStart, _before: State, after: State) -> None:
        self._close_round()
        self.round = _Round(event, after)
        self.rounds.append(self.round)
        for seat in after.match.seats_in():
            self.seats[seat].n_rounds += 1

    def deal(self, event: Deal, _before: State, _after: State) -> None:
        self.use.deal(event.seat, event.cards)

    def draw(self, event: Draw, _before: State, _after: State) -> None:
        self.use.draw(event.seat, event.card)

    def reshuffle(self, _event: Reshuffle, _before: State, _after: State) -> None:
        if self.round is not None:
            self.round.reshuffles += 1

    def choose(self, event: Play | DiscardFour, before: State, after: State) -> None:
        seat, sums = event.seat, self.seats[event.seat]
        played = isinstance(event, Play)
        card: str = event.card if isinstance(event, Play) else DISCARD_FOUR
        hand = before.hands[seat]
        legal = None if HIDDEN in hand else _legal(before, seat)
        forced = None if legal is None else len(legal) == 1
        think_ms = None
        if event.at_ms is not None and self.before_ms is not None and event.at_ms >= self.before_ms:
            think_ms = event.at_ms - self.before_ms
            sums.n_timed += 1
            sums.time_ms += think_ms
        sums.n_decisions += 1
        if legal is not None:
            sums.n_known += 1
            sums.n_forced += forced is True
            sums.n_legal += len(legal)
        passed_on = played and after.plays_due == 2
        if isinstance(event, Play):
            sums.n_plays += 1
            deflects = passed_on and before.plays_due == 2
            sums.pairs_passed += deflects
            self.use.play(seat, card, before, after, deflects=deflects, forced=forced)
        else:
            self.use.discard_four(seat)
        round_ = self.round
        play = 1
        if round_ is not None:
            round_.plays += played
            round_.play += 1
            play = round_.play
            if played and after.total != before.total:
                round_.set_by = (seat, card)
        self.phases.choice(seat, play, before.total, hand, forced=forced, think_ms=think_ms)
        self.decisions.append(
            (
                self.game_id, event.seq, after.round, seat, before.total, before.plays_due, before.second, hand,
                legal, card, forced, after.total, play, passed_on, think_ms,
            )
        )  # fmt: skip

    def eliminate(self, event: Eliminate, before: State, after: State) -> None:
        seat = event.seat
        set_by = self.round.set_by if self.round is not None else None
        self.seats[seat].n_falls += 1
        if event.card is not None:
            self.use.bust(seat, event.card)
        if set_by is not None and event.reason == "no_legal_play":
            self.use.fatal(*set_by)
            if set_by[0] == seat:
                self.seats[seat].n_set_own += 1
            else:
                self.seats[set_by[0]].n_set += 1
        if self.round is not None:
            self.round.falls += 1
        hand = after.hands[seat]
        self.eliminations.append(
            (
                self.game_id, event.seq, after.round, seat, event.reason, _cause(event, before, hand), after.total,
                hand, *(set_by or (None, None)), len(after.seats_in), self.round.play if self.round else 0,
            )
        )  # fmt: skip

    def end_round(self, event: RoundEnd, _before: State, _after: State) -> None:
        if self.round is not None:
            self.round.end_seq = event.seq
            self.round.winner, self.round.loser = event.winner, event.loser
        if event.winner is not None:
            self.seats[event.winner].rounds_won += 1
        if self.state is not None:
            self.use.keep(self.state.hands)

    def end_game(self, event: GameEnd, _before: State, _after: State) -> None:
        self.end = event

    def _close_round(self) -> None:
        """Count the hands of a round that the log breaks off in."""
        if self.round is not None and self.round.end_seq is None and self.state is not None:
            self.use.keep(self.state.hands)

    # --- the end ------------------------------------------------------------------------------------

    def finish(self) -> Rows:
        self._close_round()
        self.chains.finish()
        for row in self.chains.rows:
            self.seats[row[3]].pairs_started += 1
            if row[5] is not None:
                self.seats[row[5]].pairs_hit += 1
                self.seats[row[5]].pairs_survived += row[6] is True
        findings = ((found.code, found.severity) for found in self.game.report.diagnostics)
        return {
            "games": [self._game_row()],
            "players": [self._player_row(seat, player) for seat, player in enumerate(self.game.start.players)],
            "rounds": [found.row(self.game_id) for found in self.rounds],
            "events": self.events,
            "details": self.details,
            "decisions": self.decisions,
            "eliminations": self.eliminations,
            "pair_chains": sorted(self.chains.rows, key=lambda row: row[2]),
            "card_use": list(self.use.rows(self.game_id)),
            "card_totals": list(self.use.totals(self.game_id)),
            "phases": list(self.phases.rows(self.game_id)),
            "findings": [(self.game_id, *found) for found in count_codes(findings)],
        }  # fmt: skip

    @property
    def _table(self) -> tuple[Any, ...]:
        return self.ruleset.edition, self.ruleset.match, len(self.game.start.players)

    @property
    def _left_out(self) -> tuple[Any, ...]:
        completed = self.end is not None and self.end.reason == "completed"
        return completed, self.n_irregular > 0, utc(self.game.start.started_at)

    def _game_row(self) -> tuple[Any, ...]:
        game, start, end, report = self.game, self.game.start, self.end, self.game.report
        times = [event.at_ms for event in game.events if event.at_ms is not None]
        hashes = play_hashes(self.ruleset, game.events)
        return (
            self.game_id, *self._table, start.view, len(self.rounds), len(self.events),
            sum(seat.n_plays for seat in self.seats), report.verdict,
            None if end is None else end.winners, None if end is None else end.reason,
            start.started_at, game.origin.file, *self._left_out,
            start.dealer, self.rounds[0].starter if self.rounds else None, self.ruleset.max_total,
            encode_value(start.ruleset).decode(), start.version, None if start.source is None else start.source.app,
            len(self.decisions), len(self.eliminations), self.n_irregular, game.n_voided,
            sum(seat.n_decisions - seat.n_known for seat in self.seats), report.warnings, report.unverified,
            times[-1] - times[0] if times else None, game.origin.line, game.log_digest,
            game.lines_digest, game.raw_digest, *hashes, game.origin.imported,
        )  # fmt: skip

    def _player_row(self, seat: int, player: Player) -> tuple[Any, ...]:
        completed = self._left_out[0]
        match = (self.state or self.game.first).match
        return (
            self.game_id, seat, player_key(player), player.name, player.bot,
            seat in self.end.winners if completed and self.end else None, player.id, *self._table, *self._left_out,
            bool(self.rounds) and self.rounds[0].starter == seat, *astuple(self.seats[seat]),
            None if match.chips is None else match.chips[seat],
            None if match.scores is None else match.scores[seat],
        )  # fmt: skip


_ACTS: dict[type[Event], Callable[[_Walk, Any, State, State], None]] = {
    RoundStart: _Walk.start_round,
    Deal: _Walk.deal,
    Play: _Walk.choose,
    DiscardFour: _Walk.choose,
    Draw: _Walk.draw,
    Reshuffle: _Walk.reshuffle,
    Eliminate: _Walk.eliminate,
    RoundEnd: _Walk.end_round,
    GameEnd: _Walk.end_game,
}


def _legal(state: State, seat: int) -> tuple[str, ...]:
    if state.turn != seat or state.draws_due:
        # Let stand out of turn, or with a draw left out: what this seat could have played all the same.
        state = replace(state, turn=seat, draws_due=0)
    return legal_plays(state)


def _cause(event: Eliminate, before: State, hand: tuple[str, ...]) -> str:
    """Return why a seat fell (`cause` of schemas/LIBRARY.md)."""
    if event.reason != "no_legal_play":
        return event.reason
    if event.card is not None:
        return "bust"
    if hand and all(card == ONO_99 for card in hand):
        return "only_ono_99"
    return "second_card" if before.second and before.turn == event.seat else "first_card"
