"""What is installed: bounded by majors, tested in known versions, under licences that let it be handed on."""

import re

import pytest

from tests.make_licences import PAGE, PROJECT, ROOT, licence_of, needed_by, page, plain

EVERYTHING = PROJECT["dependencies"] + [
    one for extra in PROJECT["optional-dependencies"].values() for one in extra
]
CONSTRAINTS = {
    plain(line.partition("==")[0]): line.partition("==")[2]
    for line in (ROOT / "tests" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
}
FREE = {
    "MIT", "MIT-0", "MIT-CMU", "BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC", "MPL-2.0", "PSF-2.0", "Unlicense", "0BSD", "Zlib", "CC0-1.0", "HPND", "Dual License", "LLVM-exception",
    "Apache-2.0 WITH LLVM-exception",
}  # fmt: skip


@pytest.mark.parametrize("requirement", [one for one in EVERYTHING if not one.startswith("ono-replay")])
def test_a_requirement_ends_before_a_major(requirement):
    """Below the next major; of what is at 0, below 1 or the next minor."""
    (ceiling,) = re.findall(r"<(\d+(?:\.\d+)?)(?=$|[,;\s])", requirement)
    assert ceiling.isdigit() or ceiling.startswith("0.")


def test_the_tests_know_every_version():
    wanted = needed_by(
        PROJECT["dependencies"]
        + PROJECT["optional-dependencies"]["all"]
        + PROJECT["optional-dependencies"]["dev"]
    )
    assert not wanted - set(CONSTRAINTS) - {"ono-replay", "pip", "setuptools"}
    assert all(re.fullmatch(r"[\w.+!]+", version) for version in CONSTRAINTS.values())


def test_the_page_of_licences_is_of_today():
    """`python -m tests.make_licences` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_licence_lets_it_be_handed_on():
    for name in needed_by(PROJECT["dependencies"] + PROJECT["optional-dependencies"]["all"]):
        words = re.split(r"\s+(?:AND|OR|;)\s+|[()]", licence_of(name))
        assert {word.strip() for word in words if word.strip()} <= FREE, (name, licence_of(name))


def test_nothing_is_fetched_when_it_runs():
    """No module of ours asks another machine: what could is not imported. One asks its own dashboard whether it is up."""
    banned = re.compile(
        r"^\s*(?:import|from) (requests|urllib\.request|urllib3|http\.client|ftplib|httpx|aiohttp|smtplib)\b",
        re.MULTILINE,
    )
    found = [
        path.name
        for path in (ROOT / "ono_replay").rglob("*.py")
        if banned.search(path.read_text(encoding="utf-8"))
    ]
    assert found == ["dashboard.py"]


def test_nothing_runs_what_it_reads():
    banned = re.compile(
        r"^\s*(?:import|from) (pickle|marshal|shelve|dill|joblib)\b|\b(?:eval|exec)\(|shell=True|duckdb\.(?:read_|sql\(|query\()",
        re.MULTILINE,
    )
    found = [
        path.name
        for path in (ROOT / "ono_replay").rglob("*.py")
        if banned.search(path.read_text(encoding="utf-8"))
    ]
    assert not found
