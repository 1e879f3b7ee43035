"""The table of contents of a library: which parts belong to it. Replaced whole, by one rename.

A library is a folder:

* `library.json`: this table, of the newest revision;
* `parts/NAME/VIEW.parquet`: the rows, each part written once and never changed;
* `retired/REVISION.json`: earlier tables, kept while a reader may still use their parts;
* `lock`: held by the one process that writes.
"""

import contextlib
import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ono_replay.log.output import sync_folder

try:
    import fcntl
except ImportError:  # pragma: no cover - there is none on Windows
    fcntl = None  # type: ignore[assignment]  # tested before each use

LIBRARY_VERSION = 1
"""The version of the folder's layout."""
NAME = "library.json"
_DRAFT = ".draft-"


class LibraryFault(Exception):
    """A library that can not be opened, or not be written; the text is a message for people."""


class Part(msgspec.Struct, frozen=True):
    """One folder of files."""

    name: str
    rows: dict[str, int]
    """Rows by view; a view without rows has no file."""
    size: int
    """Bytes of its files."""
    digests: dict[str, str] = {}
    """Lower-case hex SHA-256 of each file, by view: page checksums do not cover what stands around the pages."""


class Manifest(msgspec.Struct, frozen=True):
    """The contents of a library at one moment."""

    version: int = LIBRARY_VERSION
    revision: int = 0
    """Counts the changes."""
    imports: int = 0
    """Imports so far."""
    parts: tuple[Part, ...] = ()
    aliases: dict[str, str] = {}
    """Who is meant by a player's id or name."""

    def paths(self, folder: Path, view: str) -> list[Path]:
        """Return the files of a view."""
        return [
            folder / "parts" / part.name / f"{view}.parquet" for part in self.parts if part.rows.get(view)
        ]

    def count(self, view: str) -> int:
        """Return the number of rows of a view."""
        return sum(part.rows.get(view, 0) for part in self.parts)


def parse_manifest(content: bytes, path: Path) -> Manifest:
    """Return what a `library.json` says.

    Raises `LibraryFault` for one that is damaged or of another version.
    """
    try:
        version = msgspec.json.decode(content, type=dict[str, Any]).get("version")
        if version != LIBRARY_VERSION:
            older = isinstance(version, int) and version < LIBRARY_VERSION
            advice = "`ono-replay library upgrade` brings it up" if older else "a newer ono-replay reads it"
            raise LibraryFault(
                f"{path}: a library of version {version}; {LIBRARY_VERSION} is read here, {advice}"
            )
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise LibraryFault(f"{path}: the library's table of contents is damaged: {error}") from None


class Snapshot:
    """A library as it was at one moment; while it is open its files stay."""

    def __init__(self, folder: Path) -> None:
        """Read the newest table of contents.

        Raises `LibraryFault` where there is none.
        """
        self.folder = folder
        self._handle: int | None = None
        path = folder / NAME
        while True:
            try:
                handle = os.open(path, os.O_RDONLY)
            except FileNotFoundError:
                raise LibraryFault(_no_library(folder)) from None
            except OSError as error:
                raise LibraryFault(f"{path}: {error.strerror or error}") from None
            _share(handle)
            # What was replaced and cleared away between the two calls is opened anew.
            if os.fstat(handle).st_nlink:
                break
            os.close(handle)
        self._handle = handle
        try:
            self.manifest = parse_manifest(_read(handle), path)
        except LibraryFault:
            self.close()
            raise

    @property
    def is_newest(self) -> bool:
        """Whether the library has not changed since."""
        if self._handle is None:
            return False
        try:
            now = (self.folder / NAME).stat()
        except OSError:
            return True
        mine = os.fstat(self._handle)
        return (now.st_ino, now.st_dev) == (mine.st_ino, mine.st_dev)

    def paths(self, view: str) -> list[Path]:
        """Return the files of a view."""
        return self.manifest.paths(self.folder, view)

    def views(self) -> set[str]:
        """Return the names of the views that have files."""
        return {name for part in self.manifest.parts for name in part.rows}

    def close(self) -> None:
        """Let go of the files."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def __del__(self) -> None:
        self.close()


def _no_library(folder: Path) -> str:
    return f"{folder}: there is no library here; `ono-replay import LOG --library DIR` makes one"


def _share(handle: int) -> None:
    if fcntl is not None:
        # A file system that can't lock can be read all the same.
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_SH)


def _read(handle: int) -> bytes:
    pieces = []
    while piece := os.read(handle, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


class Writing:
    """The one process that changes a library; a context manager. `manifest` is what stands now."""

    def __init__(self, folder: Path, *, create: bool = False, version: int = LIBRARY_VERSION) -> None:
        """Take the lock; with `create`, make the folder; `version` is that of the library, older for an upgrade.

        Raises `LibraryFault` where another process writes, or what is there is no library.
        """
        self.folder = folder
        path = folder / NAME
        if create:
            _make_folder(folder)
        elif not path.exists():
            raise LibraryFault(_no_library(folder))
        self._lock = _lock(folder)
        try:
            if not path.exists():
                self._write(Manifest())
            elif version == LIBRARY_VERSION:
                self.manifest = parse_manifest(path.read_bytes(), path)
            else:
                self.manifest = Manifest(version=version)
                return
            self.clear_away()
        except BaseException:
            os.close(self._lock)
            raise

    def __enter__(self) -> "Writing":
        """Return this."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let others write."""
        try:
            if self.manifest.version == LIBRARY_VERSION:
                self.clear_away()
        finally:
            os.close(self._lock)

    def new_draft(self) -> Path:
        """Return an empty folder that becomes a part by `commit`, or nothing at all."""
        draft = self.folder / "parts" / f"{_DRAFT}{secrets.token_hex(8)}"
        draft.mkdir()
        return draft

    def commit(
        self, *, add: dict[Path, dict[str, int]] | None = None, drop: set[str] | None = None, **changes: Any
    ) -> None:
        """Let the library have some drafts (with their rows by view) and be without some parts, at once."""
        parts = [part for part in self.manifest.parts if part.name not in (drop or ())]
        number = self.manifest.revision + 1
        for place, (draft, rows) in enumerate((add or {}).items()):
            if not any(rows.values()):
                continue
            name = f"{number:08d}-{place}-{secrets.token_hex(4)}"
            files = sorted(draft.iterdir())
            size = sum(file.stat().st_size for file in files)
            digests = {file.stem: digest_of_file(file) for file in files}
            sync_folder(draft)
            draft.rename(draft.with_name(name))
            parts.append(Part(name, {view: n for view, n in rows.items() if n}, size, digests))
        sync_folder(self.folder / "parts")
        self._write(msgspec.structs.replace(self.manifest, revision=number, parts=tuple(parts), **changes))

    def replace(self, manifest: Manifest) -> None:
        """Let the library be what a table of contents says."""
        self._write(manifest)

    def _write(self, manifest: Manifest) -> None:
        path = self.folder / NAME
        draft = self.folder / f"{_DRAFT}{secrets.token_hex(8)}"
        with draft.open("xb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            # The one that is replaced stays within reach while it has readers.
            old = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
            retired = self.folder / "retired" / f"{int(old.get('revision', 0)):08d}.json"
            with contextlib.suppress(FileExistsError):
                os.link(path, retired)
        draft.replace(path)
        sync_folder(self.folder)
        self.manifest = manifest

    def clear_away(self) -> None:
        """Delete the parts that no reader can need any more, and what a killed process left."""
        try:
            # Where it could not be written whole, another table of contents may stand there than ours; and as long as
            # its name is not synced, the one before may come back with the power.
            sync_folder(self.folder)
            there = parse_manifest((self.folder / NAME).read_bytes(), self.folder / NAME)
        except (OSError, LibraryFault):
            return
        needed = {part.name for part in (*self.manifest.parts, *there.parts)}
        for retired in sorted((self.folder / "retired").glob("*.json")):
            old = _unread(retired)
            needed |= old or set()
        for found in (self.folder / "parts").iterdir():
            if found.name not in needed:
                shutil.rmtree(found, ignore_errors=True)
        for found in self.folder.glob(f"{_DRAFT}*"):
            found.unlink(missing_ok=True)


def digest_of_file(path: Path) -> str:
    """Return the lower-case hex SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unread(retired: Path) -> set[str] | None:
    """Delete an earlier table of contents that nobody reads; else return the parts it needs."""
    handle = os.open(retired, os.O_RDONLY)
    try:
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return {part.name for part in msgspec.json.decode(_read(handle), type=Manifest).parts}
        retired.unlink()
        return None
    finally:
        os.close(handle)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        strange = not (folder / NAME).exists() and any(
            found.name not in ("parts", "retired", "lock") and not found.name.startswith(_DRAFT)
            for found in folder.iterdir()
        )
        if strange:
            raise LibraryFault(f"{folder}: this folder is not empty and no library; name a new one")
        for name in ("parts", "retired"):
            (folder / name).mkdir(exist_ok=True)
    except OSError as error:
        raise LibraryFault(f"{folder}: {error.strerror or error}") from None


def _lock(folder: Path) -> int:
    try:
        handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    except OSError as error:
        raise LibraryFault(f"{folder}: {error.strerror or error}") from None
    if fcntl is not None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise LibraryFault(
                f"{folder}: another process is writing to this library; wait until it is done"
            ) from None
    return handle


@contextlib.contextmanager
def snapshot(folder: Path) -> Iterator[Snapshot]:
    """Open a snapshot for a block."""
    found = Snapshot(folder)
    try:
        yield found
    finally:
        found.close()
