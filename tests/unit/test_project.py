"""The project on itself: format, lint, types, sizes, names, and that its files say what is so."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

LONGEST_FILE = 400
LONGEST_FUNCTION = 60
# Past these lengths code asks to be split by meaning. Where it reads better whole, say why.
LONG_FILES: dict[str, str] = {
    # file -> why it is whole
}
LONG_FUNCTIONS: dict[str, str] = {
    # file:function -> why it is whole
}


def find_files() -> list[Path]:
    """All files of the project: what git tracks and what it would, or everything in a tree without git."""
    if (ROOT / ".git").exists():
        listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout.split("\0")
        return sorted(ROOT / name for name in set(listed) if name and (ROOT / name).is_file())
    skipped = {".venv", "__pycache__", "dist", "build"}
    return sorted(
        path
        for path in ROOT.rglob("*")
        if path.is_file() and not skipped & set(path.relative_to(ROOT).parts) and "_cache" not in str(path)
    )


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


FILES = find_files()
PYTHON = [path for path in FILES if path.suffix == ".py"]
CODE = [path for path in PYTHON if path.relative_to(ROOT).parts[0] in ("ono_replay", "dashboard")]


def lines_with(pattern: str, *, of: list[Path]) -> list[str]:
    found = []
    for path in of:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(pattern, line):
                found.append(f"{name_of(path)}:{number}: {line.strip()[:120]}")
    return found


@pytest.mark.parametrize(
    "command",
    [["ruff", "format", "--check", "."], ["ruff", "check", "."], ["mypy"]],
    ids=["format", "lint", "types"],
)
def test_tool(command):
    process = run(sys.executable, "-m", *command)
    assert process.returncode == 0, process.stdout + process.stderr


def test_types_are_checked_everywhere():
    tops = {path.relative_to(ROOT).parts[0] for path in PYTHON}
    assert tops == set(PYPROJECT["tool"]["mypy"]["files"])


def test_an_ignore_names_its_code_and_its_reason():
    marks = "noqa", "type: " + "ignore"
    told = rf"# ({marks[0]}: [A-Z]+\d+(, [A-Z]+\d+)*|{marks[1]}\[[a-z-]+(, ?[a-z-]+)*\])(\s+#|\s+[-–—:]) ?\w"
    wrong = [line for line in lines_with(f"# ({'|'.join(marks)})", of=PYTHON) if not re.search(told, line)]
    assert not wrong, "\n".join(wrong)


def test_an_ignore_of_the_whole_project_is_explained():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.partition("\nignore = [")[2].partition("[tool.ruff.lint.flake8")[0]
    wrong = [line for line in section.splitlines() if re.match(r'\s+"', line) and "  # " not in line]
    assert section
    assert not wrong, "\n".join(wrong)


def test_no_path_of_a_machine():
    tops = "|".join(["wor" + "k", "far" + "m", "roo" + "t", "hom" + "e", "User" + "s"])
    wrong = lines_with(rf"(^|[^A-Za-z0-9_.])/({tops})/[A-Za-z.]", of=[p for p in FILES if p.suffix != ".svg"])
    assert not wrong, "\n".join(wrong)


def test_no_host_of_a_registry():
    hosts = "|".join(
        ["pypi" + r"\.org", "python" + "hosted", "npm" + r"js\.", "deb" + r"\.debian", "conda" + r"\.io"]
    )
    wrong = lines_with(hosts, of=FILES)
    assert not wrong, "\n".join(wrong)


def test_files_are_of_a_size_to_read():
    lengths = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in CODE}
    long = {
        name: length for name, length in lengths.items() if length > LONGEST_FILE and name not in LONG_FILES
    }
    assert not long, "split by meaning, or say in LONG_FILES why not"
    assert all(lengths.get(name, 0) > LONGEST_FILE for name in LONG_FILES), "no longer long: take it out"


def test_functions_are_of_a_size_to_read():
    lengths = {}
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
                lengths[f"{name_of(path)}:{node.name}"] = (node.end_lineno or 0) - first.lineno + 1
    long = {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION}
    assert not set(long) - set(LONG_FUNCTIONS), f"split by meaning, or say in LONG_FUNCTIONS why not: {long}"
    assert set(LONG_FUNCTIONS) <= set(long), "no longer long: take it out"


def test_nothing_else_lies_at_the_top():
    allowed = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md"}
    folders = {"ono_replay", "dashboard", "schemas", "sample_logs", "tests"}
    tops = {path.relative_to(ROOT).parts[0] for path in FILES}
    assert {top for top in tops if not top.startswith(".")} <= allowed | folders


def test_the_version_is_in_one_place():
    from ono_replay import __version__

    assert PYPROJECT["tool"]["hatch"]["version"]["path"] == "ono_replay/_version.py"
    released = re.findall(
        r"^## \[([^]]+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert released[0] in ("Unreleased", __version__)


def test_all_is_everything_for_users():
    extras = PYPROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    named = set(everything.removeprefix("ono-replay[").removesuffix("]").split(","))
    assert named == set(extras) - {"all", "cluster", "dev"}


def test_requirements_have_a_lowest_and_a_highest():
    extras = PYPROJECT["project"]["optional-dependencies"]
    for requirement in [
        *PYPROJECT["project"]["dependencies"],
        *(one for extra in extras.values() for one in extra),
    ]:
        if not requirement.startswith("ono-replay"):
            assert ">=" in requirement, requirement
            assert re.search(r"(^|,)<", requirement.partition(">=")[2]), requirement


def test_extras_are_known_to_the_command_line():
    from ono_replay.cli.guard import EXTRA_OF

    extras = PYPROJECT["project"]["optional-dependencies"]
    told = {
        re.split(r"[^\w-]", one)[0]: extra
        for extra in ("library", "dashboard", "bulk", "pictures", "cluster")
        for one in extras[extra]
        if not one.startswith("ono-replay")
    }
    modules = {"resvg-py": "resvg_py", "pillow": "PIL"}
    assert {modules.get(name, name): extra for name, extra in told.items()} == EXTRA_OF


def test_the_readme_begins_with_the_two_commands_and_ci_runs_the_second():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"```sh\n(.*?)\n```", readme, re.DOTALL)[:2]
    assert "\n" not in first
    assert first.endswith(".venv/bin/ono-replay demo")
    assert "\n" not in second
    assert (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()[-1] == second


def test_links_between_documents_hold():
    wrong = []
    for path in FILES:
        if path.suffix == ".md":
            for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", path.read_text(encoding="utf-8")):
                if "://" not in target and not (path.parent / target).exists():
                    wrong.append(f"{name_of(path)}: {target}")
    assert not wrong, "\n".join(wrong)


def test_a_skip_is_a_failure_where_everything_must_run(tmp_path, monkeypatch):
    (tmp_path / "conftest.py").write_text(
        (ROOT / "tests/conftest.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    tests = "import unittest\ndef test_it():\n    raise unittest.SkipTest('no such tool')\n"
    (tmp_path / "test_skipped.py").write_text(tests, encoding="utf-8")
    (tmp_path / "test_missing.py").write_text(
        "import pytest\npytest.importorskip('no_such_module')\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    for name in ("CI", "ONO_REQUIRE_ALL"):
        monkeypatch.delenv(name, raising=False)
    assert "2 skipped" in run(*command).stdout
    for name, value in (("CI", "true"), ("ONO_REQUIRE_ALL", "1")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            process = run(*command, "--continue-on-collection-errors")
        assert process.returncode == 1
        assert "1 failed, 1 error" in process.stdout
        assert "no such tool" in process.stdout
        assert "no_such_module" in process.stdout
