"""The samples of outside games are what the converter makes of their replays, to the byte."""

from pathlib import Path

import pytest

from ono_replay.bundle import bundle_path
from ono_replay.convert import convert_logs

OUTSIDE = bundle_path("sample_logs") / "outside"
REPLAYS = sorted(OUTSIDE.glob("*.json"))


@pytest.mark.parametrize("replays", REPLAYS, ids=lambda path: path.stem)
def test_a_sample_is_made_of_its_replays(replays, tmp_path):
    made = tmp_path / "made.ono.jsonl"
    done = convert_logs(replays, made)
    assert (done.refused, done.notes, done.illegal) == ([], [], [])
    assert made.read_bytes() == replays.with_suffix(".ono.jsonl").read_bytes()


def test_each_log_has_its_replays_and_stands_in_the_readme():
    assert len(REPLAYS) == 2
    assert {path.name for path in OUTSIDE.glob("*.jsonl")} == {f"{path.stem}.ono.jsonl" for path in REPLAYS}
    readme = Path(OUTSIDE / "README.md").read_text(encoding="utf-8")
    assert all(f"`{path.name}`" in readme for path in OUTSIDE.iterdir() if path.suffix != ".md")
