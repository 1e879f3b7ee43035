"""What the replay viewer gets: one game as plain JSON values, every state in it, small.

The viewer knows no rules. Whatever it shows, states, legal cards, turns, pair chains, sentences, drawings, is
worked out here. The keys:

* `game`, `rules`: the `game_start`, and every option of the ruleset with its value (`deck` as counts);
  `house`: the rules that matter as pairs of words (`house.say_rules`).
* `events`: the effective events as they stand in the log, `game_start` first; `says`: a sentence for each
  (`wording.Sentence`).
* `states`: the state after each event (schemas/SPECIFICATION.md section 12), the first whole, each other one only with what
  changed: `hands` as an object seat → hand, the known discard pile as `pile`, or `laid` for cards put on it.
  Beside the keys of a state: `legal`, an object of the tokens that the seat to act is known to be able to
  play with the total after each.
* `turns`: `[first index, seat or null, number or null]`; `chains`: `[first, last, started by, length, hit]`.
* `findings`: the validator's, each with the `index` of its event (null: of the game); `verdict`, and
  `judged`, the same as a sentence with what keeps the game from being simply true to the rules.
* `cards`: how each card is called and drawn (`art.Look`).
* `options`: what the viewer starts with, see `Options`.
"""

import hashlib
from typing import Any

import msgspec
from msgspec import UNSET

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.export.art import BACK, LOOKS
from ono_replay.export.course import Step, chains_of, steps_of, turns_of
from ono_replay.export.house import say_rules
from ono_replay.export.wording import say, say_verdict
from ono_replay.log.jsonl import event_keys
from ono_replay.replay import Replay, state_json
from ono_replay.rules.cards import DISCARD_FOUR, HIDDEN
from ono_replay.rules.events import Event, GameStart
from ono_replay.rules.playable import legal_plays, total_after
from ono_replay.rules.ruleset import OPTIONS, Ruleset
from ono_replay.rules.state import State, first_state

_LEFT_OUT = ("game_id", "seq", "type")
"""Keys of a state that its event or the game has already."""
_NOT_SHOWN = ("deck", "shuffle", "seed", "position", "meta", "digest")


class NotShowable(ValueError):
    """A game that can not be shown; the message says why."""


class Options(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How a viewer starts; all of it can be changed while looking."""

    event: int | None = None
    """The `seq` to begin at; None for the first deal."""
    seat: int | None = None
    """The seat to look from."""
    theme: str = "auto"
    """`light`, `dark`, or `auto` for what the system says."""
    log: str | None = None
    """The name of the log, for the commands that the viewer offers."""
    branch_of: str | None = None
    """The game that this one is a what-if branch of."""


def build_payload(replay: Replay, options: Options | None = None) -> dict[str, Any]:
    """Return a game for the viewer.

    Hidden cards are absent from it exactly as far as they are from the replay: to share a view, take the
    replay of a redacted log (`log.redact.view_of`). Raises `NotShowable` for a game whose rules or players
    can't be read.
    """
    start, rules = replay.start, replay.ruleset
    if start is None or rules is None:
        raise NotShowable("its game_start can not be read: the players or the rules are not known")
    first = first_state(rules, len(start.players))
    steps = steps_of(first, [(start, first), *zip(replay.events, replay.states, strict=True)])
    payload = {
        "game": _game(start),
        "rules": _rules(rules),
        "house": say_rules(rules),
        "events": [_plain(step.event) for step in steps],
        "says": [say(step) for step in steps],
        "states": _states(steps),
        "turns": [[turn.first, turn.seat, turn.number] for turn in turns_of(steps)],
        "chains": [[c.first, c.last, c.started_by, c.length, c.hit] for c in chains_of(steps)],
        "findings": _findings(replay, steps),
        "verdict": replay.report.verdict,
        "judged": say_verdict(replay.report, replay.events),
        "cards": _cards(rules),
        "options": msgspec.to_builtins(options or Options()),
    }
    payload["key"] = hashlib.sha256(msgspec.json.encode(payload)).hexdigest()[:16]
    return payload


def _game(start: GameStart) -> dict[str, Any]:
    source = start.source and {"app": start.source.app, "version": start.source.version}
    return {
        "game_id": start.game_id,
        "players": [{"name": p.name, "id": p.id, "bot": p.bot} for p in start.players],
        "dealer": start.dealer,
        "view": start.view,
        "viewer": start.viewer,
        "started_at": start.started_at,
        "source": source,
    }


def _plain(event: Event) -> dict[str, Any]:
    """Return an event without what the viewer never shows."""
    if isinstance(event, GameStart):
        return {"seq": event.seq, "type": event.type}
    unknown = () if event.extra is UNSET else tuple(event.extra)
    keys = event_keys(event)
    return {name: keys[name] for name in keys if name not in _NOT_SHOWN and name not in unknown}


def _rules(ruleset: Ruleset) -> dict[str, Any]:
    return {name: getattr(ruleset, name) for name in OPTIONS} | {"deck": dict(ruleset.deck)}


def _cards(ruleset: Ruleset) -> dict[str, Any]:
    wanted = [*ruleset.deck, HIDDEN, BACK]
    return {
        token: {
            "name": look.name,
            "short": look.short,
            "panel": look.panel,
            "ink": look.on_panel,
            "shapes": look.shapes,
        }
        for token, look in LOOKS.items()
        if token in wanted
    }


def _states(steps: list[Step]) -> list[dict[str, Any]]:
    states: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    pile: tuple[str, ...] = ()
    for step in steps:
        whole = state_json("", step.event, step.after)
        whole = {name: value for name, value in whole.items() if name not in _LEFT_OUT}
        whole["legal"] = _legal(step.after)
        changed = {
            name: value for name, value in whole.items() if name not in before or before[name] != value
        }
        if "hands" in changed:
            old = before.get("hands") or [None] * len(whole["hands"])
            changed["hands"] = {
                str(seat): hand for seat, hand in enumerate(whole["hands"]) if hand != old[seat]
            }
        discards = step.after.discards
        if discards[: len(pile)] == pile and len(discards) > len(pile):
            changed["laid"] = discards[len(pile) :]
        elif discards != pile:
            changed["pile"] = discards
        states.append(changed)
        before, pile = whole, discards
    return states


def _legal(state: State) -> dict[str, int]:
    """Return what the seat to act is known to be able to play, each with the total after it."""
    rules, total = state.ruleset, state.total
    return {
        token: total if token == DISCARD_FOUR else total_after(rules, total, token)
        for token in legal_plays(state)
    }


def _findings(replay: Replay, steps: list[Step]) -> list[dict[str, Any]]:
    index_of = {step.event.seq: index for index, step in enumerate(steps)}
    return [
        _finding(finding, None if finding.seq is None else index_of.get(finding.seq))
        for finding in replay.report.diagnostics
    ]


def _finding(finding: Diagnostic, index: int | None) -> dict[str, Any]:
    kept: dict[str, Any] = {
        name: getattr(finding, name)
        for name in ("code", "name", "severity", "line", "seq", "message", "help")
    }
    kept |= {"index": index, "legal": finding.legal, "knock_on": finding.knock_on}
    return {name: value for name, value in kept.items() if value not in (None, False, ()) or name == "index"}
