"""Lines of every kind of source: numbers, limits, marks, cuts, and what is refused."""

import contextlib
import gzip
import io
import os
import random
import sys
import tracemalloc
import zlib
from pathlib import Path

import pytest
import zstandard

from ono_replay.log import streams
from ono_replay.log.lines import (
    LONGEST,
    CutStream,
    Line,
    LineReader,
    LongLine,
    Names,
    Unreadable,
    find_logs,
    one_or_many,
    read_lines,
    total_size,
)
from ono_replay.log.streams import ByteSource, Cut, unpack

BOM = b"\xef\xbb\xbf"
LOG = b"".join(b'{"seq":%d,"type":"comment","text":"%d"}\n' % (seq, seq * 7919) for seq in range(12))
NOISE = random.Random(3).randbytes(300)


def lines_of(data, **options):
    return list(read_lines(io.BytesIO(data), **options))


def zstd(data, **options):
    return zstandard.ZstdCompressor(write_checksum=True, **options).compress(data)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\n\n", []),
        (b"a\nb\n", [Line(1, b"a"), Line(2, b"b")]),
        (b"a\r\nb\r\n", [Line(1, b"a"), Line(2, b"b")]),
        (b"a\n \t\n\r\nb\n", [Line(1, b"a"), Line(4, b"b")]),
        (b"a\nb", [Line(1, b"a"), Line(2, b"b", torn=True)]),
        (b"a\nb\r", [Line(1, b"a"), Line(2, b"b", torn=True)]),
        (b"a\nb\n  ", [Line(1, b"a"), Line(2, b"b")]),
        (b"a\rb\n", [Line(1, b"a\rb")]),
        (BOM + b"a\n", [Line(1, b"a")]),
        (BOM + BOM + b"a\n" + BOM + b"b\n", [Line(1, b"a"), Line(2, BOM + b"b")]),
        (b"a\n" + BOM + b'{"type":"game_start"}\n', [Line(1, b"a"), Line(2, b'{"type":"game_start"}')]),
        (BOM, []),
        (b"a\n\0\0\0", [Line(1, b"a"), Line(2, b"\0\0\0", torn=True)]),
        (b"\xff\xfea\0\n\0", [Line(1, b"\xff\xfea\0"), Line(2, b"\0", torn=True)]),
    ],
)
def test_lines_are_numbered_and_trimmed(data, expected):
    assert lines_of(data) == expected


@pytest.mark.parametrize("around", [(b"", b"\n"), (b"", b"\r\n"), (BOM, b"\r\n"), (b"", b"")])
def test_a_line_may_have_one_mebibyte_without_its_newline(around):
    before, after = around
    assert [type(line) for line in lines_of(before + b"x" * LONGEST + after)] == [Line]
    assert lines_of(before + b"x" * (LONGEST + 1) + after) == [LongLine(1)]


def test_after_a_long_line_the_numbers_go_on():
    data = b"a\n" + b"x" * (3 * LONGEST) + b"\nb\n" + b"y" * (LONGEST + 1) + b"\nc"
    assert lines_of(data) == [
        Line(1, b"a"), LongLine(2), Line(3, b"b"), LongLine(4), Line(5, b"c", torn=True)
    ]  # fmt: skip


class Endless(io.RawIOBase):
    """A line that has no end, as far as memory goes."""

    def __init__(self, size):
        self.left = size

    def readable(self):
        return True

    def readinto(self, buffer):
        size = min(len(buffer), self.left)
        buffer[:size] = b"x" * size
        self.left -= size
        return size


def test_a_giant_line_takes_no_memory():
    tracemalloc.start()
    assert list(read_lines(io.BufferedReader(Endless(200 << 20)))) == [LongLine(1)]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 << 20


class Trickle(io.BytesIO):
    def read1(self, size=-1):
        return self.read(1)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd])
def test_a_source_may_come_byte_by_byte(pack):
    assert list(read_lines(Trickle(pack(LOG)))) == lines_of(LOG)


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_packed_logs_are_told_by_content(pack, tmp_path):
    path = tmp_path / "named.jsonl"
    path.write_bytes(pack(LOG))
    assert list(read_lines(path)) == lines_of(LOG)


def bytewise(data, make, error):
    """What a decompressor yields that is fed one byte at a time, and whether the stream is whole."""
    plain, current = [], make()
    try:
        for place in range(len(data)):
            if current.eof:
                current = make()
            plain.append(current.decompress(data[place : place + 1]))
    except error:
        return b"".join(plain), False
    return b"".join(plain), current.eof


def gzip_bytewise(data):
    return bytewise(data, lambda: zlib.decompressobj(31), zlib.error)


def zstd_bytewise(data):
    return bytewise(data, lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError)


def unpacked(data):
    plain: list[bytes] = []
    try:
        plain.extend(unpack(ByteSource(io.BytesIO(data))))
    except Cut:
        return b"".join(plain), False
    return b"".join(plain), True


SAMPLES = [
    pytest.param(gzip.compress(LOG, mtime=0), gzip_bytewise, 2, id="gzip"),
    pytest.param(
        gzip.compress(NOISE, 0, mtime=0) + gzip.compress(LOG, mtime=0), gzip_bytewise, 2, id="members"
    ),
    pytest.param(zstd(LOG), zstd_bytewise, 4, id="zstd"),
    pytest.param(zstd(NOISE) + zstd(LOG), zstd_bytewise, 4, id="frames"),
    pytest.param(
        zstandard.ZstdCompressor(write_content_size=False).compress(NOISE), zstd_bytewise, 4, id="raw-block"
    ),
    pytest.param(
        b"\x50\x2a\x4d\x18\x03\0\0\0abc" + zstd(LOG) + b"\x5f\x2a\x4d\x18\0\0\0\0",
        zstd_bytewise,
        4,
        id="skippable",
    ),
]


@pytest.mark.parametrize(("packed", "reference", "magic"), SAMPLES)
def test_a_stream_cut_anywhere_yields_what_a_bytewise_reader_gets(packed, reference, magic):
    for size in range(magic, len(packed) + 1):
        assert unpacked(packed[:size]) == reference(packed[:size]), size


@pytest.mark.parametrize(("packed", "reference", "magic"), SAMPLES)
def test_a_flipped_bit_yields_what_a_bytewise_reader_gets(packed, reference, magic):
    for place in range(magic, len(packed)):
        for bit in range(8):
            damaged = bytearray(packed)
            damaged[place] ^= 1 << bit
            assert unpacked(bytes(damaged)) == reference(bytes(damaged)), (place, bit)


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
@pytest.mark.parametrize("garbage", [b"x", b"\0" * 512, b"\x1f", b"\x28\xb5\x2f", LOG])
def test_garbage_behind_a_stream_loses_nothing(pack, garbage):
    assert lines_of(pack(LOG) + garbage)[:-1] == lines_of(LOG)
    assert isinstance(lines_of(pack(LOG) + garbage)[-1], CutStream)


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_wrong_checksum_loses_nothing(pack):
    packed = bytearray(pack(LOG))
    packed[-5 if pack is gzip.compress else -1] ^= 1
    *lines, cut = lines_of(bytes(packed))
    assert lines == lines_of(LOG)
    assert "checksum" in cut.message


def test_half_a_line_before_a_cut_is_dropped_a_whole_one_kept():
    assert lines_of(gzip.compress(b'{"seq":0}\n{"se') + b"xx") == [
        Line(1, b'{"seq":0}'), CutStream("something that is no gzip stream follows the gzip stream")
    ]  # fmt: skip
    assert lines_of(gzip.compress(b'{"seq":0}\n{"seq":1}') + b"x")[:-1] == [
        Line(1, b'{"seq":0}'), Line(2, b'{"seq":1}', torn=True)
    ]  # fmt: skip


@pytest.mark.parametrize("data", [b"\x1f", b"\x1f\x8b", b"\x28\xb5", b"\x28\xb5\x2f", b"\x28\xb5\x2f\xfd"])
def test_a_stream_cut_in_its_magic_is_a_cut_stream(data):
    assert [type(line) for line in lines_of(data)] == [CutStream]


def test_a_large_zstd_block_damaged_late_keeps_the_blocks_before():
    noise = random.Random(5).randbytes(300_000)
    packed = bytearray(zstd(noise + LOG * 200))
    packed[-9] ^= 0xFF
    plain, whole = unpacked(bytes(packed))
    assert (plain, whole) == zstd_bytewise(bytes(packed))
    assert len(plain) >= 256 << 10


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"PAR1" + b"\0" * 30, "ono-replay convert"),
        (b"ARROW1\0\0" + b"\0" * 30, "Arrow"),
        (b"\xff\xff\xff\xff\x10\x01\0\0" + b"\0" * 30, "Arrow"),
        (b"FEA1" + b"\0" * 30, "Feather"),
        (b"\x80\x04\x95\x0b\0\0\0", "pickle"),
        (b"\x80\x02}q\x00.", "pickle"),
        (b"\0" * 8 + b"DUCK@" + b"\0" * 30, "DuckDB"),
        (b"\x93NUMPY\x01\0", "NumPy"),
        (b"PK\x03\x04" + b"\0" * 30, "zip"),
        (b"\xfd7zXZ\0" + b"\0" * 30, "xz"),
        (b"BZh91AY&SY", "bzip2"),
    ],
)
def test_other_kinds_of_files_are_refused_by_their_first_bytes(head, words):
    with pytest.raises(Unreadable, match=words):
        lines_of(head)


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_bomb_is_refused(pack, monkeypatch):
    monkeypatch.setattr(streams, "BOMB_BYTES", 1 << 22)
    bomb = pack((b" " * 999 + b"\n") * 8000)
    with pytest.raises(Unreadable, match="bomb"):
        lines_of(bomb)


def test_much_that_unpacks_little_is_no_bomb(monkeypatch):
    monkeypatch.setattr(streams, "BOMB_BYTES", 1 << 10)
    assert len(lines_of(gzip.compress(LOG))) == 12


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd])
def test_a_source_may_have_a_limit(pack):
    assert len(lines_of(pack(LOG), max_bytes=len(LOG))) == 12
    with pytest.raises(Unreadable, match="more than"):
        lines_of(pack(LOG), max_bytes=len(LOG) - 1)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd])
@pytest.mark.parametrize("size", [7, 100, 1 << 20])
def test_what_is_allowed_is_read_however_large_the_blocks_are(pack, size):
    taken = b""
    with pytest.raises(Unreadable, match="more than"):  # noqa: PT012 - some comes before it
        for block in LineReader(io.BytesIO(pack(LOG)), max_bytes=250).blocks(size):
            taken += block
    assert taken == LOG[:250]


def test_a_zstd_frame_with_a_giant_window_is_no_crash():
    parameters = zstandard.ZstdCompressionParameters.from_level(1, window_log=30)
    packed = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    data = packed.compress(LOG) + packed.flush()
    [cut] = lines_of(data)
    assert "window" in cut.message


def test_progress_counts_the_bytes_as_stored(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(LOG))
    reader = LineReader(path)
    assert (reader.name, reader.size, reader.bytes_read) == (str(path), path.stat().st_size, 0)
    assert len(list(reader)) == 12
    assert reader.bytes_read == reader.size


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG)))
    assert list(read_lines("-")) == lines_of(LOG)


class Broken(io.RawIOBase):
    def readable(self):
        return True

    def readinto(self, buffer):
        raise OSError(5, "Input/output error")


def test_a_read_error_is_told():
    with pytest.raises(Unreadable, match="Input/output error"):
        list(read_lines(io.BufferedReader(Broken())))


@pytest.mark.parametrize("name", ["missing", "a\0b", "x" * 5000])
def test_paths_that_do_not_exist(name, tmp_path):
    with pytest.raises(Unreadable):
        LineReader(tmp_path / name)
    with pytest.raises(Unreadable):
        list(find_logs([f"{tmp_path}/{name}"]))


def test_what_is_no_file_is_refused_without_waiting(tmp_path):
    with pytest.raises(Unreadable, match="a folder"):
        LineReader(tmp_path)
    with pytest.raises(Unreadable, match="a device"):
        LineReader("/dev/null")


def test_a_device_is_not_even_opened(monkeypatch):
    """Opening alone can rewind a tape or start a printer."""

    def opens(*_, **__):
        raise AssertionError("it was opened")

    monkeypatch.setattr(os, "open", opens)
    with pytest.raises(Unreadable, match="a device"):
        LineReader("/dev/null")


def test_a_named_pipe_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="named pipe"):
        LineReader(tmp_path / "pipe")


def test_a_link_given_by_name_is_followed(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(LOG)
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "a.jsonl")
    assert len(list(read_lines(tmp_path / "link.jsonl"))) == 12
    assert list(find_logs([tmp_path / "link.jsonl"])) == [str(tmp_path / "link.jsonl")]


@pytest.fixture
def folder(tmp_path):
    for name in ("b.jsonl", "a.ono.jsonl.gz", "sub/c.jsonl.zst", "sub/deeper/d.jsonl", "notes.txt", "x.json"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    (tmp_path / "dangling.jsonl").symlink_to(tmp_path / "nowhere")
    (tmp_path / "linked.jsonl").symlink_to(tmp_path / "b.jsonl")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "folder.jsonl").mkdir()
    return tmp_path


def relative(folder, found):
    return [str(Path(path).relative_to(folder)) for path in found]


def test_a_folder_stands_for_its_logs_in_name_order(folder):
    assert relative(folder, find_logs([folder])) == [
        "a.ono.jsonl.gz", "b.jsonl", "sub/c.jsonl.zst", "sub/deeper/d.jsonl"
    ]  # fmt: skip


def test_a_pipe_in_a_folder_is_passed_by(folder):
    os.mkfifo(folder / "pipe.jsonl")
    assert "pipe.jsonl" not in relative(folder, find_logs([folder]))


@pytest.fixture
def looked_at(monkeypatch):
    """The names that a folder was asked for."""
    found = []
    scandir = os.scandir

    def noted(entries):
        for entry in entries:
            found.append(entry.name)
            yield entry

    @contextlib.contextmanager
    def counted(path):
        with scandir(path) as entries:
            yield noted(entries)

    monkeypatch.setattr(os, "scandir", counted)
    return found


def test_a_walk_stops_after_so_many_names(tmp_path, looked_at):
    for number in range(50):
        (tmp_path / f"{number:02}.jsonl").touch()
    names = Names(10)
    found = relative(tmp_path, find_logs([tmp_path], names=names))
    assert names.more
    assert len(looked_at) == 11  # one more, to know that there are more
    assert found == sorted(looked_at[:10])
    names = Names(50)
    assert len(list(find_logs([tmp_path], names=names))) == 50
    assert not names.more


def test_a_walk_that_stops_goes_into_no_further_folder(tmp_path, looked_at):
    for number in range(5):
        (tmp_path / f"{number}").mkdir()
        for file in range(10):
            (tmp_path / f"{number}" / f"{file}.jsonl").touch()
    names = Names(18)
    found = relative(tmp_path, find_logs([tmp_path], names=names))
    assert found[:10] == [f"0/{file}.jsonl" for file in range(10)]
    assert [name[:2] for name in found[10:]] == ["1/"] * 3
    assert names.more
    assert len(looked_at) == 19


def test_a_folder_that_was_not_looked_at_whole_may_have_logs(tmp_path):
    for number in range(20):
        (tmp_path / f"{number}.txt").touch()
    assert list(find_logs([tmp_path], names=Names(10))) == []
    with pytest.raises(Unreadable, match="there are no logs in this folder"):
        list(find_logs([tmp_path], names=Names(20)))


def test_a_pattern_that_the_shell_left_alone(folder):
    assert relative(folder, find_logs([f"{folder}/sub/*.zst"])) == ["sub/c.jsonl.zst"]
    with pytest.raises(Unreadable, match="no such file"):
        list(find_logs([f"{folder}/*.nothing"]))


def test_a_file_whose_name_looks_like_a_pattern(tmp_path):
    path = tmp_path / "a[1].jsonl"
    path.write_bytes(b"")
    assert list(find_logs([path])) == [str(path)]


def test_standard_input_is_a_log():
    assert list(find_logs(["-"])) == ["-"]


def test_a_single_path_is_one_not_its_letters(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"{}")
    for one in (path, str(path)):
        assert list(find_logs(one)) == [str(path)]
        assert total_size(one) == 2
        assert list(one_or_many(one)) == [one]
    file = io.BytesIO(b"a\nb\n")
    assert list(one_or_many(file)) == [file]
    assert list(one_or_many(iter(["a", path]))) == ["a", path]
    with pytest.raises(Unreadable, match="x: no such file"):
        list(find_logs("x"))


def test_paths_that_hold_no_logs(folder):
    with pytest.raises(Unreadable, match="no logs"):
        list(find_logs([folder / "folder.jsonl"]))
    with pytest.raises(Unreadable, match="leads nowhere"):
        list(find_logs([folder / "dangling.jsonl"]))
