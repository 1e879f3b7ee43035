"""Writes what is installed with the project, and under which licences: `python -m tests.make_licences`."""

import contextlib
import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "schemas" / "DEPENDENCIES.md"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

NOT_TOLD = {"resvg-py": "MIT", "daft": "Apache-2.0", "ray": "Apache-2.0"}
"""Of packages whose metadata names none, or that `tests/run` does not install."""
PLAIN = {
    "MIT License": "MIT", "Apache License 2.0": "Apache-2.0", "3-Clause BSD License": "BSD-3-Clause", "BSD License": "BSD", "Apache Software License": "Apache-2.0", "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0", "ISC License (ISCL)": "ISC", "The Unlicense (Unlicense)": "Unlicense", "Historical Permission Notice and Disclaimer (HPND)": "HPND",
}  # fmt: skip
HEAD = """\
# What is installed with it

Written by `python -m tests.make_licences` from what the packages say of themselves. Versions are bounded by majors in
`pyproject.toml`; those that everything is tested with stand in `tests/constraints.txt`. Nothing is downloaded when the
program runs. It is itself under the MIT licence.

"""


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def licence_of(name: str) -> str:
    """Return the licence of an installed package, in SPDX's words as far as it tells."""
    if plain(name) in NOT_TOLD:
        return NOT_TOLD[plain(name)]
    told: Any = distribution(name).metadata
    if told.get("License-Expression"):
        return str(told["License-Expression"])
    named = [
        one.rpartition(" :: ")[2] for one in told.get_all("Classifier") or [] if one.startswith("License ::")
    ]
    if named:
        return " AND ".join(sorted({PLAIN.get(one, one) for one in named}))
    said = str(told.get("License") or "unknown").splitlines()[0][:40]
    return PLAIN.get(said, said)


def needed_by(names: list[str]) -> set[str]:
    """Return the installed packages that some need, with all that these need."""
    found: set[str] = set()
    left = [Requirement(name) for name in names]
    while left:
        asked = left.pop()
        key = plain(asked.name)
        if key == "ono-replay":
            left += [
                Requirement(one) for extra in asked.extras for one in PROJECT["optional-dependencies"][extra]
            ]
            continue
        if key in found or (asked.marker and not asked.marker.evaluate({"extra": ""})):
            continue
        found.add(key)
        with contextlib.suppress(PackageNotFoundError):
            left += [Requirement(one) for one in distribution(asked.name).requires or []]
    return found


def direct(extra: str | None) -> list[str]:
    asked = PROJECT["dependencies"] if extra is None else PROJECT["optional-dependencies"][extra]
    return [one for one in asked if not one.startswith("ono-replay")]


def page() -> str:
    extras = [None, *(name for name in PROJECT["optional-dependencies"] if name not in ("all", "dev"))]
    rows = ["| asked for by | package | licence |", "| --- | --- | --- |"]
    seen: set[str] = set()
    for extra in extras:
        for one in direct(extra):
            name = plain(Requirement(one).name)
            seen.add(name)
            rows.append(f"| {extra or 'the program itself'} | {name} | {licence_of(name)} |")
    rest = needed_by(direct(None) + PROJECT["optional-dependencies"]["all"]) - seen
    rows += [f"| one of these | {name} | {licence_of(name)} |" for name in sorted(rest)]
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
