"""Record, replay, check and study games of the card game ONO 99.

The package is built in floors, each of which imports only floors below it:
`rules` (the game, pure), `log` (the event log), `check` (diagnostics), `replay` (states) and so on up to `cli`.

What is public is listed in `_EXPORTS` and imported when it is first asked for, so that `import ono_replay`
costs next to nothing and a missing extra hurts only those who need it. To export a name, add it to `_EXPORTS`
and, for type checkers, to the `TYPE_CHECKING` block.

>>> import ono_replay
>>> ono_replay.make_ruleset({"edition": "2022"}).max_total
98
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ono_replay._version import __version__ as __version__

if TYPE_CHECKING:
    from ono_replay.archives import archive_logs as archive_logs
    from ono_replay.archives import restore_logs as restore_logs
    from ono_replay.check.diagnostic import Diagnostic as Diagnostic
    from ono_replay.check.diagnostic import GameReport as GameReport
    from ono_replay.check.diagnostic import Summary as Summary
    from ono_replay.compare import check_states as check_states
    from ono_replay.compare import first_difference as first_difference
    from ono_replay.export.files import CannotExport as CannotExport
    from ono_replay.export.files import export_game as export_game
    from ono_replay.library.exporting import export_library as export_library
    from ono_replay.library.exporting import extract_games as extract_games
    from ono_replay.library.importing import import_logs as import_logs
    from ono_replay.library.store import Library as Library
    from ono_replay.log.output import write_log as write_log
    from ono_replay.log.reader import read_games as read_games
    from ono_replay.log.reader import read_log as read_log
    from ono_replay.log.redact import view_of as view_of
    from ono_replay.log.streams import Unreadable as Unreadable
    from ono_replay.record.recorder import Recorder as Recorder
    from ono_replay.record.table import Table as Table
    from ono_replay.replay import Replay as Replay
    from ono_replay.replay import read_replay as read_replay
    from ono_replay.replay import read_replays as read_replays
    from ono_replay.replay import state_json as state_json
    from ono_replay.rules.legality import why_illegal as why_illegal
    from ono_replay.rules.playable import legal_plays as legal_plays
    from ono_replay.rules.ruleset import EDITIONS as EDITIONS
    from ono_replay.rules.ruleset import Ruleset as Ruleset
    from ono_replay.rules.ruleset import make_ruleset as make_ruleset
    from ono_replay.rules.state import State as State
    from ono_replay.rules.transition import apply as apply
    from ono_replay.simulate.batch import simulate_games as simulate_games
    from ono_replay.simulate.batch import write_games as write_games
    from ono_replay.simulate.plan import Plan as Plan
    from ono_replay.simulate.verify import verify_deals as verify_deals
    from ono_replay.validation import validate as validate

_EXPORTS: dict[str, str] = {
    "archive_logs": "ono_replay.archives",
    "restore_logs": "ono_replay.archives",
    "Diagnostic": "ono_replay.check.diagnostic",
    "GameReport": "ono_replay.check.diagnostic",
    "Summary": "ono_replay.check.diagnostic",
    "check_states": "ono_replay.compare",
    "first_difference": "ono_replay.compare",
    "CannotExport": "ono_replay.export.files",
    "export_game": "ono_replay.export.files",
    "export_library": "ono_replay.library.exporting",
    "extract_games": "ono_replay.library.exporting",
    "import_logs": "ono_replay.library.importing",
    "Library": "ono_replay.library.store",
    "Unreadable": "ono_replay.log.streams",
    "write_log": "ono_replay.log.output",
    "read_games": "ono_replay.log.reader",
    "read_log": "ono_replay.log.reader",
    "view_of": "ono_replay.log.redact",
    "Recorder": "ono_replay.record.recorder",
    "Table": "ono_replay.record.table",
    "Replay": "ono_replay.replay",
    "read_replay": "ono_replay.replay",
    "read_replays": "ono_replay.replay",
    "state_json": "ono_replay.replay",
    "why_illegal": "ono_replay.rules.legality",
    "legal_plays": "ono_replay.rules.playable",
    "EDITIONS": "ono_replay.rules.ruleset",
    "Ruleset": "ono_replay.rules.ruleset",
    "make_ruleset": "ono_replay.rules.ruleset",
    "State": "ono_replay.rules.state",
    "apply": "ono_replay.rules.transition",
    "simulate_games": "ono_replay.simulate.batch",
    "write_games": "ono_replay.simulate.batch",
    "Plan": "ono_replay.simulate.plan",
    "verify_deals": "ono_replay.simulate.verify",
    "validate": "ono_replay.validation",
}
"""Each public name and the module it is defined in."""


def __getattr__(name: str) -> object:
    module = _EXPORTS.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_EXPORTS])
