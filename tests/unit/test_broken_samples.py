"""The broken samples: each shows its fault and nothing else, in the same bytes and the same words."""

import gzip
import io
import re
from pathlib import Path

import pytest
import zstandard

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.diagnostic import Diagnostic, Summary
from ono_replay.check.render import TextRenderer
from ono_replay.check.render.style import Style
from ono_replay.check.validator import validate
from ono_replay.simulate.broken import BROKEN_LOGS, broken_samples
from ono_replay.simulate.broken.streams import gzip_stored, zstd_runs

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample_logs" / "broken"
PICTURES = ROOT / "tests" / "data" / "broken"


@pytest.mark.parametrize("name", BROKEN_LOGS)
def test_a_log_has_its_fault_and_no_other(name):
    log = BROKEN_LOGS[name]
    found = validate([io.BytesIO(log.content)])
    findings = [
        one for part in found for one in ([part] if isinstance(part, Diagnostic) else part.diagnostics)
    ]
    severity = "warning" if log.is_warning else CATALOGUE[log.code].severity
    assert [(one.code, one.line, one.severity) for one in findings if not one.knock_on] == [
        (log.code, log.line, severity)
    ]
    assert not [one for one in findings if one.knock_on and severity != "error"]


def test_every_code_has_a_log_and_every_log_its_name():
    assert {log.code for log in BROKEN_LOGS.values()} == set(CATALOGUE)
    assert [log.code for log in BROKEN_LOGS.values()] == sorted(log.code for log in BROKEN_LOGS.values())
    for name, log in BROKEN_LOGS.items():
        assert re.fullmatch(
            rf"{log.code}-{CATALOGUE[log.code].name}(-[a-z-]+)?\.ono\.jsonl(\.gz|\.zst)?", name
        )
        assert log.story.endswith(".")


def test_no_two_logs_are_the_same():
    contents = list(broken_samples().values())
    assert len(set(contents)) == len(contents)
    assert max(map(len, contents)) < 4000


@pytest.mark.parametrize("name", BROKEN_LOGS)
def test_the_file_is_the_log(name, recorded):
    recorded(SAMPLES / name, BROKEN_LOGS[name].content)


@pytest.mark.parametrize("name", BROKEN_LOGS)
def test_the_picture(name, recorded, monkeypatch):
    monkeypatch.chdir(SAMPLES)
    summary = Summary()
    stream = io.StringIO()
    renderer = TextRenderer(stream, style=Style(colour=False), width=100, show_all=True)
    for one in validate([name], summary=summary, keep_scenes=True):
        if isinstance(one, Diagnostic):
            renderer.stray(one)
        else:
            renderer.game(one)
    renderer.close(summary)
    recorded(PICTURES / f"{name.partition('.')[0]}.txt", stream.getvalue().encode())


def test_nothing_else_lies_there():
    assert {path.name for path in SAMPLES.iterdir()} - {"README.md"} == set(BROKEN_LOGS)
    assert {path.stem for path in PICTURES.iterdir()} == {name.partition(".")[0] for name in BROKEN_LOGS}


def test_streams_made_by_hand_are_streams():
    for content in (b"", b"ono", bytes(range(256)) * 600):
        assert gzip.decompress(gzip_stored(content)) == content
    stream = zstd_runs((b"head", 1), (b"a", 300_000), (b"tail", 1))
    assert (
        zstandard.ZstdDecompressor().decompressobj().decompress(stream) == b"head" + b"a" * 300_000 + b"tail"
    )
    assert zstandard.ZstdDecompressor().decompressobj().decompress(zstd_runs((b"a", 5))) == b"aaaaa"


def test_only_one_log_is_about_ids_that_repeat():
    repeated = [
        one.file
        for part in validate(sorted(SAMPLES.glob("*.jsonl*")))
        for one in ([part] if isinstance(part, Diagnostic) else part.diagnostics)
        if one.code == "ONO203"
    ]
    assert [Path(file).name for file in repeated] == ["ONO203-duplicate-game-id.ono.jsonl"]
