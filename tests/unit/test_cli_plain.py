"""Values of the command line read without pydantic: the same values, and typer's own words for wrong ones."""

from pathlib import Path
from typing import Annotated, Literal

import pytest
import typer
from typer.main import get_command

from ono_replay.cli.plain import read_plainly


def command_of(function):
    app = typer.Typer(add_completion=False)
    app.command()(function)
    return get_command(app)


def echo(
    names: list[str],
    kind: Annotated[Literal["a", "b"], typer.Option()] = "a",
    loud: Annotated[bool, typer.Option("--loud/--soft")] = False,
    times: Annotated[int | None, typer.Option(min=1, max=5)] = None,
    tag: Annotated[list[str] | None, typer.Option()] = None,
    ratio: float = 0.5,
    folder: Path = Path(),
):
    print(names, kind, loud, times, tag, ratio, folder)


@pytest.mark.parametrize(
    "arguments",
    [
        ["Ann"],
        ["Ann", "Bo", "--kind", "b", "--loud", "--times", "5", "--tag", "x", "--tag", "y"],
        ["Ann", "--soft", "--times", "+3", "--ratio", "0.25", "--folder", "/tmp"],
        [],
        ["Ann", "--times", "0"],
        ["Ann", "--times", "6"],
        ["Ann", "--times", "1.0"],
        ["Ann", "--times", "9" * 30],
        ["Ann", "--times", " 3"],
        ["Ann", "--kind", "c"],
        ["Ann", "--ratio", "x"],
        ["Ann", "--help"],
    ],
)
def test_as_typer_reads_them(arguments, capsys):
    def outcome(command):
        try:
            command(arguments, prog_name="echo")
        except SystemExit as stop:
            return stop.code, *capsys.readouterr()
        return None, *capsys.readouterr()

    plain = command_of(echo)
    read_plainly(typer.Context(plain))
    assert outcome(plain) == outcome(command_of(echo))


def test_a_parser_of_its_own_is_kept(capsys):
    def double(text: str) -> str:
        return text * 2

    def say(name: Annotated[str, typer.Argument(parser=double)]):
        print(name)

    command = command_of(say)
    read_plainly(typer.Context(command))
    command(["ab"], standalone_mode=False)
    assert capsys.readouterr().out == "abab\n"


def test_another_typer_is_left_alone():
    command = command_of(echo)
    for param in command.params:
        del vars(param)["_runtime_param"]
    read_plainly(typer.Context(command))
    assert not any("_runtime_param" in vars(param) for param in command.params)
