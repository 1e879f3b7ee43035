"""The way in: lazy verbs, exit status, and no traceback for a user."""

import os
import subprocess
import sys
import types
from importlib import import_module
from typing import Annotated

import pytest
import typer

from ono_replay import __version__
from ono_replay.cli.guard import HINTS, MEANT_FOR_PEOPLE, CannotRun, guarded
from ono_replay.cli.lazy import Verb, add_command, load, split_examples
from ono_replay.cli.main import VERBS, run

LINE = "Greet a player."


def greet(
    name: Annotated[str, typer.Argument(help="Who is greeted.")],
    loud: Annotated[bool, typer.Option("--loud", help="Greet [loudly].")] = False,
):
    """Greet a player.

    The greeting is short.

    Examples:
        ono-replay greet Ann
        ono-replay greet Ann --loud [always]
    """
    print(f"hello {name}{'!' if loud else ''}")


@pytest.fixture
def verbs(monkeypatch):
    """Two verbs in a module of their own; the second's module does not exist."""
    module = types.ModuleType("greetings")
    vars(module)["greet"] = greet
    monkeypatch.setitem(sys.modules, "greetings", module)
    monkeypatch.setitem(VERBS, "greet", Verb("greetings", "greet", LINE, panel="Manners"))
    monkeypatch.setitem(VERBS, "leave", Verb("no_such_module", "leave", "Say goodbye."))
    return module


@pytest.fixture
def as_user(monkeypatch):
    monkeypatch.delenv("ONO_REPLAY_DEBUG")


def test_version(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"ono-replay {__version__}\n"


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_verbs_without_importing_them(verbs, capsys, flag):
    assert run([flag]) == 0
    shown = capsys.readouterr().out
    for text in ("greet", LINE, "Manners", "leave", "Say goodbye.", "--install-completion"):
        assert text in shown


def test_no_arguments_is_help_and_a_usage_error(capsys):
    assert run([]) == 2
    assert "Usage:" in capsys.readouterr().out


def test_a_verb_runs(verbs, capsys):
    assert run(["greet", "Ann", "--loud"]) == 0
    assert capsys.readouterr().out == "hello Ann!\n"


def test_the_help_of_a_verb_has_its_examples_line_by_line(verbs, capsys):
    assert run(["greet", "--help"]) == 0
    shown = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert LINE in shown
    assert "Examples" in shown
    assert "ono-replay greet Ann" in shown
    assert "ono-replay greet Ann --loud [always]" in shown
    assert "Examples:" not in shown


@pytest.mark.parametrize("arguments", [["gret"], ["greet"], ["greet", "Ann", "--silent"], ["--silent"]])
def test_bad_usage_is_2(verbs, capsys, arguments):
    assert run(arguments) == 2
    assert "Error" in capsys.readouterr().err


def test_a_near_miss_is_suggested(verbs, capsys):
    run(["gret"])
    assert "Did you mean 'greet'" in capsys.readouterr().err


def test_a_verb_of_verbs(monkeypatch, capsys):
    module = types.ModuleType("manners")
    app = typer.Typer(no_args_is_help=True)
    add_command(app, "greet", greet)
    add_command(app, "again", greet)
    vars(module)["app"] = app
    monkeypatch.setitem(sys.modules, "manners", module)
    monkeypatch.setitem(VERBS, "manners", Verb("manners", "app", "Good manners."))
    assert run(["manners", "again", "Ann"]) == 0
    assert capsys.readouterr().out == "hello Ann\n"
    assert run(["manners", "--help"]) == 0
    assert "again" in capsys.readouterr().out


def test_completion_knows_verbs_and_their_options(verbs):
    code = (
        "import sys, types\n"
        "from ono_replay.cli.main import VERBS, main\n"
        "from ono_replay.cli.lazy import Verb\n"
        "from tests.unit import test_cli_main as tests\n"
        "VERBS['greet'] = Verb(tests.__name__, 'greet', 'Greet a player.')\n"
        "main()\n"
    )

    def complete(words):
        environment = {"_ONO_REPLAY_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": "1"}
        environment["COMP_CWORD"] = str(len(words.split()) - 1)
        command = [sys.executable, "-c", code]
        return subprocess.run(
            command, env=os.environ | environment, capture_output=True, text=True
        ).stdout.split()

    assert "greet" in complete("ono-replay gr")
    assert "--loud" in complete("ono-replay greet --lo")


def test_every_verb_is_documented():
    for name, verb in VERBS.items():
        command = load(name, verb)
        text, examples = split_examples(command.callback) if command.epilog else (command.help, [])
        assert text, f"{name}: no help"
        assert text.splitlines()[0] == verb.help, f"{name}: the docstring begins with the line of VERBS"
        if not hasattr(command, "commands"):
            assert examples, f"{name}: no example in its help"
            assert all("ono-replay" in example for example in examples)


class TestExitStatus:
    """`guarded` on what a command may do."""

    @pytest.mark.parametrize(
        ("stop", "status"),
        [
            (SystemExit(), 0),
            (SystemExit(0), 0),
            (SystemExit(1), 1),
            (SystemExit("no"), 2),
            (KeyboardInterrupt(), 130),
        ],
    )
    def test_ends(self, stop, status):
        assert guarded(raising(stop)) == status

    def test_cannot_run(self, capsys):
        assert guarded(raising(CannotRun("no game has this id"))) == 2
        assert capsys.readouterr().err == "ono-replay: no game has this id\n"

    def test_missing_file(self, tmp_path, capsys):
        assert guarded((tmp_path / "none.ono.jsonl").read_bytes) == 2
        assert (
            capsys.readouterr().err
            == f"ono-replay: {tmp_path / 'none.ono.jsonl'}: No such file or directory\n"
        )

    @pytest.mark.parametrize("name", MEANT_FOR_PEOPLE)
    def test_what_the_library_says_is_told(self, capsys, name):
        module, _, kind = name.rpartition(".")
        assert guarded(raising(getattr(import_module(module), kind)("a\x1b.jsonl: a folder"))) == 2
        assert capsys.readouterr().err == "ono-replay: a\\u{1b}.jsonl: a folder\n"

    @pytest.mark.parametrize("name", HINTS)
    def test_a_message_of_the_library_gets_what_the_command_line_adds(self, capsys, name):
        module, _, kind = name.rpartition(".")
        assert guarded(raising(getattr(import_module(module), kind)("a\x1b.jsonl"))) == 2
        assert capsys.readouterr().err == f"ono-replay: a\\u{{1b}}.jsonl: exists already{HINTS[name]}\n"

    @pytest.mark.parametrize(("module", "extra"), [("pyarrow.parquet", "library"), ("numba", "bulk")])
    def test_missing_extra(self, capsys, module, extra):
        assert guarded(raising(ModuleNotFoundError("gone", name=module))) == 2
        assert f"  pip install 'ono-replay[{extra}]'\n" in capsys.readouterr().err

    @pytest.mark.parametrize(
        "fault", [ZeroDivisionError("by zero"), ModuleNotFoundError("x", name="no_such_module")]
    )
    def test_a_fault_of_our_own_is_one_plain_line(self, as_user, capsys, fault):
        assert guarded(raising(fault)) == 2
        shown = capsys.readouterr().err
        assert type(fault).__name__ in shown
        assert "Traceback" not in shown

    def test_a_fault_of_our_own_can_be_looked_into(self):
        with pytest.raises(ZeroDivisionError):
            guarded(raising(ZeroDivisionError()))


def raising(stop):
    def command():
        raise stop

    return command


def in_shell(code, shell_line):
    """Run `python -c code` where `$ONO` stands in a line of bash; return its exit status and standard error."""
    environment = os.environ | {"CODE": f"from ono_replay.cli.guard import guarded\nimport sys\n{code}"}
    line = shell_line.replace("$ONO", f'"{sys.executable}" -c "$CODE"')
    process = subprocess.run(["bash", "-c", line], env=environment, capture_output=True, text=True)
    return process.stdout, process.stderr


MANY_LINES = "sys.exit(guarded(lambda: [print('x' * 100) for _ in range(100_000)]))"


def test_a_reader_that_goes_away_ends_it_quietly():
    assert in_shell(MANY_LINES, "$ONO | head -n 1 > /dev/null; echo ${PIPESTATUS[0]}") == ("141\n", "")


def test_a_full_disk_is_told():
    status, shown = in_shell(MANY_LINES, "$ONO > /dev/full; echo $?")
    assert status == "2\n"
    assert shown.startswith("ono-replay: ")
    assert "no space left" in shown
    assert "Traceback" not in shown


def test_a_name_that_the_terminal_lacks_is_escaped():
    code = "from ono_replay.cli import main as m; m.run = lambda _: print('Zo\\u00eb \\u2660'); m.main()"
    shown, errors = in_shell(code, "PYTHONIOENCODING=latin-1 $ONO | iconv -f latin1 -t utf8")
    assert (shown, errors) == ("Zoë \\u2660\n", "")


def test_as_a_module():
    process = subprocess.run(
        [sys.executable, "-m", "ono_replay", "--version"], capture_output=True, text=True
    )
    assert (process.returncode, process.stdout) == (0, f"ono-replay {__version__}\n")
