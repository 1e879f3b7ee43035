"""Every guard has its test: each text is there to be taken away, and what takes it away notices where nothing fails."""

import pytest

from tests.fuzz import guards
from tests.fuzz.guards import GUARDS, ROOT, Guard


def test_each_guard_is_there():
    """Once each, and what is named to notice it is a file; `python -m tests.fuzz.guards` takes them away."""
    names = [guard.name for guard in GUARDS]
    assert len(set(names)) == len(names) > 100
    for guard in GUARDS:
        assert (ROOT / guard.file).read_text(encoding="utf-8").count(guard.text) == 1, guard.name
        assert guard.text != guard.without
        tests = [word for word in guard.test.split() if word.endswith(".py")]
        assert tests, guard.name
        assert all((ROOT / test).is_file() for test in tests), guard.name


def test_a_removal_that_nothing_notices_is_told(capsys):
    """Of three: one is noticed, one changes nothing, one is not there; the last two are told by name."""
    file, test = "ono_replay/check/printable.py", "tests/unit/test_printable.py"
    (sound,) = [guard for guard in GUARDS if guard.name == "control and bidirectional characters"]
    spare = Guard("a spare word", file, "import re\n", "import re\nimport os\n", test)
    gone = Guard("a guard that is gone", file, "what nobody wrote", "", test)
    assert guards.main([sound, spare, gone]) == 1
    told = capsys.readouterr().out
    assert "control and bidirectional characters: noticed" in told
    assert f"a spare word: its removal is not noticed by {test}" in told
    assert f"a guard that is gone: its text stands 0 times in {file}" in told
    assert "3 guards taken away, 2 not noticed or not tried" in told


@pytest.mark.slow
@pytest.mark.timeout(3 * 3600)
def test_every_removal_is_noticed():
    assert guards.main(GUARDS) == 0
