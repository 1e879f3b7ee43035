"""Conversion as a whole: sides told by content and name, logs finished, nothing lost, nothing half written."""

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ono_replay.bundle import bundle_path
from ono_replay.check.validator import validate
from ono_replay.convert import Converted, Converter, NotConverted, Scribe, conversion, convert_logs
from ono_replay.convert.logs import LogNotes, finished_lines
from ono_replay.log.arrow import read_parquet_here, write_parquet
from ono_replay.log.jsonl import canonical, encode_game
from ono_replay.log.lines import read_lines
from ono_replay.log.output import Unwritable
from ono_replay.log.streams import Unreadable
from ono_replay.rules.events import Player
from tests.outside_engine import Engine

PEERS = Path(__file__).parent.parent / "data/peers/transcendence-replays.json"
START = (
    b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"g","ruleset":{"edition":"2022"},'
    b'"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":1,"view":"public"}'
)
ROUND = b'{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":0}'
DEALS = (
    b'{"seq":2,"type":"deal","seat":0,"cards":["?","?","?","?"]}\n'
    b'{"seq":3,"type":"deal","seat":1,"cards":["?","?","?","?"]}'
)
GAME = b"\n".join([START, ROUND, DEALS, b'{"seq":4,"type":"play","seat":0,"card":"7","total":7}']) + b"\n"
TYPO = b"\n".join([GAME + b'{"seq":5,"type":"draw","seat":0,"card":"?"}', b'{"seq":6,"type":"undo","to":3}'])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made_of(folder, content, *, name="in.ono.jsonl", target="out.ono.jsonl", **options):
    (folder / name).write_bytes(content)
    done = convert_logs(name, target, **options)
    return (folder / target).read_bytes(), done


class TestLogs:
    @pytest.mark.parametrize(
        "content",
        [
            GAME,
            GAME.replace(b"\n", b"\r\n"),
            b"\xef\xbb\xbf" + GAME,
            GAME.replace(b"\n", b"\n\n"),
            GAME[:-1],
            GAME.replace(b'":', b'" : '),
            GAME.replace(b'"seq":4,"type":"play"', b'"type":"play","seq":4'),
            gzip.compress(GAME),
            zstandard.compress(GAME),
        ],
    )
    def test_they_come_out_canonical(self, folder, content):
        made, done = made_of(folder, content)
        assert made == GAME
        assert (done.games, done.events, done.converter, done.written) == (1, 5, None, True)

    def test_faults_stay(self, folder):
        wrong = GAME.replace(b'"total":7', b'"total":8').replace(b'"seq":4', b'"seq":9') + GAME
        assert made_of(folder, wrong)[0] == wrong

    def test_undos_are_carried_out(self, folder):
        game = TYPO + b'\n{"seq":7,"type":"play","seat":0,"card":"9","total":9}\n'
        made, _ = made_of(folder, game)
        assert made == GAME.replace(b'"7","total":7', b'"9","total":9')

    def test_only_the_game_with_undos_is_numbered_anew(self, folder):
        odd = GAME.replace(b'"seq":4', b'"seq":9')
        assert (
            made_of(folder, odd + TYPO + b"\n" + odd)[0]
            == odd + b"\n".join([START, ROUND, DEALS]) + b"\n" + odd
        )

    @pytest.mark.parametrize(
        "damage",
        [
            lambda game: game.replace(b'"to":3', b'"to":9'),
            lambda game: game.replace(b'"to":3', b'"to":-1'),
            lambda game: game.replace(b'{"seq":4', b'{"seq":5'),
            lambda game: game.replace(b'"seq":4,"type":"play"', b'"seq":4,"type":play'),
            lambda game: game.partition(b"\n")[2],
        ],
    )
    def test_undos_of_a_damaged_game_are_not_guessed(self, folder, damage):
        with pytest.raises(Unreadable, match="has undos that can not be carried out"):
            made_of(folder, damage(TYPO))
        assert not Path("out.ono.jsonl").exists()

    def test_lines_that_are_no_events_are_kept_and_told(self, folder):
        content = GAME + b'{"seq":5,"type":"draw"}\nnot json\n\xff\n' + GAME
        made, done = made_of(folder, content)
        assert made == content
        assert (done.log.kept, done.log.kept_in_all) == ([6, 7, 8], 3)

    def test_unknown_keys_and_types_are_kept(self, folder):
        content = (
            GAME + b'{"seq":5,"type":"wave","how":[1.50]}\n{"seq":6,"type":"comment","text":"a","mood":1e3}\n'
        )
        assert made_of(folder, content)[0] == content

    def test_a_torn_last_line_is_left_out_and_told(self, folder):
        made, done = made_of(folder, GAME + b'{"seq":5,"ty')
        assert made == GAME
        assert done.log.torn == 6

    @pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
    def test_a_stream_that_breaks_off_is_refused(self, folder, pack):
        with pytest.raises(Unreadable, match="ends early; `ono-replay recover` saves what there is"):
            made_of(folder, pack(GAME)[:-12])
        assert list(folder.iterdir()) == [folder / "in.ono.jsonl"]

    def test_a_line_past_the_limit_is_refused(self, folder):
        with pytest.raises(Unreadable, match="line 6 is longer than 1 MiB"):
            made_of(folder, GAME + b"x" * (1 << 21) + b"\n")

    def test_a_game_past_the_limit_is_refused(self, monkeypatch):
        monkeypatch.setattr("ono_replay.convert.logs.MOST_EVENTS", 3)
        with pytest.raises(Unreadable, match="in: line 4: a game of more than 3 events"):
            list(finished_lines("in", read_lines(io.BytesIO(GAME)), LogNotes()))

    def test_an_empty_log(self, folder):
        for content in (b"", b"\n \n"):
            made, done = made_of(folder, content, overwrite=True)
            assert (made, done.games, done.written) == (b"", 0, True)

    def test_a_folder_stands_for_its_logs(self, folder):
        (folder / "logs").mkdir()
        (folder / "logs/a.ono.jsonl").write_bytes(GAME)
        (folder / "logs/b.ono.jsonl.gz").write_bytes(gzip.compress(GAME))
        assert convert_logs("logs", "out.ono.jsonl").games == 2
        assert Path("out.ono.jsonl").read_bytes() == GAME * 2


class TestTargets:
    def test_the_name_tells_the_form(self, folder):
        unpack: dict[str, Callable[[bytes], bytes]] = {
            "a.ono.jsonl": bytes,
            "a.jsonl.gz": gzip.decompress,
            "A.JSONL.GZ": gzip.decompress,
            "a.ono.jsonl.zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
            "a": bytes,
            "a.log": bytes,
        }
        for name, plain in unpack.items():
            made, _ = made_of(folder, GAME, target=name)
            assert plain(made) == GAME, name

    @pytest.mark.parametrize(
        "name",
        [
            "a.json",
            "a.csv",
            "a.html",
            "a.arrow",
            "a.feather",
            "a.duckdb",
            "a.json.gz",
            "a.parquet.gz",
            "a.exe",
        ],
    )
    def test_other_names_are_refused(self, folder, name):
        with pytest.raises(Unwritable, match=f"{name}: convert writes logs"):
            made_of(folder, GAME, target=name)

    @pytest.mark.parametrize("name", ["out.parquet", "out.ono.jsonl", "out.ono.jsonl.gz"])
    def test_a_file_that_exists_stays_unless_told_otherwise(self, folder, name):
        (folder / name).write_bytes(b"mine")
        with pytest.raises(Unwritable, match="exists already"):
            made_of(folder, GAME, target=name)
        assert (folder / name).read_bytes() == b"mine"
        made_of(folder, GAME, target=name, overwrite=True)
        assert (folder / name).read_bytes() != b"mine"

    def test_an_empty_file_may_be_written_over(self, folder):
        (folder / "out.ono.jsonl").touch()
        assert made_of(folder, GAME)[0] == GAME

    @pytest.mark.parametrize("way", ["in.ono.jsonl", "./in.ono.jsonl", "link.ono.jsonl"])
    def test_never_onto_itself(self, folder, way):
        (folder / "link.ono.jsonl").symlink_to("in.ono.jsonl")
        with pytest.raises(Unwritable, match="is what is to be converted"):
            made_of(folder, GAME, target=way, overwrite=True)
        assert (folder / "in.ono.jsonl").read_bytes() == GAME

    def test_a_source_that_breaks_half_way_leaves_the_old_file(self, folder):
        (folder / "out.ono.jsonl").write_bytes(b"old")
        with pytest.raises(Unreadable):
            made_of(folder, GAME + TYPO.replace(b'"to":3', b'"to":9'), overwrite=True)
        assert (folder / "out.ono.jsonl").read_bytes() == b"old"
        assert len(list(folder.iterdir())) == 2

    @pytest.mark.parametrize("name", ["no/such/folder.ono.jsonl", "in.ono.jsonl/x.ono.jsonl"])
    def test_a_place_that_is_none(self, folder, name):
        with pytest.raises(Unwritable):
            made_of(folder, GAME, target=name)

    def test_a_folder_is_no_target(self, folder):
        (folder / "d").mkdir()
        with pytest.raises(Unwritable):
            made_of(folder, GAME, target="d")


class TestParquet:
    @pytest.mark.parametrize("name", ["a.parquet", "a.PQ"])
    def test_there_and_back(self, folder, name):
        wrong = GAME.replace(b'"total":7', b'"total":8')
        game = GAME + b'{"seq":5,"type":"wave","how":[1.50]}\n' + wrong
        made, done = made_of(folder, game, target=name)
        assert made[:4] == b"PAR1"
        assert (done.games, done.events) == (2, 11)
        assert convert_logs(name, "back.ono.jsonl").events == 11
        assert Path("back.ono.jsonl").read_bytes() == game
        convert_logs(name, "again.parquet")
        assert Path("again.parquet").read_bytes() == made

    def test_from_outside_at_once(self, folder):
        convert_logs(PEERS, "a.parquet")
        convert_logs("a.parquet", "a.ono.jsonl")
        convert_logs(PEERS, "b.ono.jsonl")
        assert Path("a.ono.jsonl").read_bytes() == Path("b.ono.jsonl").read_bytes()

    def test_the_content_counts_and_not_the_name(self, folder):
        made_of(folder, GAME, target="a.parquet")
        Path("a.parquet").rename("b.ono.jsonl")
        convert_logs("b.ono.jsonl", "back.ono.jsonl")
        assert Path("back.ono.jsonl").read_bytes() == GAME
        with pytest.raises(Unreadable, match="is no Parquet file, whatever its name says"):
            made_of(folder, GAME, name="c.parquet", target="d.ono.jsonl")

    def test_damage_leaves_nothing(self, folder):
        made, _ = made_of(folder, GAME, target="a.parquet")
        Path("b.parquet").write_bytes(made[:-30])
        with pytest.raises(Unreadable, match=r"b\.parquet: the Parquet file is damaged"):
            convert_logs("b.parquet", "c.ono.jsonl")
        assert not Path("c.ono.jsonl").exists()


class TestSources:
    @pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress])
    def test_outside_replays_are_known_by_content(self, folder, pack):
        _, done = made_of(folder, pack(PEERS.read_bytes()), name="odd.name")
        assert (done.converter, done.games, done.events) == ("transcendence", 20, 2250)
        assert done.unknown == {}

    def test_what_was_not_known_is_counted(self, folder):
        done = convert_logs(PEERS, "out.ono.jsonl", use_seed=False)
        assert done.unknown == {"the cards dealt and drawn (a replay without its seed holds none)": 20}

    def test_what_goes_wrong_is_told_by_game(self, folder):
        entries = json.loads(PEERS.read_bytes())[:4]
        entries[0]["replay"]["actions"][3]["type"] = "SING"
        entries[1]["replay"]["actions"][9]["payload"]["totalAfter"] = 97
        entries[2]["replay"]["total"] = 3
        made, done = made_of(folder, json.dumps(entries).encode(), name="in.json")
        assert (done.games, done.refused_in_all, done.written) == (3, 1, True)
        assert done.refused[0].name == "entry 0 (r0001)"
        assert [name for name, _ in done.illegal] == ["entry 1 (r0002)"]
        assert [name for name, _ in done.notes] == ["entry 2 (r0003)"]
        assert made.count(b'"game_start"') == 3

    def test_no_game_at_all_leaves_no_file(self, folder):
        done_of = convert_bad(folder, b'[{"replay": {}}, {"replay": {}}]')
        assert (done_of.written, done_of.refused_in_all) == (False, 2)
        assert not Path("out.ono.jsonl").exists()

    @pytest.mark.parametrize(
        "content",
        [
            b'{"a": 1}',
            b"[]",
            b"[1, 2]",
            b"hello",
            b"<html>",
            b"\x00" * 100,
            b"[" * 100_000,
            b'"x"',
            b"seq;type\n",
        ],
    )
    def test_what_is_nothing_that_is_read_here(self, folder, content):
        with pytest.raises(Unreadable, match="is no log and nothing else that is read here"):
            made_of(folder, content)
        assert not Path("out.ono.jsonl").exists()

    def test_a_picture_is_called_that(self, folder):
        with pytest.raises(Unreadable, match="this is a PNG picture, not a log"):
            made_of(folder, b"\x89PNG\r\n\x1a\n" + bytes(40))

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"ARROW1\0\0" + b"x" * 50, "Arrow"),
            (b"PK\x03\x04" + b"x" * 50, "zip"),
            (b"\x80\x04" + b"x" * 50, "pickles"),
        ],
    )
    def test_dangerous_and_packed_files_are_refused_by_kind(self, folder, content, words):
        with pytest.raises(Unreadable, match=words):
            made_of(folder, content)

    def test_a_packed_replay_that_breaks_off(self, folder):
        with pytest.raises(Unreadable, match="the gzip stream ends early"):
            made_of(folder, gzip.compress(PEERS.read_bytes())[:-2000], name="in.json.gz")

    @pytest.mark.parametrize("content", [GAME, PEERS.read_bytes()[:20_000] + b"]"])
    def test_standard_input(self, folder, content, monkeypatch):
        class Input:
            buffer = io.BytesIO(content)

        monkeypatch.setattr("sys.stdin", Input)
        done = convert_logs("-", "out.ono.jsonl")
        assert done.games == 1

    def test_a_source_that_is_not_there(self, folder):
        with pytest.raises(Unreadable, match="no such file"):
            convert_logs("nothing", "out.ono.jsonl")


def convert_bad(folder, content):
    (folder / "in.json").write_bytes(content)
    return convert_logs("in.json", "out.ono.jsonl")


class TestOneMoreConverter:
    """What CONTRIBUTING promises: one module, one entry in a list."""

    @staticmethod
    def games(blocks, *, use_seed):
        for line in b"".join(blocks).decode().splitlines()[1:]:
            name, *cards = line.split(";")
            if not cards:
                yield NotConverted(name, "it has no card")
                continue
            scribe = Scribe(name, {"edition": "1980"}, (Player("Ann"), Player("Bo")), view="public", dealer=1)
            scribe.start_round(starter=0)
            for seat, card in enumerate(cards):
                scribe.play(seat % 2, card, scribe.state.total + int(card))
            yield Converted(name, scribe.events({"from": "notes"}), unknown=("who won",))

    @pytest.fixture
    def notes(self, monkeypatch):
        notes = Converter("notes", "notes on paper", lambda head: head.startswith(b"ONO NOTES"), self.games)
        monkeypatch.setattr(conversion, "CONVERTERS", (*conversion.CONVERTERS, notes))

    def test_it_is_found_by_content(self, folder, notes):
        made, done = made_of(folder, b"ONO NOTES\nmonday;7;9;10\ntuesday\nfriday;2\n", name="notes.txt")
        assert (done.converter, done.games, done.refused_in_all) == ("notes", 2, 1)
        assert done.unknown == {"who won": 2}
        reports = list(validate([io.BytesIO(made)]))
        assert [report.game_id for report in reports] == ["monday", "friday"]
        assert {getattr(report, "verdict", None) for report in reports} == {"unfinished"}


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_progress_is_told(folder, pack):
    (folder / "in.json").write_bytes(pack(PEERS.read_bytes()))
    told = []
    convert_logs(
        "in.json", "out.ono.jsonl", on_progress=lambda done: told.append((done.bytes_read, done.games))
    )
    assert told == sorted(told)
    assert told[-1][0] == (folder / "in.json").stat().st_size


def test_games_of_both_kinds_pass_through_everything(folder):
    entries = [Engine(f"e{n}", 2 + n % 5).play() for n in range(10)]
    (folder / "in.json").write_bytes(json.dumps(entries).encode())
    convert_logs("in.json", "a.ono.jsonl")
    for step, target in enumerate(
        ["b.parquet", "c.ono.jsonl.gz", "d.parquet", "e.ono.jsonl.zst", "f.ono.jsonl"]
    ):
        convert_logs(
            ["a.ono.jsonl", "b.parquet", "c.ono.jsonl.gz", "d.parquet", "e.ono.jsonl.zst"][step], target
        )
    data = (folder / "a.ono.jsonl").read_bytes()
    assert (folder / "f.ono.jsonl").read_bytes() == data
    lines = list(finished_lines("a", read_lines(io.BytesIO(data)), LogNotes()))
    events = [line for line in lines if not isinstance(line, bytes)]
    assert encode_game(events) == data == b"".join(canonical(event) + b"\n" for event in events)


def test_every_sample_that_can_be_read_comes_back_from_parquet(tmp_path):
    read = 0
    for number, path in enumerate(sorted(bundle_path("sample_logs").rglob("*.jsonl*"))):
        plain, columns, back = (tmp_path / f"{number}{end}" for end in (".jsonl", ".parquet", ".back.jsonl"))
        try:
            convert_logs(path, plain)
        except Unreadable:
            continue
        with columns.open("wb") as file:
            write_parquet(file, finished_lines("a", read_lines(plain), LogNotes()))
        back.write_bytes(b"".join(line + b"\n" for line in read_parquet_here(columns)))
        assert back.read_bytes() == plain.read_bytes(), path
        read += 1
    assert read >= 2
