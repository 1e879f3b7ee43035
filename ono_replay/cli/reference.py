"""The reference of the command line, as Markdown: made from the commands themselves.

`schemas/CLI.md` holds it; `python -m tests.make_cli_reference` writes it anew.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ono_replay.cli.lazy import Verb, load, split_examples

PREAMBLE: Final = """\
# The command line

Made from the commands themselves; `ono-replay COMMAND --help` shows the same.

* **Exit status**: 0 done; 1 an error was found in a game (also one that belongs to no game), a game was put into
  quarantine, or a deal did not verify; 2 it could not run: bad usage, a path that does not exist or can't be read, a
  folder without logs, a missing extra. Interrupted: 130.
* **Logs** are plain, gzip or zstd, told apart by their content. `-` is standard input. Where several can be given, a
  folder stands for its `*.jsonl`, `*.jsonl.gz` and `*.jsonl.zst`, all the way down, and a pattern may be quoted.
* **What is written** appears under its name when it is whole, packed as the name says (`.gz`, `.zst`). A file that
  exists is not written over without `--force`. `-` is standard output. Messages go to standard error.
* **Terminals**: colour and drawings only on one; `NO_COLOR` turns colour off, `FORCE_COLOR` on.
* **Completion**: `ono-replay --install-completion`.
"""


def reference(verbs: Mapping[str, Verb]) -> str:
    """Return the reference of some commands as Markdown.

    >>> text = reference({"schema": Verb("ono_replay.cli.schema", "schema_command", "Print a JSON Schema.")})
    >>> "## ono-replay schema" in text, "| `--force` | Write over a file that exists. |" in text
    (True, True)
    """
    panels: dict[str, list[str]] = {}
    for name, verb in verbs.items():
        panels.setdefault(verb.panel, []).append(name)
    lines = [PREAMBLE]
    for panel, names in panels.items():
        lines.append(f"**{panel}**: " + " · ".join(f"[{name}](#ono-replay-{name})" for name in names) + "\n")
    for names in panels.values():
        for name in names:
            lines += _command(f"ono-replay {name}", load(name, verbs[name]), level=2)
    return "\n".join(lines).rstrip() + "\n"


def _command(path: str, command: Any, level: int) -> Iterator[str]:
    yield f"{'#' * level} {path}\n"
    below = getattr(command, "commands", {})
    text = command.help if below else split_examples(command.callback)[0]
    yield _plain(text) + "\n"
    for name, one in below.items():
        yield from _command(f"{path} {name}", one, level + 1)
    if below:
        return
    words = [_argument(param) for param in command.params if param.param_type_name == "argument"]
    yield "\n".join(["```sh", " ".join([path, *words, "[OPTIONS]"]), "```", ""])
    rows = [f"| {_name(param)} | {_help(param)} |" for param in command.params if not param.hidden]
    if rows:
        yield "\n".join(["| | |", "| --- | --- |", *rows, ""])
    yield "\n".join(["```sh", *split_examples(command.callback)[1], "```", ""])


def _argument(param: Any) -> str:
    name = (param.metavar or param.name.upper()) + ("..." if param.nargs == -1 else "")
    return name if param.required else f"[{name}]"


def _name(param: Any) -> str:
    if param.param_type_name == "argument":
        return f"`{_argument(param)}`"
    names = [*param.opts, *param.secondary_opts]
    if param.is_flag:
        return ", ".join(f"`{name}`" for name in names)
    choices = param.type_descriptor.choices
    value = param.metavar or (
        "|".join(map(str, choices)) if choices else "N" if _is_number(param) else "TEXT"
    )
    *others, last = names
    return ", ".join([*(f"`{name}`" for name in others), f"`{last} {value}`"]).replace("|", r"\|")


def _plain(text: str) -> str:
    """Return a text in which no star makes words slanted."""
    return text.replace("*", r"\*")


def _is_number(param: Any) -> bool:
    return param.type_descriptor.annotation in (int, float)


def _help(param: Any) -> str:
    text = _plain(" ".join((param.help or "").split())).replace("|", r"\|")
    if param.param_type_name == "option":
        if param.required:
            text += " Required."
        elif not param.is_flag and param.default not in (None, (), []) and param.show_default:
            text += f" Default: `{param.default}`."
        if param.multiple:
            text += " May be given several times."
    return text
