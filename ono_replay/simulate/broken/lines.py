"""Logs with a line that can not be read, or says what no event can say (ONO1xx)."""

from ono_replay.simulate.broken.script import END_OF_OPENING, OPENING, Broken, draw, encoded, play, start
from ono_replay.simulate.broken.streams import gzip_stored, zstd_runs

_FIRST = END_OF_OPENING + 1
_PLAYED = (start(), *OPENING, play(0, "7", 7))


def _first(code: str, line: bytes, story: str, variant: str = "") -> Broken:
    """Return a log whose first card is a broken line."""
    return Broken(
        code=code, line=_FIRST, story=story, variant=variant, content=encoded(start(), *OPENING, line)
    )


def _second(code: str, line: bytes, story: str, variant: str = "") -> Broken:
    """Return a log whose line after the first card is broken."""
    return Broken(code=code, line=_FIRST + 1, story=story, variant=variant, content=encoded(*_PLAYED, line))


LOGS = (
    _second("ONO101", b'{"seq":5,"type":"comment","text":"J\xfcrgen laughs"}', "A comment is in Latin-1."),
    _second("ONO102", b'{"seq":5,"type":"draw","seat":0 "card":"9"}', "A comma is missing."),
    _second(
        "ONO102",
        b'{"seq":5,"type":"draw","seat":0,"card":"9","meta":{"luck":NaN}}',
        "NaN is no number of JSON.",
        "nan",
    ),
    _second(
        "ONO102",
        b'{"seq":5,"type":"draw","seat":0,"card":"9","meta":{"n":18446744073709551616}}',
        "An integer does not fit in 64 bits.",
        "big-integer",
    ),
    _second("ONO102", b"\0" * 40, "The program crashed while it wrote: a block of NUL bytes.", "nul"),
    Broken(
        code="ONO103",
        line=_FIRST + 1,
        story="The program was stopped while it wrote the last line.",
        content=encoded(*_PLAYED) + b'{"seq":5,"type":"dr',
    ),
    _second("ONO104", b'[5,"draw",0,"9"]', "A line is an array."),
    _first("ONO105", b'{"seq":4,"type":"plays","seat":0,"card":"7","total":7}', "A type is misspelt."),
    Broken(
        code="ONO105",
        variant="newer-minor",
        line=_FIRST,
        story="A newer minor version may have types that are not known here.",
        is_warning=True,
        content=encoded(start(version="1.7"), *OPENING, b'{"seq":4,"type":"emote","seat":0,"what":"wave"}'),
    ),
    _first("ONO106", b'{"seq":4,"type":"play","seat":0,"card":"7"}', "A play lacks its total."),
    _first("ONO107", b'{"seq":4,"type":"play","seat":0,"card":"7","total":"7"}', "A total is a text."),
    _first(
        "ONO108",
        b'{"seq":4,"type":"play","seat":0,"card":"7","total":7,"at":1500}',
        "A key that nothing reads; `at_ms` may be meant.",
    ),
    _first(
        "ONO109",
        b'{"seq":4,"type":"play","seat":0,"card":"7","total":7,"total":8}',
        "A key stands twice with two values.",
    ),
    _first("ONO110", b'{"seq":4,"type":"play","seat":0,"card":"Reverse","total":0}', "A card in capitals."),
    Broken(
        code="ONO111",
        line=_FIRST + 1,
        story="A comment of more than a mebibyte.",
        suffix=".ono.jsonl.zst",
        content=zstd_runs(
            (
                encoded(start(game_id="ONO111-line-too-long"), *_PLAYED[1:])
                + b'{"seq":5,"type":"comment","text":"',
                1,
            ),
            (b"a", 1 << 20),
            (b'"}\n', 1),
        ),
    ),
    Broken(
        code="ONO112",
        line=1,
        story="A log of the next major version; nothing more of it is checked.",
        content=encoded(start(version="2.0"), b'{"seq":1,"type":"shuffle_up","seats":[0,1]}'),
    ),
    Broken(
        code="ONO113",
        line=None,
        story="The gzip stream ends before its last line does.",
        suffix=".ono.jsonl.gz",
        content=gzip_stored(encoded(start(game_id="ONO113-cut-stream"), *_PLAYED[1:], draw(0, "9")))[:-30],
    ),
)
"""In the order of the codes."""
