"""Record, replay, check and study games of the card game ONO 99.

The package is built in floors, each of which imports only floors below it:
`rules` (the game, pure), `log` (the event log), `check` (diagnostics), `replay` (states) and so on up to `cli`.

What is public is listed in `_EXPORTS` and imported when it is first asked for, so that `import ono_replay`
costs next to nothing and a missing extra hurts only those who need it. To export a name, add it to `_EXPORTS`
and, for type checkers, to the `TYPE_CHECKING` block.

>>> import ono_replay
>>> ono_replay.__version__.count(".")
2
"""

from importlib import import_module

from ono_replay._version import __version__ as __version__

# TYPE_CHECKING block: `from ono_replay.module import Name as Name` for each name of _EXPORTS.

_EXPORTS: dict[str, str] = {
    # name -> module it is defined in
}


def __getattr__(name: str) -> object:
    module = _EXPORTS.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_EXPORTS])
