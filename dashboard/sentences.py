"""Sentences of the program as a page shows them: plain text."""

import re
from typing import Final

_TICKED: Final = re.compile(
    r"`(ono-replay [^`\n]*|[a-z0-9]+(?:_[a-z0-9]+)+|[A-Z]{3}[0-9]{3}|-|"
    r"(?:seq|chips|points|scores|deck|deal|draw|card|cards|play|reshuffle|comment|undo|eliminate|meta))`"
)


def without_ticks(text: str) -> str:
    """Return a sentence without the marks of Markdown around words of the log and commands; names keep theirs.

    >>> without_ticks("`seq` goes back; `ono-replay explain ONO202` tells more about `Ann`")
    'seq goes back; “ono-replay explain ONO202” tells more about `Ann`'
    """
    return _TICKED.sub(lambda found: f"“{found[1]}”" if " " in found[1] else found[1], text)
