"""What code and documents refer to is there: every document, and the section it is pointed at."""

import re
from pathlib import Path

import pytest

from ono_replay.cli.main import VERBS
from tests.unit.test_project import FILES, ROOT

DOCUMENT = re.compile(
    r"(?<![\w/.{])((?:[\w.-]+/)*[A-Z]{3,}\.md)\b(?:`?,? sections? (\d+)(?:(?:, \d+)*,? and (\d+))?)?"
)
OUTSIDE = ("tests/data/conformance/",)
"""Made elsewhere: its own texts name documents of where it was made."""
READERS = [
    path
    for path in FILES
    if path.suffix in (".py", ".md", ".toml")
    and path != Path(__file__)
    and not path.relative_to(ROOT).as_posix().startswith(OUTSIDE)
]


def references(text):
    """Documents named in a text, with the sections that are named."""
    joined = re.sub(r"\s*\n\s*(?:#:? )?", " ", text)
    return [(name, [s for s in sections if s]) for name, *sections in DOCUMENT.findall(joined)]


def wrong(path):
    found = []
    for name, sections in references(path.read_text(encoding="utf-8")):
        near = [
            base / name
            for base in (ROOT, ROOT / "schemas", ROOT / "sample_logs", path.parent)
            if (base / name).is_file()
        ]
        if not near:
            found.append(f"{name} is not there")
            continue
        headings = set(re.findall(r"^## (\d+)\. ", near[0].read_text(encoding="utf-8"), re.MULTILINE))
        found += [f"{name} has no section {section}" for section in sections if section not in headings]
    return found


@pytest.mark.parametrize("path", READERS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_is_referred_to_is_there(path):
    assert not wrong(path)


def test_references_are_seen():
    text = (
        'A line (schemas/RULES.md\n    sections 2, 5 and 8). "See `CHANGELOG.md`, and FORMAT.md section 4."'
    )
    assert references(text) == [
        ("schemas/RULES.md", ["2", "8"]),
        ("CHANGELOG.md", []),
        ("FORMAT.md", ["4"]),
    ]


@pytest.mark.parametrize("verb", VERBS)
def test_the_changelog_has_every_verb(verb):
    assert re.search(rf"`(?:ono-replay )?{verb}`", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
