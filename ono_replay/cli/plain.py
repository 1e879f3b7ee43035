"""Plain values of the command line read without pydantic, which typer imports to read any: 70 ms a command.

A wrong value is still left to typer, whose message it is. A typer that keeps its readers elsewhere is left alone.
"""

import re
from typing import Any, Final

import typer
from typer.core import TyperGroup

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}")


def read_plainly(context: typer.Context) -> None:
    """Let the command of a context, and the commands below it, read strings, integers and choices plainly.

    >>> app = typer.Typer(add_completion=False)
    >>> @app.command()
    ... def greet(name: str, times: int = 1):
    ...     print(name, times + 1)
    >>> command = typer.main.get_command(app)
    >>> read_plainly(typer.Context(command))
    >>> command(["Ann", "--times", "2"], standalone_mode=False)
    Ann 3
    """
    command = context.command
    for param in command.get_params(context):
        if vars(param).get("_runtime_param", param) is None:
            vars(param)["_runtime_param"] = _PlainReader(param)
    if isinstance(command, TyperGroup):
        for name, below in command.commands.items():
            read_plainly(typer.Context(below, info_name=name, parent=context))


class _PlainReader:
    """Stands where typer keeps the reader of a parameter."""

    def __init__(self, param: Any) -> None:
        self._param = param
        descriptor = param.type_descriptor
        annotation = descriptor.annotation
        self._many = annotation == list[str]
        self._kind = str if self._many else annotation
        self._choices: tuple[Any, ...] | None = None if self._many else descriptor.choices
        info = descriptor.parameter_info
        self._low, self._high = getattr(info, "min", None), getattr(info, "max", None)
        self._free = info.parser is None

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if self._free and self._is_plain(value):
            return int(value) if self._kind is int else list(value) if self._many else value
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)

    def _is_plain(self, value: Any) -> bool:
        if self._many:
            return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
        if self._choices is not None:
            return isinstance(value, str) and value in self._choices
        if self._kind is int:
            if type(value) is not int and not (isinstance(value, str) and _INTEGER.fullmatch(value)):
                return False
            number = int(value)
            return (self._low is None or number >= self._low) and (self._high is None or number <= self._high)
        return self._kind is str and isinstance(value, str)
