"""The ids of a run as 64-bit hashes, millions of them in little memory."""

import numpy as np

from ono_replay.bulk.jit import entry
from ono_replay.bulk.text import hash_text
from ono_replay.log.chunks import PADDING

MOST_IDS = 10_000_000
"""Ids that are remembered."""
_RECENT = 1 << 16


class SeenHashes:
    """The hashes met so far: the many in a sorted array, the latest in a set.

    >>> seen = SeenHashes()
    >>> seen.again_in([5, 7, 5]), seen.again(7), seen.again(8)
    (2, True, False)
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._sorted = np.empty(MOST_IDS, np.int64)
        self._length = 0
        self._recent: set[int] = set()

    @property
    def full(self) -> bool:
        """Whether no more are remembered."""
        return self._length + len(self._recent) >= MOST_IDS

    def again(self, hashed: int) -> bool:
        """Return whether a hash was met before, and remember it."""
        return self.again_in([hashed]) is not None

    def repeats_in(self, hashes: list[int]) -> list[bool]:
        """Return of each hash whether it was met before, also among these, and remember them all."""
        repeated = [False] * len(hashes)
        start = 0
        while (place := self.again_in(hashes[start:])) is not None:
            repeated[start + place] = True
            start += place + 1
        return repeated

    def again_in(self, hashes: list[int]) -> int | None:
        """Remember hashes up to the first that was met before; return its place, None if all are new."""
        old = self._old(hashes)
        recent = self._recent
        for place, hashed in enumerate(hashes):
            if hashed in recent or (old is not None and old[place]):
                return place
            if not self.full:
                recent.add(hashed)
                if len(recent) >= _RECENT:
                    self._settle()
                    old = self._old(hashes)
                    recent = self._recent
        return None

    def _old(self, hashes: list[int]) -> np.ndarray | None:
        if not self._length:
            return None
        told = self._sorted[: self._length]
        wanted = np.array(hashes, np.int64)
        places = np.minimum(np.searchsorted(told, wanted), self._length - 1)
        return told[places] == wanted

    def _settle(self) -> None:
        """Move the latest into the sorted array."""
        recent = np.sort(np.fromiter(self._recent, np.int64, len(self._recent)))
        _merge(self._sorted, self._length, recent)
        self._length += len(recent)
        self._recent = set()


def hash_id(game_id: str) -> int:
    """Return the hash that the scanner gives an id."""
    raw = game_id.encode("utf-8", "surrogatepass")
    text = np.frombuffer(raw + PADDING, np.uint8)
    return int(_hash(text.ctypes.data, len(raw)))


@entry
def _hash(address: int, length: int) -> int:
    return hash_text(address, length)


@entry
def _merge(array: np.ndarray, length: int, more: np.ndarray) -> None:
    """Merge a sorted array into the sorted beginning of another, in place, from the end."""
    here, there = length - 1, len(more) - 1
    for place in range(length + len(more) - 1, -1, -1):
        if there < 0:
            break
        if here >= 0 and array[here] > more[there]:
            array[place] = array[here]
            here -= 1
        else:
            array[place] = more[there]
            there -= 1
