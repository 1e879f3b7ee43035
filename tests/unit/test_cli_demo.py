"""`ono-replay demo`, `samples`."""

import re
import shutil

import pytest

from ono_replay.bundle import bundle_path
from ono_replay.cli.main import run


@pytest.fixture
def samples(tmp_path, monkeypatch):
    """A copy of the samples that may be spoilt."""
    copy = tmp_path / "bundle"
    shutil.copytree(bundle_path("sample_logs"), copy)
    for module in ("cli.demo", "simulate.sample_files"):
        monkeypatch.setattr(f"ono_replay.{module}.bundle_path", lambda _: copy)
    monkeypatch.chdir(tmp_path)
    return copy


class TestDemo:
    def test_all_is_as_it_should_be(self, capsys):
        assert run(["demo", "--check"]) == 0
        shown = capsys.readouterr().out
        assert re.search(r"with-seed\.ono\.jsonl: r0003: valid, 112 events", shown)
        [(found, of)] = re.findall(r"(\d+) of (\d+) faults found", shown)
        assert found == of
        assert "who owes two cards" in shown
        assert "Traceback" not in shown

    def test_the_command_it_names_works(self, samples, capsys):
        run(["demo", "--check"])
        [(file, seq)] = re.findall(r"step samples/(\S+) --seq (\d+)", capsys.readouterr().out)
        assert run(["samples", "copy", "samples"]) == 0
        assert run(["show", f"samples/{file}", "--seq", seq]) == 0

    def test_without_the_extra_it_ends_in_the_terminal(self, monkeypatch, capsys):
        monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
        assert run(["demo", "--no-browser"]) == 0
        assert "pip install 'ono-replay[dashboard]'" in capsys.readouterr().out

    def test_a_fault_that_is_not_found_is_1(self, samples, capsys):
        sound = next((samples / "outside").glob("*.jsonl"))
        shutil.copy(sound, samples / "broken" / "ONO301-out-of-turn.ono.jsonl")
        assert run(["demo"]) == 1
        assert "ONO301-out-of-turn.ono.jsonl: found nothing" in capsys.readouterr().out

    def test_a_sample_with_an_error_is_1(self, samples, capsys):
        (samples / "ok").mkdir(exist_ok=True)
        shutil.copy(samples / "broken" / "ONO301-out-of-turn.ono.jsonl", samples / "ok" / "bad.ono.jsonl")
        assert run(["demo"]) == 1
        assert "ok/bad.ono.jsonl: has an error" in capsys.readouterr().out

    def test_without_games_it_is_2(self, samples, capsys):
        shutil.rmtree(samples)
        samples.mkdir()
        assert run(["demo"]) == 2


class TestSamples:
    def test_a_list(self, capsys):
        assert run(["samples"]) == 0
        listed = capsys.readouterr().out.splitlines()
        assert "outside/with-seed.json" in listed
        assert run(["samples", "list"]) == 0
        assert capsys.readouterr().out.splitlines() == listed

    @pytest.mark.parametrize("name", ["ONO301", "broken/ono301", "*/ONO301*"])
    def test_some(self, capsys, name):
        assert run(["samples", "list", name]) == 0
        listed = capsys.readouterr().out.splitlines()
        assert "broken/ONO301-out-of-turn.ono.jsonl" in listed
        assert all(line.startswith("broken/ONO301") for line in listed)

    def test_a_folder_is_no_part_of_a_word(self, samples, capsys):
        (samples / "ok").mkdir(exist_ok=True)
        (samples / "ok" / "x.jsonl").write_text("")
        run(["samples", "list", "ok"])
        assert all(line.startswith("ok/") for line in capsys.readouterr().out.splitlines())

    def test_an_unknown_one_is_2(self, capsys):
        assert run(["samples", "list", "zzz"]) == 2
        assert capsys.readouterr().err == (
            "ono-replay: no sample is called 'zzz'; `ono-replay samples` lists them\n"
        )

    def test_copies(self, samples, tmp_path, capsys):
        assert run(["samples", "copy", "mine", "outside"]) == 0
        copied = list((tmp_path / "mine" / "outside").iterdir())
        assert copied
        assert capsys.readouterr().out == f"{len(copied)} files copied to mine\n"
        for path in copied:
            assert path.read_bytes() == (samples / "outside" / path.name).read_bytes()

    def test_nothing_is_written_over(self, samples, tmp_path):
        run(["samples", "copy", "mine", "outside"])
        mine = tmp_path / "mine" / "outside" / "with-seed.json"
        mine.write_text("precious")
        assert run(["samples", "copy", "mine"]) == 2
        assert mine.read_text() == "precious"
        assert not (tmp_path / "mine" / "broken").exists()
        assert run(["samples", "copy", "mine", "--force"]) == 0
        assert mine.read_text() != "precious"

    def test_nothing_is_made_over_what_is_there(self, tmp_path, monkeypatch, capsys):
        """A folder of one's own has a README, too."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "README.md").write_text("precious")
        assert run(["samples", "make", "."]) == 2
        assert capsys.readouterr().err == "ono-replay: README.md: exists already (--force writes over it)\n"
        assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
        assert (tmp_path / "README.md").read_text() == "precious"
        assert run(["samples", "make", ".", "--force"]) == 0
        assert (tmp_path / "README.md").read_text().startswith("# Sample logs")
        assert run(["samples", "make", "."]) == 0
