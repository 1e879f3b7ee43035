"""Every state of a game, seeking, and branching."""
from typing import Any
from ono_replay.rules.state import State
from ono_replay.rules.events import Event

def state_json(game_id: str, event: Event, state: State) -> dict[str, Any]:
    return {
        "game_id": game_id, "seq": event.seq, "type": event.type, "round": state.round, "total": state.total,
        "direction": state.direction, "turn": state.turn, "plays_due": state.plays_due, "second": state.second,
        "draws_due": state.draws_due, "hands": [list(h) for h in state.hands], "out": list(state.out),
        "draw_pile": state.draw_pile, "discard_pile": state.discard_pile,
        "chips": list(state.match.chips) if state.match.chips is not None else None,
        "scores": list(state.match.scores) if state.match.scores is not None else None,
    }
