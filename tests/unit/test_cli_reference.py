"""Every command and every option is documented, in words that are so."""

import re
import shlex

import pytest
import typer

from ono_replay.bundle import bundle_path
from ono_replay.cli.lazy import load, split_examples
from ono_replay.cli.main import VERBS, app
from ono_replay.cli.reference import reference


def all_commands():
    """The path and the command of every verb, and of the verbs of verbs."""

    def walk(path, command):
        below = getattr(command, "commands", {})
        if not below:
            yield path, command
        for name, one in below.items():
            yield from walk([*path, name], one)

    for name, verb in VERBS.items():
        yield from walk([name], load(name, verb))


COMMANDS = list(all_commands())
OPTIONS = {
    tuple(path): {opt for param in command.params for opt in [*param.opts, *param.secondary_opts]}
    for path, command in COMMANDS
}


def test_the_reference_is_up_to_date():
    written = (bundle_path("schemas") / "CLI.md").read_text(encoding="utf-8")
    assert written == reference(VERBS), "stale: run `python -m tests.make_cli_reference`"


@pytest.mark.parametrize(
    ("path", "command"), COMMANDS, ids=lambda it: " ".join(it) if isinstance(it, list) else ""
)
def test_every_parameter_has_its_help(path, command):
    for param in command.params:
        assert param.help, f"{' '.join(path)}: {param.name} has no help"
        assert param.help.endswith((".", "?")), f"{' '.join(path)}: the help of {param.name} is no sentence"


@pytest.mark.parametrize(
    ("path", "command"), COMMANDS, ids=lambda it: " ".join(it) if isinstance(it, list) else ""
)
def test_every_example_uses_what_there_is(path, command):
    examples = split_examples(command.callback)[1]
    assert examples
    for example in examples:
        calls = [part.strip() for part in example.split("|") if part.strip().startswith("ono-replay")]
        assert calls, example
        for call in calls:
            check_call(shlex.split(call.split(">")[0], comments=True)[1:])


def check_call(words):
    path = next(tuple(words[:length]) for length in (3, 2, 1) if tuple(words[:length]) in OPTIONS)
    for word in words[len(path) :]:
        if re.match(r"--?[a-z]", word):
            assert word.partition("=")[0] in OPTIONS[path], f"ono-replay {' '.join(words)}: {word}"


def test_every_option_is_in_the_reference():
    text = reference(VERBS)
    for path, options in OPTIONS.items():
        section = text.split(f"# ono-replay {' '.join(path)}\n")[1].split("\n## ")[0]
        for option in options:
            if option.startswith("-"):
                assert f"`{option}" in section, f"{' '.join(path)}: {option}"


def test_the_options_of_the_program_itself_are_documented():
    for param in typer.main.get_command(app).params:
        assert getattr(param, "help", None), param.name
