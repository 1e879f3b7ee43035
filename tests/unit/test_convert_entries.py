"""The entries of big JSON files: found at any cut, bounded, and never a crash."""

import json

import pytest

from ono_replay.convert.entries import (
    LONGEST_ENTRY,
    BadEntry,
    first_keys,
    parse_entry,
    split_entries,
)

TRICKY = [
    {"a": '"}]', "b": "\\", "c": '\\"', "d": ["{", {"e": "]"}]},
    {"name": "Zoë 🂡 \u2028", "n": -1.5e3},
    {},
]


def split(*blocks):
    return [(entry.number, entry.fault or json.loads(entry.raw)) for entry in split_entries(blocks)]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
@pytest.mark.parametrize("ensure_ascii", [True, False])
@pytest.mark.parametrize("indent", [None, 2])
def test_entries_are_found_wherever_the_blocks_end(size, ensure_ascii, indent):
    data = json.dumps(TRICKY, ensure_ascii=ensure_ascii, indent=indent).encode()
    blocks = [data[at : at + size] for at in range(0, len(data), size)]
    assert split(*blocks) == list(enumerate(TRICKY))


def test_one_value_or_several_in_a_row_or_an_array():
    assert split(b'{"a": 1}') == [(0, {"a": 1})]
    assert split(b'{"a": 1}\n{"a": 2}\n') == [(0, {"a": 1}), (1, {"a": 2})]
    assert split(b'\xef\xbb\xbf [{"a": 1}]\n') == [(0, {"a": 1})]
    assert split(b" \n") == split(b"") == split(b"[ ]") == []


@pytest.mark.parametrize(
    ("text", "number", "words"),
    [
        (b"[{} {}]", 1, "no comma stands before it"),
        (b"[{},]", 1, "',' is no object"),
        (b"[1, 2]", 0, "'1, 2' is no object"),
        (b"[{}, 3, {}]", 1, "', 3,' stands before it"),
        (b"[{}] x", 1, "'x' is no object"),
        (b"[{}] [{}]", 1, "'[' stands before it"),
        (b"{}, {}", 1, "',' stands before it"),
        (b"}", 0, "a bracket closes what was never opened"),
        (b"[{}]]", 1, "a bracket closes what was never opened"),
        (b"[{}", 1, "the file breaks off before it"),
        (b'[{}, {"a', 1, "the file breaks off in it"),
        (b'"abc', 0, "the file breaks off in it"),
        (b"null", 0, "'null' is no object"),
    ],
)
def test_what_is_no_entry_is_said_and_the_whole_ones_before_it_are_kept(text, number, words):
    found = split(text)
    assert [entry for entry in found[:-1] if entry[1] != {}] == []
    assert found[-1] == (number, words)


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([b"["] * 200, "nested more than 64 deep"),
        ([b'{"a":' * 100], "nested more than 64 deep"),
        ([b'[{"a":"'] + [b"x" * (1 << 20)] * 20, f"longer than {LONGEST_ENTRY >> 20} MiB"),
        ([b"[" + b" " * (LONGEST_ENTRY + 1)], f"longer than {LONGEST_ENTRY >> 20} MiB"),
    ],
)
def test_floods_end_at_once(blocks, words):
    found = list(split_entries(blocks))
    assert len(found) == 1
    assert words in (found[0].fault or "")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b'{"a": NaN}', "NaN is no number of JSON"),
        (b'{"a": 1, "a": 1}', 'the key "a" stands twice'),
        (b'{"a": {"b": 1, "b": 2}}', 'the key "b" stands twice'),
        (b'{"a": 99999999999999999999}', "does not fit in 64 bits"),
        (b'{"a": "\xff"}', "it is not UTF-8"),
        (b'{"a": "\\ud800"}', "half of a surrogate pair"),
        (b"[1]", "it holds no object but an array"),
        (b'{"a": 1,}', "it is not JSON"),
        (b'{"a": \0}', "NUL"),
    ],
)
def test_what_an_entry_may_not_say(raw, words):
    with pytest.raises(BadEntry, match=words):
        parse_entry(raw)


def test_the_first_keys_are_those_of_the_first_object_only():
    assert first_keys(b'{"a": {"b": 1}, "c": ["d", {"e": 1}], "f": "g: {"}, {"h": 1}') == ["a", "c", "f"]
    assert first_keys(b'[{"a": 1, "b": "x') == ["a", "b"]
    assert first_keys(b"[]") == first_keys(b"") == first_keys(b"\xff\xfe") == []
