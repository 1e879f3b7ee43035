"""The floors of the package: imports go down only, without circles, and heavy things come late.

The order and the reasons are in CONTRIBUTING.md. Everything is read from the source by `ast`; nothing is imported.
"""

import ast
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "ono_replay"

# From low to high; parts in one row may not import each other.
FLOORS = (
    ("_version", "bundle", "machine"),
    ("rules",),
    ("log",),
    ("check",),
    ("replay",),
    ("branch", "compare"),
    ("record",),
    ("simulate",),
    ("bulk",),
    ("verdicts",),
    ("archives", "cluster", "validation"),
    ("library",),
    ("convert", "export"),
    ("cli",),
    ("__main__",),
    ("dashboard",),
)
LEVEL = {part: level for level, parts in enumerate(FLOORS) for part in parts}

# Neither may see the other's logic: each is the other's yardstick.
STRANGERS = [("bulk", part) for part in ("check", "replay", "branch", "compare")]

# All that the rules may import besides themselves: no file, clock, randomness, logger or raw JSON.
RULES_MAY_IMPORT = {
    "__future__", "abc", "bisect", "collections", "collections.abc", "copy", "dataclasses", "enum", "functools",
    "itertools", "math", "operator", "re", "types", "typing", "unicodedata", "msgspec",
}  # fmt: skip
RULES_MAY_NOT_NAME = {"open", "print", "input", "eval", "exec", "__import__", "breakpoint", "msgspec.json"}

HEAVY = {
    "PIL", "daft", "duckdb", "numba", "numpy", "openskill", "pandas", "plotly", "pyarrow", "ray", "resvg_py", "scipy",
    "statsmodels", "streamlit",
}  # fmt: skip
# What stands on an extra as a whole; everywhere else heavy modules are imported inside the functions that use them.
STANDS_ON_AN_EXTRA = ("ono_replay.bulk", "ono_replay.library", "ono_replay.log.arrow", "dashboard")

MEANINGLESS = {"common", "helper", "helpers", "misc", "util", "utils"}


class Import(NamedTuple):
    module: str
    target: str
    line: int
    inside_function: bool

    def __str__(self):
        return f"{self.module}:{self.line} imports {self.target}"


def find_sources() -> dict[str, Path]:
    found = {}
    for top in (PACKAGE, "dashboard"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


SOURCES = find_sources()


def read_imports(module: str, source: str, is_package: bool, modules: frozenset[str]) -> list[Import]:
    found: list[Import] = []

    def targets(node):
        if isinstance(node, ast.Import):
            return [alias.name for alias in node.names]
        base = node.module or ""
        if node.level:
            parents = module.split(".") if is_package else module.split(".")[:-1]
            base = ".".join([*parents[: len(parents) - node.level + 1], *([base] if base else [])])
        return [f"{base}.{a.name}" if f"{base}.{a.name}" in modules else base for a in node.names]

    def visit(node, inside):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.extend(Import(module, target, node.lineno, inside) for target in targets(node))
        inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            visit(child, inside)

    visit(ast.parse(source), False)
    return found


def all_imports() -> list[Import]:
    modules = frozenset(SOURCES)
    return [
        found
        for module, path in SOURCES.items()
        for found in read_imports(
            module, path.read_text(encoding="utf-8"), path.name == "__init__.py", modules
        )
    ]


IMPORTS = all_imports()


def part_of(module: str) -> str | None:
    """The part on whose floor a module stands; None for modules of others and for the package's own front."""
    top, *rest = module.split(".")
    if top == PACKAGE:
        return rest[0] if rest else None
    return "dashboard" if top == "dashboard" else None


def is_ours(module: str) -> bool:
    return module.split(".")[0] in (PACKAGE, "dashboard")


def stands_on_an_extra(module: str) -> bool:
    return any(module == part or module.startswith(part + ".") for part in STANDS_ON_AN_EXTRA)


def shown(imports) -> str:
    return "\n".join(str(found) for found in imports)


def test_every_part_has_a_floor():
    parts = {part_of(module) for module in SOURCES} - {None}
    assert parts <= set(LEVEL), "a new part needs its floor in FLOORS"


def test_imports_go_down_only():
    wrong = []
    for found in IMPORTS:
        low, high = part_of(found.target), part_of(found.module)
        if high is None or not is_ours(found.target) or low == high:
            continue
        if low is None:
            # The front imports from every floor; only those who stand outside may use it.
            if high not in ("dashboard", "__main__"):
                wrong.append(found)
        elif LEVEL[low] >= LEVEL[high]:
            wrong.append(found)
    assert not wrong, shown(wrong)


def test_the_rules_stand_on_nothing():
    wrong = []
    for found in IMPORTS:
        if part_of(found.module) == "rules" and part_of(found.target) != "rules":
            top = found.target if found.target in RULES_MAY_IMPORT else found.target.split(".")[0]
            if top not in RULES_MAY_IMPORT or found.target in RULES_MAY_NOT_NAME:
                wrong.append(found)
    assert not wrong, shown(wrong)


def test_the_rules_touch_nothing():
    wrong = []
    for module, path in SOURCES.items():
        if part_of(module) == "rules":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) in RULES_MAY_NOT_NAME:
                    wrong.append(f"{module}:{node.lineno} uses {ast.unparse(node)}")
    assert not wrong, "\n".join(wrong)


def test_strangers_stay_strangers():
    pairs = {pair for one, other in STRANGERS for pair in ((one, other), (other, one))}
    wrong = [found for found in IMPORTS if (part_of(found.module), part_of(found.target)) in pairs]
    assert not wrong, shown(wrong)


def test_no_circles():
    graph = {
        module: sorted({f.target for f in IMPORTS if f.module == module and f.target in SOURCES})
        for module in SOURCES
    }
    done: set[str] = set()

    def walk(module, trail):
        assert module not in trail, " -> ".join([*trail[trail.index(module) :], module])
        if module not in done:
            for target in graph[module]:
                walk(target, [*trail, module])
            done.add(module)

    for module in graph:
        walk(module, [])


def test_heavy_modules_are_imported_where_they_are_used():
    wrong = [
        found
        for found in IMPORTS
        if found.target.split(".")[0] in HEAVY
        and not found.inside_function
        and not stands_on_an_extra(found.module)
    ]
    assert not wrong, "import these inside the function that needs them:\n" + shown(wrong)


def test_own_imports_stand_at_the_top():
    # Inside a function only to keep a command light, or because the target stands on an extra; never to dodge a floor.
    wrong = [
        found
        for found in IMPORTS
        if found.inside_function
        and is_ours(found.target)
        and part_of(found.module) not in ("cli", "dashboard")
        and not stands_on_an_extra(found.target)
    ]
    assert not wrong, shown(wrong)


def test_names_say_what_a_module_is_about():
    wrong = [module for module in SOURCES if MEANINGLESS & set(module.split("."))]
    assert not wrong, wrong


def test_the_front_and_the_help_load_nothing_else():
    code = (
        "import sys, ono_replay; from ono_replay.cli.main import run; run(['--help']); "
        "print(*sorted(m for m in sys.modules), file=sys.stderr)"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(process.stderr.split())
    own = {module for module in loaded if module.startswith(PACKAGE)}
    assert own <= {PACKAGE} | {
        f"{PACKAGE}.{m}" for m in ("_version", "cli", "cli.main", "cli.guard", "cli.lazy", "cli.plain")
    }
    assert not (HEAVY | {"msgspec", "zstandard", "markdown_it", "pygments", "asyncio"}) & loaded


class TestTheReaderOfImports:
    """The test above is only as good as what it reads."""

    MODULES = frozenset({"ono_replay.rules", "ono_replay.rules.cards", "ono_replay.log"})

    def read(self, source, module="ono_replay.rules.state", is_package=False):
        return [f.target for f in read_imports(module, source, is_package, self.MODULES)]

    def test_modules_and_names(self):
        assert self.read("from ono_replay.rules import cards") == ["ono_replay.rules.cards"]
        assert self.read("from ono_replay.rules import Card") == ["ono_replay.rules"]
        assert self.read("import ono_replay.log, os.path") == ["ono_replay.log", "os.path"]

    def test_relative(self):
        assert self.read("from . import cards") == ["ono_replay.rules.cards"]
        assert self.read("from .. import log") == ["ono_replay.log"]
        assert self.read("from . import cards", "ono_replay.rules", is_package=True) == [
            "ono_replay.rules.cards"
        ]

    def test_where(self):
        source = "import a\nif x:\n    import b\ndef f():\n    import c\nclass K:\n    import d\n"
        found = read_imports("m", source, False, self.MODULES)
        assert [(f.target, f.inside_function) for f in found] == [
            ("a", False),
            ("b", False),
            ("c", True),
            ("d", False),
        ]
