import io

import pytest

from ono_replay.check.printable import printable, write_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("", ""),
        ("Jürgen 🂡 👩‍🚀 é e\u0301", "Jürgen 🂡 👩‍🚀 é e\u0301"),
        ("a\nb\tc\rd\0", r"a\u{a}b\u{9}c\u{d}d\u{0}"),
        ("\x1b[2J\x9b31m\x7f", r"\u{1b}[2J\u{9b}31m\u{7f}"),
        ("\u202eevil\u2066x\u2069\u200f\u061c", r"\u{202e}evil\u{2066}x\u{2069}\u{200f}\u{61c}"),
        ("a\u2028b\u2029c", r"a\u{2028}b\u{2029}c"),
        ("\ud800x\udcff", r"\u{d800}x\u{dcff}"),
        ("\ufeffAnn\u200b", r"\u{feff}Ann\u{200b}"),
        (r"C:\users", r"C:\users"),
        (r"\u{202e}", r"\u{5c}u{202e}"),
    ],
)
def test_printable(text, shown):
    assert printable(text) == shown


def test_nothing_printable_is_unprintable():
    shown = printable("".join(map(chr, range(0x110000))))
    assert not any(char in shown for char in "\n\r\x1b\u202e\u2028\ud800")
    shown.encode()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "cp1252"])
def test_write_text_never_raises(encoding):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    write_text(stream, "Jürgen → 🂡 \ud800\n")
    stream.flush()
    assert raw.getvalue().startswith(b"J")
