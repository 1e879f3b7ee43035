"""What the README shows is what happens."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
_COMMAND = re.compile(r"^\$ ", re.MULTILINE)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to write to that has the samples where a checkout has them."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "sample_logs").symlink_to(ROOT / "sample_logs")
    return folder


def _run(command: str, folder: Path) -> str:
    scripts = str(Path(sys.executable).parent)
    home = folder / "home"
    env = {**os.environ, "PATH": scripts + os.pathsep + os.environ["PATH"], "COLUMNS": "100"}
    env |= {"ONO_REPLAY_HOME": str(home), "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return done.stdout


def test_the_tour_has_commands() -> None:
    assert sum(len(_COMMAND.findall(block)) for block in BLOCKS) >= 8


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_console_blocks_show_what_is_printed(block: str, checkout: Path) -> None:
    checker = doctest.OutputChecker()
    for example in _COMMAND.split(block)[1:]:
        command, _, shown = example.partition("\n")
        printed = _run(command, checkout)
        assert checker.check_output(shown, printed, doctest.ELLIPSIS), f"$ {command}\n{printed}"


def test_python_blocks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shown = "\n".join(re.findall(r"```pycon\n(.*?)```", README, re.DOTALL))
    tried = doctest.DocTestParser().get_doctest(shown, {}, "README.md", "README.md", 0)
    assert tried.examples
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(tried).failed == 0
