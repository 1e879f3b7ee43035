"""A typer group that imports a command only when it is run; listing them reads a static table."""

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from ono_replay.cli.plain import read_plainly


class Verb(NamedTuple):
    """Where a command lives and the line that `ono-replay --help` shows for it.

    `function` names a plain function with typer annotations, or a `typer.Typer` for a verb with verbs of its own.

    >>> Verb("ono_replay.cli.check", "validate", "Say where and why a game is wrong.").panel
    'Commands'
    """

    module: str
    function: str
    help: str
    panel: str = "Commands"


def add_command(app: typer.Typer, name: str, function: Callable[..., object]) -> None:
    """Add a function to an app: its docstring is the help, its section `Examples:` the help's last part.

    >>> app = typer.Typer()
    >>> add_command(app, "validate", lambda: None)
    >>> [command.name for command in app.registered_commands]
    ['validate']
    """
    text, examples = split_examples(function)
    lines = ["[bold]Examples[/bold]", *(line.replace("[", r"\[") for line in examples)] if examples else []
    # typer joins the lines of a paragraph of an epilog: each line is a paragraph.
    app.command(name, help=text, epilog="\n\n".join(lines) or None)(function)


def split_examples(function: Callable[..., object]) -> tuple[str, list[str]]:
    """Return the help text of a command's function and the lines of its section `Examples:`.

    >>> def greet():
    ...     '''Say hello.
    ...
    ...     Examples:
    ...         ono-replay greet
    ...     '''
    >>> split_examples(greet)
    ('Say hello.', ['ono-replay greet'])
    """
    text, _, examples = (inspect.getdoc(function) or "").partition("\nExamples:\n")
    return text.strip(), [line.strip() for line in examples.splitlines() if line.strip()]


def lazy_group(verbs: Mapping[str, Verb]) -> type[TyperGroup]:
    """Return a group class for `typer.Typer(cls=…)` that offers these verbs without importing them.

    >>> lazy_group({"explain": Verb("ono_replay.cli.explain", "explain", "Explain a code.")}).__name__
    'LazyGroup'
    """

    # Stubs stand for the commands in lists, spelling suggestions and completion; to run one (or to complete
    # its options) typer resolves it, which is the moment it is imported.
    class LazyGroup(TyperGroup):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            for name, verb in verbs.items():
                self.add_command(TyperCommand(name, help=verb.help), name)

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            read_plainly(ctx)
            return super().parse_args(ctx, args)

        def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
            name, command, rest = super().resolve_command(ctx, args)
            verb = verbs.get(name) if name else None
            if name and verb:
                command = load(name, verb)
                read_plainly(typer.Context(command, info_name=name, parent=ctx))
            return name, command, rest

        def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - typer's signature
            panels: dict[str, list[tuple[str, str]]] = {}
            for name, verb in verbs.items():
                panels.setdefault(verb.panel, []).append((name, verb.help))
            records = (param.get_help_record(ctx) for param in self.get_params(ctx))
            panels["Options"] = [record for record in records if record]
            print_help(self.get_usage(ctx).removeprefix("Usage: "), self.help or "", panels)

    return LazyGroup


def load(name: str, verb: Verb) -> Any:
    """Import a verb and return it as a command of the library that typer builds on.

    Raises:
        ModuleNotFoundError: the verb's module, or an extra that it imports at its top, is missing.
    """
    target = getattr(import_module(verb.module), verb.function)
    if isinstance(target, typer.Typer):
        app = target
    else:
        app = typer.Typer(add_completion=False)
        add_command(app, name, target)
    command = get_command(app)
    command.name = name
    return command


def print_help(usage: str, text: str, panels: Mapping[str, list[tuple[str, str]]]) -> None:
    """Print a help page in the look of typer's own, without the Markdown and syntax libraries that one imports."""
    # Only --help pays for these.
    from rich.console import Console
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text.assemble("\n ", ("Usage:", "yellow"), f" {usage}\n"))
    console.print(Text(f" {text}\n"))
    width = max((len(name) for rows in panels.values() for name, _ in rows), default=0)
    for title, rows in panels.items():
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold cyan", no_wrap=True, width=width)
        table.add_column()
        for name, line in rows:
            table.add_row(Text(name), Text(line))
        console.print(Panel(table, title=title, title_align="left", border_style="dim"))
