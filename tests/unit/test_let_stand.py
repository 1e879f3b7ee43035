"""What a table let stand happened as the log says; a second breach is no sign that the first was misread."""

from pathlib import Path

import pytest

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate

LOGS = sorted((Path(__file__).parents[1] / "data" / "let_stand").glob("*.ono.jsonl"))


def test_there_are_logs() -> None:
    assert len(LOGS) == 3


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name.partition(".")[0])
def test_sound_games_with_breaches_let_stand_have_no_error(log: Path) -> None:
    (report,) = validate([log])
    assert isinstance(report, GameReport)
    assert [found for found in report.diagnostics if found.severity == "error"] == []
    # The breaches themselves are told, each at an event that says so.
    lines = log.read_text(encoding="utf-8").splitlines()
    told = {found.line for found in report.diagnostics if not found.knock_on}
    assert told
    assert all('"irregular":true' in lines[line - 1] for line in told if line is not None)
