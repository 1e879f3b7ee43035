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
    from ono_replay.branch import CannotBranch as CannotBranch
    from ono_replay.branch import write_branch as write_branch
    from ono_replay.check.catalogue import CATALOGUE as CATALOGUE
    from ono_replay.check.catalogue import code_named as code_named
    from ono_replay.check.diagnostic import Diagnostic as Diagnostic
    from ono_replay.check.diagnostic import GameReport as GameReport
    from ono_replay.check.diagnostic import Summary as Summary
    from ono_replay.compare import BadStates as BadStates
    from ono_replay.compare import CannotCompare as CannotCompare
    from ono_replay.compare import check_states as check_states
    from ono_replay.compare import first_difference as first_difference
    from ono_replay.convert.conversion import convert_logs as convert_logs
    from ono_replay.export.files import CannotExport as CannotExport
    from ono_replay.export.files import export_game as export_game
    from ono_replay.library.anonymising import anonymise as anonymise
    from ono_replay.library.conditions import BadCondition as BadCondition
    from ono_replay.library.exporting import export_library as export_library
    from ono_replay.library.exporting import extract_games as extract_games
    from ono_replay.library.held_back import held_back as held_back
    from ono_replay.library.importing import import_logs as import_logs
    from ono_replay.library.maintenance import check_library as check_library
    from ono_replay.library.maintenance import library_info as library_info
    from ono_replay.library.maintenance import remove_games as remove_games
    from ono_replay.library.maintenance import set_alias as set_alias
    from ono_replay.library.manifest import LibraryFault as LibraryFault
    from ono_replay.library.quality import find_duplicates as find_duplicates
    from ono_replay.library.question import QueryRefused as QueryRefused
    from ono_replay.library.sandbox import ask as ask
    from ono_replay.library.selection import BadQuestion as BadQuestion
    from ono_replay.library.stats import statistic as statistic
    from ono_replay.library.store import Library as Library
    from ono_replay.log.output import AlreadyThere as AlreadyThere
    from ono_replay.log.output import Unwritable as Unwritable
    from ono_replay.log.output import write_log as write_log
    from ono_replay.log.reader import read_games as read_games
    from ono_replay.log.reader import read_log as read_log
    from ono_replay.log.redact import view_of as view_of
    from ono_replay.log.schema import write_schemas as write_schemas
    from ono_replay.log.streams import Unreadable as Unreadable
    from ono_replay.log.views import write_view as write_view
    from ono_replay.record.amendment import CannotAmend as CannotAmend
    from ono_replay.record.amendment import amend as amend
    from ono_replay.record.errors import Damaged as Damaged
    from ono_replay.record.errors import JournalError as JournalError
    from ono_replay.record.errors import LogExists as LogExists
    from ono_replay.record.errors import LogGone as LogGone
    from ono_replay.record.errors import LogHeld as LogHeld
    from ono_replay.record.errors import NotWritten as NotWritten
    from ono_replay.record.follow import Follower as Follower
    from ono_replay.record.reading import Misread as Misread
    from ono_replay.record.recorder import IsFinished as IsFinished
    from ono_replay.record.recorder import NoGame as NoGame
    from ono_replay.record.recorder import Recorder as Recorder
    from ono_replay.record.recovery import recover as recover
    from ono_replay.record.refusal import Refusal as Refusal
    from ono_replay.record.table import Table as Table
    from ono_replay.replay import NoEvent as NoEvent
    from ono_replay.replay import Replay as Replay
    from ono_replay.replay import read_replay as read_replay
    from ono_replay.replay import read_replays as read_replays
    from ono_replay.replay import state_json as state_json
    from ono_replay.replay import stream_states as stream_states
    from ono_replay.rules.legality import why_illegal as why_illegal
    from ono_replay.rules.playable import legal_plays as legal_plays
    from ono_replay.rules.ruleset import EDITIONS as EDITIONS
    from ono_replay.rules.ruleset import BadRuleset as BadRuleset
    from ono_replay.rules.ruleset import Ruleset as Ruleset
    from ono_replay.rules.ruleset import make_ruleset as make_ruleset
    from ono_replay.rules.state import State as State
    from ono_replay.rules.transition import apply as apply
    from ono_replay.rules.violation import IllegalEvent as IllegalEvent
    from ono_replay.simulate.batch import WorkerLost as WorkerLost
    from ono_replay.simulate.batch import simulate_games as simulate_games
    from ono_replay.simulate.batch import write_games as write_games
    from ono_replay.simulate.bots import NoSuchBot as NoSuchBot
    from ono_replay.simulate.game import BadBot as BadBot
    from ono_replay.simulate.plan import BadPlan as BadPlan
    from ono_replay.simulate.plan import Plan as Plan
    from ono_replay.simulate.sample_files import NoSuchSample as NoSuchSample
    from ono_replay.simulate.sample_files import copy_samples as copy_samples
    from ono_replay.simulate.sample_files import find_samples as find_samples
    from ono_replay.simulate.samples import write_samples as write_samples
    from ono_replay.simulate.verify import verify_deals as verify_deals
    from ono_replay.validation import validate as validate

_EXPORTS: dict[str, str] = {
    "archive_logs": "ono_replay.archives",
    "restore_logs": "ono_replay.archives",
    "CannotBranch": "ono_replay.branch",
    "write_branch": "ono_replay.branch",
    "CATALOGUE": "ono_replay.check.catalogue",
    "code_named": "ono_replay.check.catalogue",
    "Diagnostic": "ono_replay.check.diagnostic",
    "GameReport": "ono_replay.check.diagnostic",
    "Summary": "ono_replay.check.diagnostic",
    "BadStates": "ono_replay.compare",
    "CannotCompare": "ono_replay.compare",
    "check_states": "ono_replay.compare",
    "first_difference": "ono_replay.compare",
    "convert_logs": "ono_replay.convert.conversion",
    "CannotExport": "ono_replay.export.files",
    "export_game": "ono_replay.export.files",
    "anonymise": "ono_replay.library.anonymising",
    "BadCondition": "ono_replay.library.conditions",
    "export_library": "ono_replay.library.exporting",
    "extract_games": "ono_replay.library.exporting",
    "held_back": "ono_replay.library.held_back",
    "import_logs": "ono_replay.library.importing",
    "check_library": "ono_replay.library.maintenance",
    "library_info": "ono_replay.library.maintenance",
    "remove_games": "ono_replay.library.maintenance",
    "set_alias": "ono_replay.library.maintenance",
    "LibraryFault": "ono_replay.library.manifest",
    "find_duplicates": "ono_replay.library.quality",
    "QueryRefused": "ono_replay.library.question",
    "ask": "ono_replay.library.sandbox",
    "BadQuestion": "ono_replay.library.selection",
    "statistic": "ono_replay.library.stats",
    "Library": "ono_replay.library.store",
    "AlreadyThere": "ono_replay.log.output",
    "Unwritable": "ono_replay.log.output",
    "write_log": "ono_replay.log.output",
    "read_games": "ono_replay.log.reader",
    "read_log": "ono_replay.log.reader",
    "view_of": "ono_replay.log.redact",
    "write_schemas": "ono_replay.log.schema",
    "Unreadable": "ono_replay.log.streams",
    "write_view": "ono_replay.log.views",
    "CannotAmend": "ono_replay.record.amendment",
    "amend": "ono_replay.record.amendment",
    "Damaged": "ono_replay.record.errors",
    "JournalError": "ono_replay.record.errors",
    "LogExists": "ono_replay.record.errors",
    "LogGone": "ono_replay.record.errors",
    "LogHeld": "ono_replay.record.errors",
    "NotWritten": "ono_replay.record.errors",
    "Follower": "ono_replay.record.follow",
    "Misread": "ono_replay.record.reading",
    "IsFinished": "ono_replay.record.recorder",
    "NoGame": "ono_replay.record.recorder",
    "Recorder": "ono_replay.record.recorder",
    "recover": "ono_replay.record.recovery",
    "Refusal": "ono_replay.record.refusal",
    "Table": "ono_replay.record.table",
    "NoEvent": "ono_replay.replay",
    "Replay": "ono_replay.replay",
    "read_replay": "ono_replay.replay",
    "read_replays": "ono_replay.replay",
    "state_json": "ono_replay.replay",
    "stream_states": "ono_replay.replay",
    "why_illegal": "ono_replay.rules.legality",
    "legal_plays": "ono_replay.rules.playable",
    "EDITIONS": "ono_replay.rules.ruleset",
    "BadRuleset": "ono_replay.rules.ruleset",
    "Ruleset": "ono_replay.rules.ruleset",
    "make_ruleset": "ono_replay.rules.ruleset",
    "State": "ono_replay.rules.state",
    "apply": "ono_replay.rules.transition",
    "IllegalEvent": "ono_replay.rules.violation",
    "WorkerLost": "ono_replay.simulate.batch",
    "simulate_games": "ono_replay.simulate.batch",
    "write_games": "ono_replay.simulate.batch",
    "NoSuchBot": "ono_replay.simulate.bots",
    "BadBot": "ono_replay.simulate.game",
    "BadPlan": "ono_replay.simulate.plan",
    "Plan": "ono_replay.simulate.plan",
    "NoSuchSample": "ono_replay.simulate.sample_files",
    "copy_samples": "ono_replay.simulate.sample_files",
    "find_samples": "ono_replay.simulate.sample_files",
    "write_samples": "ono_replay.simulate.samples",
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
