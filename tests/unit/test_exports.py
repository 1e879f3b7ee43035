"""The public names of the package."""

import ast
from importlib import import_module
from pathlib import Path

import typer

import ono_replay
from ono_replay.cli.guard import HINTS, MEANT_FOR_PEOPLE
from ono_replay.cli.main import VERBS

CALLS = {
    # command -> what does the same from Python: a public name, or one of a module for the upkeep of a library
    "validate": "validate",
    "show": "read_replay",
    "step": "read_replay",
    "states": "stream_states",
    "convert": "convert_logs",
    "archive": "archive_logs",
    "check-states": "check_states",
    "diff": "first_difference",
    "view": "write_view",
    "branch": "write_branch",
    "export html": "export_game",
    "export svg": "export_game",
    "export png": "export_game",
    "export gif": "export_game",
    "export text": "export_game",
    "record": "Table",
    "follow": "Follower",
    "recover": "recover",
    "amend": "amend",
    "simulate": "write_games",
    "verify-deal": "verify_deals",
    "import": "import_logs",
    "sql": "ask",
    "stats": "statistic",
    "library info": "library_info",
    "library check": "check_library",
    "library compact": "ono_replay.library.maintenance.compact",
    "library upgrade": "ono_replay.library.maintenance.upgrade",
    "library alias": "set_alias",
    "library remove": "remove_games",
    "library anonymise": "anonymise",
    "library extract": "extract_games",
    "library export": "export_library",
    "library duplicates": "find_duplicates",
    "library quality": "ono_replay.library.quality.quality",
    "library quarantine list": "held_back",
    "library quarantine show": "held_back",
    "library quarantine retry": "ono_replay.library.held_back.retry",
    "library quarantine drop": "ono_replay.library.held_back.drop",
    "samples list": "find_samples",
    "samples copy": "copy_samples",
    "samples make": "write_samples",
    "schema": "write_schemas",
    "explain": "code_named",
}
NO_CALL = {
    "dashboard": "a server for people",
    "demo": "other commands, one after the other, for people",
}


def commands(name, target):
    """The command, or all that are below it."""
    if not isinstance(target, typer.Typer):
        return [name]
    below = [(one.name, one.callback) for one in target.registered_commands]
    below += [(group.name, group.typer_instance) for group in target.registered_groups]
    return [found for part, one in below for found in commands(f"{name} {part}", one)]


def test_each_command_has_its_call() -> None:
    found = [
        command
        for name, verb in VERBS.items()
        for command in commands(name, getattr(import_module(verb.module), verb.function))
    ]
    assert sorted(found) == sorted([*CALLS, *NO_CALL])
    for call in set(CALLS.values()):
        module, _, name = call.rpartition(".")
        assert module or call in ono_replay._EXPORTS, call
        assert callable(getattr(import_module(module) if module else ono_replay, name)), call


def test_what_calls_raise_for_people_is_public() -> None:
    public = {f"{module}.{name}" for name, module in ono_replay._EXPORTS.items()}
    assert public.issuperset([*MEANT_FOR_PEOPLE, *HINTS])


def test_no_name_is_that_of_a_module() -> None:
    folder = Path(ono_replay.__file__).parent
    assert not {path.stem for path in folder.iterdir()} & set(ono_replay._EXPORTS)


def test_every_name_comes_from_where_the_table_says() -> None:
    for name, module in ono_replay._EXPORTS.items():
        thing = getattr(ono_replay, name)
        assert getattr(thing, "__module__", module) == module, name


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(ono_replay.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == ono_replay._EXPORTS
