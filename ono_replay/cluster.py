"""Verdicts on more than one machine: the kernel over Arrow batches of whole games, on Daft, here or on Ray.

Archives are read by rows, a row a game, so they may be split anywhere; logs are read a file at a time. Paths may
be URLs of object stores. A worker asks the validator about the games that its kernel does not take, as `verdicts`
does; the reports are the same, and come in the order of the paths. It stands on the extra `cluster`.
"""

import io
import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.validator import count
from ono_replay.log.lines import SUFFIXES, Unreadable, find_logs, one_or_many
from ono_replay.log.parquet import is_parquet
from ono_replay.verdicts import NEVER, RunIds, Verdicts, reported_again

ARCHIVE = ".parquet"
AT_A_TIME = 256
"""Files whose verdicts are put in order together: they are in memory until then."""
_QUIET = {"DAFT_ANALYTICS_ENABLED": "0", "DO_NOT_TRACK": "true", "RAY_USAGE_STATS_ENABLED": "0"}
"""Neither engine tells its makers anything."""
_GAME, _STRAY, _UNREADABLE = range(3)
_encode = msgspec.msgpack.encode


def validate_on_daft(
    paths: str | Iterable[str],
    *,
    summary: Summary | None = None,
    ids: RunIds | None = None,
    ray_address: str | None = None,
    on_unreadable: Callable[[Unreadable], None] | None = None,
) -> Iterator[GameReport | Diagnostic]:
    """Yield the reports of archives and logs, as `validation.validate` does.

    Paths are files, folders and patterns, or URLs with patterns, one or many. `ray_address` is that of a Ray cluster, `local`
    for one that is started here; without it the work is done in this process. Raises `Unreadable` for a path that
    is not there, and for what can't be read unless `on_unreadable` is told of it, and `ModuleNotFoundError` without the extra `cluster`.
    """
    ids = RunIds() if ids is None else ids
    summary = Summary() if summary is None else summary
    daft = start(ray_address)
    store = _store(daft)
    files = [file for path in one_or_many(paths) for file in _files(path, daft, store)]
    summary.files += len(files)
    for judged, group in _groups(files):
        for found in judged(daft, group, store):
            if isinstance(found, Unreadable):
                if on_unreadable is None:
                    raise found
                on_unreadable(found)
                continue
            if isinstance(found, GameReport):
                found = reported_again(found, ids)
            count(summary, found)
            yield found


def _groups(files: list[str]) -> Iterator[tuple[Any, list[str]]]:
    for judged, group in itertools.groupby(files, key=_judging):
        while some := list(itertools.islice(group, AT_A_TIME)):
            yield judged, some


def start(ray_address: str | None = None) -> Any:
    """Return Daft, set to run here or on Ray; usage reports are off."""
    os.environ.update(_QUIET)
    import daft

    if ray_address is not None:
        import ray

        where = {} if ray_address == "local" else {"address": ray_address}
        ray.init(ignore_reinit_error=True, log_to_driver=False, **where)
        daft.set_runner_ray(noop_if_initialized=True)
    return daft


def _store(daft: Any) -> Any:
    """Return how object stores are reached: as the variables of their own tools say."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL")
    if endpoint is None:
        return None
    anonymous = "AWS_ACCESS_KEY_ID" not in os.environ
    s3 = daft.io.S3Config(
        endpoint_url=endpoint,
        region_name=os.environ.get("AWS_REGION", "us-east-1"),
        key_id=os.environ.get("AWS_ACCESS_KEY_ID"),
        access_key=os.environ.get("AWS_SECRET_ACCESS_KEY"),
        session_token=os.environ.get("AWS_SESSION_TOKEN"),
        anonymous=anonymous,
        use_ssl=endpoint.startswith("https:"),
    )
    return daft.io.IOConfig(s3=s3)


def _files(path: str, daft: Any, store: Any) -> list[str]:
    """Return the archives and logs that a path or URL stands for, in name order."""
    if "://" not in path:
        return _local_files(path)
    try:
        found = daft.from_glob_path(path, io_config=store).to_pydict()["path"]
        if not found or (len(found) == 1 and found[0].rstrip("/") == path.rstrip("/") and not _is_ours(path)):
            found = daft.from_glob_path(f"{path.rstrip('/')}/**", io_config=store).to_pydict()["path"]
    except Exception as error:  # noqa: BLE001 - the engine raises whatever its store does
        raise Unreadable(f"{path}: {_first_line(error)}") from None
    files = sorted(file for file in found if _is_ours(file))
    if not files:
        raise Unreadable(f"{path}: there are no archives or logs here")
    return files


def _local_files(path: str) -> list[str]:
    if not Path(path).is_dir():
        return [str(Path(file).absolute()) for file in find_logs([path])]
    found = sorted(file for file in Path(path).rglob("*") if _is_ours(file.name) and file.is_file())
    if not found:
        raise Unreadable(f"{path}: there are no archives or logs in this folder")
    return [str(file.absolute()) for file in found]


def _is_ours(name: str) -> bool:
    return name.endswith((*SUFFIXES, ARCHIVE))


def _is_archive(file: str) -> bool:
    return is_parquet(file) if "://" not in file else file.endswith(ARCHIVE)


def _judging(file: str) -> Any:
    return _archived if _is_archive(file) else _fetched if "://" in file else _logged


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__


# --- on the workers ---------------------------------------------------------------------------------


class _NoIds(RunIds):
    """Remembers nothing: whether an id came before can only be told where all are seen."""

    def again(self, _game_id: Any) -> bool:
        return False

    def hashes(self) -> "_NoIds":
        return self


class _Named(io.BytesIO):
    """A file in memory, with the name of the one it came from."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


def _reports(source: _Named | str, *, line: int = 1, after: int = 0) -> bytes:
    """Return what the validator and the kernel say of a log, packed."""
    run = Verdicts(ids=_NoIds(), first_line=line, after=after)
    told: list[tuple[int, Any]] = []
    try:
        for found in run.take(source):
            told.append((_GAME if isinstance(found, GameReport) else _STRAY, found))
    except Unreadable as reason:
        told.append((_UNREADABLE, str(reason)))
    return _encode(told)


def _judge_rows(judges: Any, file: Any, columns: list[Any]) -> Any:
    """Judge rows of archives; return an Arrow array of what was found, events, unverified, and the packed reports."""
    import numpy as np
    import pyarrow as pa

    from ono_replay.bulk.archive import VERDICT_COLUMNS, ArchiveJudge
    from ono_replay.bulk.archive_reader import VERDICTS

    if not hasattr(judges, "mine"):
        judges.mine = ArchiveJudge()
    kinds = {"game_id": pa.string(), "line": pa.int64(), "events": pa.int32()}
    batch = pa.RecordBatch.from_arrays(
        [
            column.cast(kinds.get(name, pa.binary()))
            for name, column in zip(VERDICT_COLUMNS, columns, strict=True)
        ],
        names=list(VERDICT_COLUMNS),
    )
    games = judges.mine.judge(batch).games
    careful = np.flatnonzero(~np.isin(games["found"], list(VERDICTS))).tolist()
    reports: list[bytes | None] = [None] * (len(batch) if careful else 0)
    files = file.to_pylist() if careful else []
    for row in careful:
        text = batch.column("raw")[row].as_py()
        if text is None:
            raise ValueError("a game that was sound when the archive was made is not")
        line = batch.column("line")[row].as_py()
        reports[row] = _reports(_Named(text, _shown(files[row])), line=line, after=NEVER)
    return pa.StructArray.from_arrays(
        [
            pa.array(games["found"].copy()),
            pa.array(games["events"].copy()),
            pa.array(games["unverified"].copy(), pa.int64()),
            pa.array(reports, pa.binary()) if careful else pa.nulls(len(batch), pa.binary()),
        ],
        names=["found", "events", "unverified", "reports"],
    )


def _plain(column: Any) -> Any:
    """Return one Arrow array for what an engine hands over."""
    found = column.to_arrow()
    return found.combine_chunks() if hasattr(found, "combine_chunks") else found


# --- the queries ------------------------------------------------------------------------------------


def judged_rows(daft: Any, files: list[str], store: Any = None) -> Any:
    """Return the query that judges archives, in the order of their rows.

    Its columns: `file`, `line`, `game_id`, and `judged`: `found` (as in `bulk.layout`), `events`, `unverified`,
    and `reports`, which is there where the validator was asked.
    """
    from ono_replay.bulk.archive import VERDICT_COLUMNS

    kind = daft.DataType
    shape = {"found": kind.int32(), "events": kind.int64(), "unverified": kind.int64()}
    told_of_game = kind.struct({**shape, "reports": kind.binary()})

    @daft.cls(use_process=False)
    class Kernel:
        def __init__(self) -> None:
            import threading

            self.judges = threading.local()

        @daft.method.batch(return_dtype=told_of_game)  # type: ignore[untyped-decorator]  # no types
        def judge(self, file: Any, *columns: Any) -> Any:
            return _judge_rows(self.judges, file, [_plain(column) for column in columns])

    rows = daft.read_parquet(files, io_config=store, file_path_column="file")
    kernel = Kernel()
    # Ray gives what is done first; each file has its place among the others.
    place = {file: number for number, file in enumerate(files)}

    @daft.func.batch(return_dtype=kind.int64())  # type: ignore[untyped-decorator]  # no types
    def place_of(file: Any) -> Any:
        return [place[_shown(one)] for one in file.to_pylist()]

    return rows.select(
        place_of(rows["file"]).alias("place"),
        rows["file"],
        rows["line"],
        rows["game_id"],
        kernel.judge(rows["file"], *(rows[name] for name in VERDICT_COLUMNS)).alias("judged"),
    ).sort(["place", "line"])


def _archived(daft: Any, files: list[str], store: Any) -> Iterator[GameReport | Diagnostic | Unreadable]:
    """Judge archives."""
    from ono_replay.bulk.archive_reader import VERDICTS

    for batch in _batches(judged_rows(daft, files, store), files):
        columns = (batch.column(name).to_pylist() for name in ("file", "line", "game_id", "judged"))
        for file, line, game_id, told in zip(*columns, strict=True):
            if told["reports"] is not None:
                yield from _unpacked(told["reports"])
                continue
            yield GameReport(
                file=_shown(file),
                game_id=game_id,
                line=line,
                events=told["events"],
                verdict=VERDICTS[told["found"]],  # type: ignore[arg-type]  # one of the literals
                unverified=told["unverified"],
            )


def _logged(daft: Any, files: list[str], _store: Any) -> Iterator[GameReport | Diagnostic | Unreadable]:
    """Judge logs that every worker has in its own file system, a file at a time."""

    @daft.func.batch(return_dtype=daft.DataType.binary(), batch_size=1)  # type: ignore[untyped-decorator]  # no types
    def judge(file: Any) -> Any:
        return [_reports(name) for name in file.to_pylist()]

    rows = daft.from_pydict({"place": list(range(len(files))), "file": files})
    yield from _told(rows.select(rows["place"], judge(rows["file"]).alias("reports")), files)


def _fetched(daft: Any, files: list[str], store: Any) -> Iterator[GameReport | Diagnostic | Unreadable]:
    """Judge logs of an object store, each of which is fetched whole."""

    @daft.func.batch(return_dtype=daft.DataType.binary(), batch_size=1)  # type: ignore[untyped-decorator]  # no types
    def judge(file: Any, data: Any) -> Any:
        pairs = zip(file.to_pylist(), data.to_pylist(), strict=True)
        return [_reports(_Named(content, name)) for name, content in pairs]

    rows = daft.from_pydict({"place": list(range(len(files))), "file": files})
    content = rows["file"].download(io_config=store)
    yield from _told(rows.select(rows["place"], judge(rows["file"], content).alias("reports")), files)


def _told(judged: Any, files: list[str]) -> Iterator[GameReport | Diagnostic | Unreadable]:
    for batch in _batches(judged.sort("place"), files):
        for reports in batch.column("reports").to_pylist():
            yield from _unpacked(reports)


def _batches(query: Any, files: list[str]) -> Iterator[Any]:
    batches = query.to_arrow_iter()
    while True:
        try:
            batch = next(batches, None)
        except Exception as error:  # noqa: BLE001 - the engine raises whatever a worker does
            raise Unreadable(f"{', '.join(files)[:200]}: {_first_line(error)}") from None
        if batch is None:
            return
        yield batch


def _unpacked(reports: bytes) -> Iterator[GameReport | Diagnostic | Unreadable]:
    for kind, told in msgspec.msgpack.decode(reports, type=list[tuple[int, msgspec.Raw]]):
        if kind == _UNREADABLE:
            yield Unreadable(msgspec.msgpack.decode(told, type=str))
        elif kind == _GAME:
            yield msgspec.msgpack.decode(told, type=GameReport)
        else:
            yield msgspec.msgpack.decode(told, type=Diagnostic)


def _shown(file: str) -> str:
    return file.removeprefix("file://")
