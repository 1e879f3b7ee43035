"""What the machine gives to this process."""

import os


def cores() -> int:
    """Return how many cores this process may use, which can be fewer than there are.

    >>> cores() > 0
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
