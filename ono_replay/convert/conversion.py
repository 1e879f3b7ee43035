"""One call for every conversion: both sides told by content and by name."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, TypeVar, cast

import msgspec

from ono_replay.convert.entries import first_keys
from ono_replay.convert.logs import LogNotes, finished_lines
from ono_replay.convert.outside import Converter, NotConverted
from ono_replay.convert.transcendence import TRANSCENDENCE_REPLAYS
from ono_replay.log.jsonl import canonical
from ono_replay.log.lines import Line, LineReader, find_logs
from ono_replay.log.output import Unwritable, check_free, is_read, log_writer
from ono_replay.log.parquet import MAGIC, is_parquet, one_reader, read_parquet
from ono_replay.log.streams import ByteSource, Cut, Unreadable, unpack
from ono_replay.rules.events import Event

CONVERTERS: Final[tuple[Converter, ...]] = (TRANSCENDENCE_REPLAYS,)
"""The outside formats that are read, each by a module of its own."""
PARQUET_SUFFIXES: Final = (".parquet", ".pq")
LOG_SUFFIXES: Final = ("", ".jsonl", ".ono", ".log", ".txt")
"""What a log may be called, before `.gz` or `.zst`."""
_HEAD = 1 << 16
_SPACE = b"\xef\xbb\xbf \t\r\n"


class Conversion(msgspec.Struct):
    """What a conversion did, and all there is to say of it."""

    source: str
    target: str
    converter: str | None = None
    """The outside format; None from log to log."""
    games: int = 0
    events: int = 0
    written: bool = False
    """Whether there is a new file; not if no game at all could be converted."""
    refused: list[NotConverted] = []
    """Outside games that no log could be made of; the first thousand."""
    refused_in_all: int = 0
    unknown: Counter[str] = msgspec.field(default_factory=Counter)
    """What outside games did not tell, and how many of them."""
    notes: list[tuple[str, str]] = []
    """A game and where it contradicts itself; the first thousand."""
    illegal: list[tuple[str, int]] = []
    """A game and the `seq` of the first event that breaks a rule; the first thousand."""
    log: LogNotes = msgspec.field(default_factory=LogNotes)
    """What there is to say of a log that was read."""
    bytes_read: int = 0
    """Bytes read of the source, as they are stored; not counted for Parquet."""


MOST_SAID = 1000
_Said = TypeVar("_Said")


@one_reader()
def convert_logs(
    source: str | Path,
    target: str | Path,
    *,
    use_seed: bool = True,
    overwrite: bool = False,
    on_progress: Callable[[Conversion], None] | None = None,
) -> Conversion:
    r"""Convert outside replays, logs or Parquet into a log or Parquet, as the two sides are.

    The source is told by its content: an outside format (see `CONVERTERS`), a log (plain, gzip, zstd; a folder
    stands for its logs; `-` is standard input) or a Parquet log. The target is told by its name: `.parquet`, else
    a log, packed for `.gz` and `.zst`; `-` is standard output. It appears whole or not at all. A target that
    exists stays as it is unless it is empty or `overwrite` is given. `use_seed=False` makes public logs of
    replays whose seed is known. `on_progress` is called now and then.

    Raises `Unreadable`, `Unwritable`, and `ModuleNotFoundError` for Parquet without the extra `library`.

    >>> import tempfile
    >>> from ono_replay.convert import convert_logs
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = Path(folder, "a.ono.jsonl")
    ...     _ = log.write_bytes(b'{"seq":0, "type":"comment", "text":"hi"}\r\n')
    ...     done = convert_logs(log, Path(folder, "b.ono.jsonl"))
    ...     Path(folder, "b.ono.jsonl").read_text(), done.events
    ('{"seq":0,"type":"comment","text":"hi"}\n', 1)
    """
    _check_target(source, target, overwrite=overwrite)
    done = Conversion(str(source), str(target))
    tell = on_progress or _ignore
    lines = _read(str(source), done, tell, use_seed=use_seed)
    # The first game is read before the target is touched: a source that can't be read leaves no trace.
    first = next(lines, None)
    if first is None and done.refused_in_all:
        return done
    lines = itertools.chain([] if first is None else [first], lines)
    if str(target).lower().endswith(PARQUET_SUFFIXES):
        from ono_replay.log.arrow import write_parquet

        with log_writer(target) as file:
            done.events = write_parquet(file, lines)
    else:
        with log_writer(target) as file:
            for line in lines:
                file.write((line if isinstance(line, bytes) else canonical(line)) + b"\n")
                done.events += 1
    done.games += done.log.games
    done.written = True
    return done


def _ignore(_done: Conversion) -> None:
    """Tell nobody."""


def _check_target(source: str | Path, target: str | Path, *, overwrite: bool) -> None:
    if str(target) == "-":
        return
    path = Path(target)
    name = path.name.lower()
    last = Path(name.removesuffix(".gz").removesuffix(".zst")).suffix
    if last not in LOG_SUFFIXES and not name.endswith(PARQUET_SUFFIXES):
        raise Unwritable(
            f"{target}: convert writes logs (.ono.jsonl, also with .gz or .zst) and Parquet (.parquet), no {last}"
        )
    if is_read(target, [source]):
        raise Unwritable(f"{target}: is what is to be converted; name another file to write to")
    check_free(target, overwrite=overwrite)


def _read(
    source: str, done: Conversion, tell: Callable[[Conversion], None], *, use_seed: bool
) -> Iterator[Event | bytes]:
    """Yield events, and lines that are none, of whatever the source is."""
    for path in find_logs([source]):
        if path != "-" and is_parquet(path):
            rows = (Line(number, raw) for number, raw in enumerate(read_parquet(path), 1))
            yield from finished_lines(path, rows, done.log)
        elif path.lower().endswith(PARQUET_SUFFIXES):
            raise Unreadable(f"{path}: is no Parquet file, whatever its name says")
        else:
            yield from _read_stream(path, done, tell, use_seed=use_seed)


def _read_stream(
    path: str, done: Conversion, tell: Callable[[Conversion], None], *, use_seed: bool
) -> Iterator[Event | bytes]:
    stream = ByteSource(path)
    try:
        if path == "-" and stream.peek(len(MAGIC)) == MAGIC:
            raise Unreadable("-: Parquet is not read from standard input; name the file")
        text = _Unpacked(path, _watched(stream, done, tell))
        head = text.peek(_HEAD)
        for converter in CONVERTERS:
            if converter.sniff(head):
                done.converter = converter.name
                yield from _from_outside(converter, text.blocks(), done, use_seed=use_seed)
                return
        if head.strip(_SPACE) and not {"seq", "type"} & set(first_keys(head)):
            known = ", ".join(converter.title for converter in CONVERTERS)
            raise Unreadable(f"{path}: is no log and nothing else that is read here ({known})")
        yield from finished_lines(path, LineReader(cast("BinaryIO", text)), done.log)
    finally:
        stream.close()


def _watched(stream: ByteSource, done: Conversion, tell: Callable[[Conversion], None]) -> Iterator[bytes]:
    """Yield the plain bytes of a stream, and tell how far it has come."""
    before = done.bytes_read
    for block in unpack(stream):
        yield block
        done.bytes_read = before + stream.bytes_read
        tell(done)


def _from_outside(
    converter: Converter, blocks: Iterable[bytes], done: Conversion, *, use_seed: bool
) -> Iterator[Event]:
    for game in converter.convert(blocks, use_seed=use_seed):
        if isinstance(game, NotConverted):
            done.refused_in_all += 1
            _say(done.refused, game)
            continue
        done.games += 1
        done.unknown.update(game.unknown)
        for note in game.notes:
            _say(done.notes, (game.name, note))
        if game.first_illegal is not None:
            _say(done.illegal, (game.name, game.first_illegal))
        yield from game.events


def _say(said: list[_Said], what: _Said) -> None:
    if len(said) < MOST_SAID:
        said.append(what)


class _Unpacked:
    """The plain bytes of a source as a file, with a look ahead."""

    def __init__(self, name: str, blocks: Iterator[bytes]) -> None:
        self.name = name
        self._blocks = blocks
        self._ahead = b""
        self._cut: Cut | None = None

    def peek(self, size: int) -> bytes:
        """Return the next bytes without taking them; fewer only at the end."""
        while len(self._ahead) < size and self._cut is None:
            try:
                block = next(self._blocks, b"")
            except Cut as cut:
                self._cut = cut
                break
            if not block:
                break
            self._ahead += block
        return self._ahead[:size]

    def read(self, size: int) -> bytes:
        """Take the next bytes; raises `Cut`, last, for a stream that breaks off."""
        found = self.peek(size)
        self._ahead = self._ahead[len(found) :]
        if not found and self._cut is not None:
            raise self._cut
        return found

    def blocks(self) -> Iterator[bytes]:
        """Yield all bytes; raises `Unreadable` for a stream that breaks off."""
        try:
            while block := self.read(_HEAD):
                yield block
        except Cut as cut:
            raise Unreadable(f"{self.name}: {cut}") from None
