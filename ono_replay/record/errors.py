"""What can keep a game from being recorded, in words that say what to do."""

import errno
from pathlib import Path


class JournalError(Exception):
    """A log can not be recorded; the message says what, where, and what to do."""


class LogExists(JournalError):
    """There is a log already where a new one was to begin."""


class LogHeld(JournalError):
    """Another program records this log."""


class NotWritten(JournalError):
    """Lines could not be put on disk; they are not in the log, which is as it was. Trying again is right."""


class LogGone(JournalError):
    """The file was deleted, replaced or changed by another program while it was recorded."""

    def __init__(self, path: Path, what: str) -> None:
        """Say what happened, and how to go on."""
        super().__init__(
            f"{path}: {what}\n"
            "  Nothing more is written. Put the log back, or see what stands there now (`ono-replay validate`); "
            "then go on with it (`ono-replay record LOG --resume`)."
        )


class Damaged(JournalError):
    """The log is damaged in the middle, at this place; nothing was changed."""

    def __init__(self, path: Path, line: int, offset: int, what: str) -> None:
        """Keep the place."""
        super().__init__(
            f"{path}: line {line} (byte {offset}): {what}\n"
            "  Nothing was changed. `ono-replay recover` writes what stands before it into a new file."
        )
        self.path, self.line, self.offset, self.what = path, line, offset, what


_ADVICE = {
    errno.ENOSPC: "the disk is full; make room and try again",
    errno.EDQUOT: "the quota is used up; make room and try again",
    errno.EFBIG: "the file may not grow any further (a limit of the system)",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "this may not be written here",
    errno.EPERM: "this may not be written here",
    errno.ELOOP: "this is a link; name the file itself",
    errno.EMFILE: "too many files are open (ulimit -n)",
    errno.ENOENT: "there is no such folder",
}


def tell_why(path: Path, what: str, error: OSError) -> str:
    """Return what could not be done, why, and what to do about it."""
    reason = _ADVICE.get(error.errno or 0) or error.strerror or str(error)
    return f"{path}: {what}: {reason}"
