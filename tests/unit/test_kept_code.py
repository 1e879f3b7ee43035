"""Where compiled code is kept: by version, few versions, and not at all where nothing can be written."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ono_replay.bulk import kept_code
from ono_replay.bulk.kept_code import folder_of_code, is_compiled, make_folder


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ONO_REPLAY_CACHE", str(tmp_path / "cache"))
    folder_of_code.cache_clear()
    yield tmp_path / "cache"
    folder_of_code.cache_clear()


def test_the_folder_is_that_of_the_very_source(cache, monkeypatch):
    folder = make_folder()
    assert folder == folder_of_code()
    assert folder.parent == cache
    assert not is_compiled()
    (folder / "bulk_1").mkdir()
    (folder / "bulk_1" / "kernel.judge-1.py311.1.nbc").touch()
    assert is_compiled()
    monkeypatch.setattr(kept_code, "version", lambda _name: "0")
    folder_of_code.cache_clear()
    assert folder_of_code() != folder
    assert not is_compiled()


def test_the_same_source_in_another_place_or_installed_anew_has_none_yet(cache, tmp_path, monkeypatch):
    """The compiler would make it again there, so nobody may be told that it is there."""
    folders = {folder_of_code()}
    for name in ("rules", "bulk"):
        source = Path(kept_code.__file__).parent.parent / name
        shutil.copytree(source, tmp_path / "copy" / name, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(kept_code, "__file__", str(tmp_path / "copy" / "bulk" / "kept_code.py"))
    folder_of_code.cache_clear()
    folders.add(folder_of_code())
    os.utime(tmp_path / "copy" / "rules" / "cards.py", (1000, 1000))
    folder_of_code.cache_clear()
    folders.add(folder_of_code())
    assert len(folders) == 3


def test_few_versions_are_kept(cache):
    for age in range(6):
        old = cache / f"compiled-{age}"
        old.mkdir(parents=True)
        os.utime(old, (1000 - age, 1000 - age))
    make_folder()
    assert {found.name for found in cache.iterdir()} == {
        *("compiled-0", "compiled-1", "compiled-2"),
        folder_of_code().name,
    }


def test_where_nothing_can_be_written_nothing_is_kept(cache):
    cache.write_text("a file in the way")
    assert make_folder() is None


def test_the_engine_works_where_nothing_can_be_kept(tmp_path):
    (tmp_path / "file").touch()
    code = "from ono_replay.bulk.ids import SeenHashes, hash_id; print(hash_id('a') == hash_id('a') != hash_id('b'))"
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "ONO_REPLAY_CACHE": str(tmp_path / "file")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout == "True\n"
