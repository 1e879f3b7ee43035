"""A suite of logs that try the reader, as the parser suites of JSON do: `python -m tests.corpora.json_suite`.

Each file of `tests/data/json_suite/` is one log. Its name says what must become of it: `y_` is read without an
error, `n_ONO102_` gives this code first, `i_` is what JSON leaves open and schemas/SPECIFICATION.md does not.
`index.json` pins every finding of every file.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zstandard

from ono_replay.bundle import bundle_path
from ono_replay.simulate.broken.streams import gzip_stored, zstd_runs

FOLDER = Path(__file__).resolve().parents[1] / "data" / "json_suite"
INDEX = FOLDER / "index.json"

START: dict[str, Any] = {
    "seq": 0, "type": "game_start", "format": "ono-log", "version": "1.0", "game_id": "g",
    "ruleset": {"edition": "2022"}, "players": [{"name": "Ann"}, {"name": "Bo"}], "dealer": 1, "view": "full",
}  # fmt: skip
GAME: list[dict[str, Any]] = [
    START,
    {"seq": 1, "type": "round_start", "round": 1, "dealer": 1, "starter": 0},
    {"seq": 2, "type": "deal", "seat": 0, "cards": ["7", "ono_99", "reverse", "0"]},
    {"seq": 3, "type": "deal", "seat": 1, "cards": ["10", "-10", "play_2", "4"]},
    {"seq": 4, "type": "play", "seat": 0, "card": "7", "total": 7},
    {"seq": 5, "type": "draw", "seat": 0, "card": "9"},
    {"seq": 6, "type": "game_end", "winners": [], "reason": "abandoned"},
]  # fmt: skip
POINTS: list[dict[str, Any]] = [
    START
    | {"ruleset": {"edition": "1980", "match": "points_low_score", "points_target": 50}, "view": "public"},
    GAME[1],
    *({"seq": 2 + seat, "type": "deal", "seat": seat, "cards": ["?"] * 4} for seat in (0, 1)),
]
"""The beginning of a match whose hands nobody knows."""


def text_of(events: list[dict[str, Any]]) -> bytes:
    return b"".join(
        json.dumps(one, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for one in events
    )


FIRST = text_of(GAME[:1])
SOUND = text_of(GAME)
LINES = SOUND.splitlines()


def second(line: str | bytes) -> bytes:
    """A log whose second line is as given."""
    return FIRST + (line.encode() if isinstance(line, str) else line) + b"\n"


def with_value(value: str | bytes) -> bytes:
    """A log with a free value that is written as given."""
    raw = value.encode() if isinstance(value, str) else value
    return second(b'{"seq":1,"type":"comment","text":"x","meta":{"v":' + raw + b"}}")


def with_text(text: str | bytes) -> bytes:
    """A log with a comment whose text is written as given."""
    raw = text.encode() if isinstance(text, str) else text
    return second(b'{"seq":1,"type":"comment","text":' + raw + b"}")


Case = tuple[str, bytes]


# --- values that JSON has, and those that it has not ------------------------------------------------

GOOD_VALUES = {
    "null": "null", "true": "true", "false": "false", "zero": "0", "minus_one": "-1", "decimal": "1.5",
    "minus_decimal": "-0.5", "exponent": "1e3", "exponent_capital": "1E3", "exponent_plus": "1e+3",
    "exponent_minus": "1e-3", "decimal_exponent": "1.25e-2", "decimal_many_digits": "0." + "1" * 60,
    "trailing_zeros": "1.5000", "largest_integer": str(2**63 - 1), "smallest_integer": str(-(2**63)),
    "text_empty": '""', "text": '"abc"', "array_empty": "[]", "array": "[1,2,3]", "array_mixed": '[1,"a",null,{}]',
    "object_empty": "{}", "object": '{"a":1}', "object_nested": '{"a":{"b":{"c":[]}}}', "array_of_arrays": "[[],[[]]]",
    "spaces_inside": "[ 1 , 2 ]", "tabs_inside": "[\t1\t,\t2\t]", "space_before": " 1", "key_empty": '{"":1}',
    "key_with_escape": '{"\\u0061":1}', "key_like_proto": '{"__proto__":1}', "key_like_class": '{"__class__":1}',
    "keys_that_differ_by_case": '{"a":1,"A":2}', "keys_composed_and_not": '{"é":1,"e\u0301":2}',
    "key_of_a_prefix": '{"a":1,"ab":2}', "same_key_in_two_objects": '[{"a":1},{"a":2}]',
    "same_key_deeper": '{"a":{"a":1}}', "depth_60": "[" * 60 + "]" * 60, "depth_64": "[" * 62 + "]" * 62,
    "many_arrays_side_by_side": "[" + ",".join(["[]"] * 200) + "]", "brackets_in_text": '"' + "[" * 200 + '"',
}  # fmt: skip
BAD_VALUES = {
    "nan": "NaN", "minus_nan": "-NaN", "infinity": "Infinity", "minus_infinity": "-Infinity", "inf": "inf", "nan_small": "nan",
    "none": "None", "undefined": "undefined", "true_capital": "True", "null_cut": "nul", "true_longer": "truee",
    "plus_one": "+1", "leading_zero": "01", "minus_leading_zero": "-01", "two_zeros": "00", "minus_alone": "-",
    "point_first": ".5", "point_last": "1.", "point_alone": ".", "two_points": "1.2.3", "exponent_empty": "1e",
    "exponent_sign_only": "1e+", "exponent_fraction": "1e1.5", "exponent_twice": "1e1e1", "minus_space": "- 1",
    "hexadecimal": "0x10", "octal": "0o7", "binary": "0b1", "underscore": "1_000", "thousands": "1,000",
    "two_minus": "--1", "full_width_digit": "１", "arabic_digit": "١", "big_positive": str(2**63), "big_negative": str(-(2**63) - 1),
    "unsigned_64": str(2**64 - 1), "past_unsigned_64": str(2**64), "twenty_digits": "9" * 20, "hundred_digits": "9" * 100,
    "five_thousand_digits": "9" * 5000, "single_quotes": "'a'", "no_quotes": "abc", "quote_unclosed": '"abc', "array_unclosed": "[1,2",
    "array_closed_twice": "[1]]", "array_trailing_comma": "[1,]", "array_leading_comma": "[,1]", "array_two_commas": "[1,,2]",
    "array_no_comma": "[1 2]", "array_colon": "[1:2]", "array_only_comma": "[,]", "array_closed_by_brace": "[1}",
    "object_trailing_comma": '{"a":1,}', "object_leading_comma": '{,"a":1}', "object_two_commas": '{"a":1,,"b":2}',
    "object_no_colon": '{"a" 1}', "object_two_colons": '{"a"::1}', "object_no_value": '{"a":}', "object_no_key": "{:1}",
    "object_key_bare": "{a:1}", "object_key_number": "{1:1}", "object_key_null": "{null:1}", "object_key_single_quotes": "{'a':1}",
    "object_unclosed": '{"a":1', "object_closed_by_bracket": '{"a":1]', "object_comma_for_colon": '{"a",1}', "set": '{"a"}',
    "comment_slashes": "1//x", "comment_star": "/*x*/1", "comment_hash": "1#x", "no_value": "", "two_values": "1 2",
    "form_feed": "\f1", "vertical_tab": "\v1", "no_break_space": "\u00a01", "byte_order_mark": "\ufeff1", "line_separator": "\u20281",
    "zero_width_space": "\u200b1", "escape_outside": "\\n1", "star": "*", "function": "f()", "date": "2026-01-31", "regex": "/a/",
    "depth_65": "[" * 63 + "]" * 63, "depth_100": "[" * 98 + "]" * 98, "depth_5000": "[" * 5000 + "]" * 5000,
    "depth_5000_objects": '{"a":' * 5000 + "1" + "}" * 5000, "depth_unclosed": "[" * 3000, "depth_closed": "]" * 3000,
}  # fmt: skip
OPEN_VALUES = {
    "number_overflows_a_float": "1e400", "number_underflows_a_float": "1e-400", "exponent_of_many_digits": "1e" + "9" * 300,
    "minus_zero": "-0", "minus_zero_decimal": "-0.0", "decimal_that_is_an_integer": "1.0", "big_decimal": "9" * 30 + ".5",
    "exponent_zero": "0e0", "text_of_a_nul_escape": '"\\u0000"', "text_of_a_noncharacter": '"\uffff"',
    "text_of_an_escaped_noncharacter": '"\\ufdd0"', "text_of_a_private_character": '"\ue000"', "text_of_the_last_character": '"\U0010ffff"',
    "text_of_an_escaped_pair": '"\\ud83d\\ude00"', "text_of_a_line_separator": '"\u2028"', "text_of_a_delete": '"\x7f"',
    "text_of_a_byte_order_mark": '"\ufeff"', "text_of_an_override": '"\u202e"', "key_that_is_a_number": '{"1":1}',
    "key_of_a_nul_escape": '{"\\u0000":1}', "key_of_ten_thousand_letters": '{"' + "k" * 10_000 + '":1}',
}  # fmt: skip


def values() -> Iterator[Case]:
    for name, value in GOOD_VALUES.items():
        yield f"y_value_{name}", with_value(value)
    for name, value in BAD_VALUES.items():
        yield f"n_ONO102_value_{name}", with_value(value)
    for name, value in OPEN_VALUES.items():
        yield f"i_value_{name}", with_value(value)


# --- texts, escapes, bytes --------------------------------------------------------------------------

GOOD_TEXTS = {
    "plain": '"abc"', "quote": '"\\""', "backslash": '"\\\\"', "slash": '"/"', "slash_escaped": '"\\/"', "short_escapes": '"\\b\\f\\n\\r\\t"',
    "escape_lower": '"\\u00e9"', "escape_upper": '"\\u00E9"', "escape_pair": '"\\uD83D\\uDE00"', "escape_of_ascii": '"\\u0041"',
    "backslash_and_u": '"\\\\u0041"', "two_bytes": '"é"', "three_bytes": '"€"', "four_bytes": '"😀"', "combining": '"e\u0301"',
    "joined_emoji": '"👩\u200d👩\u200d👧"', "right_to_left": '"\u05d0\u05d1"', "cjk": '"麻雀"', "quote_of_another_kind": '"“x”"',
    "json_inside": '"{\\"a\\":1}"', "ten_thousand": '"' + "x" * 10_000 + '"',
}  # fmt: skip
BAD_TEXTS = {
    "escape_unknown": '"\\x41"', "escape_a": '"\\a"', "escape_single_quote": "\"\\'\"", "escape_zero": '"\\0"', "escape_capital": '"\\N"',
    "escape_short": '"\\u12"', "escape_no_digits": '"\\u"', "escape_not_hex": '"\\u12G4"', "escape_braces": '"\\u{41}"',
    "escape_spaces": '"\\u 041"', "escape_sign": '"\\u+041"', "escape_at_the_end": '"\\"', "tab_raw": '"a\tb"', "nul_raw": '"a\0b"',
    "escape_character_raw": '"\x1b[31m"', "bell_raw": '"\x07"', "unit_separator_raw": '"\x1f"', "return_raw": '"a\rb"',
    "lone_high": '"\\ud83d"', "lone_low": '"\\ude00"', "two_highs": '"\\ud83d\\ud83d"', "low_then_high": '"\\ude00\\ud83d"',
    "high_then_letter": '"\\ud83dx"', "high_then_escape": '"\\ud83d\\n"', "high_then_backslashes": '"\\ud83d\\\\ude00"',
    "quote_missing": '"abc', "quote_first_missing": 'abc"', "quotes_single": "'abc'", "quotes_typographic": "“abc”", "two_texts": '"a""b"',
    "joined_by_plus": '"a"+"b"',
}  # fmt: skip
BAD_BYTES = {
    "latin_1": b'"J\xfcrgen"', "continuation_alone": b'"\x80"', "two_bytes_cut": b'"\xc3"', "three_bytes_cut": b'"\xe2\x82"',
    "four_bytes_cut": b'"\xf0\x9f\x98"', "overlong_slash": b'"\xc0\xaf"', "overlong_nul": b'"\xc0\x80"', "overlong_three": b'"\xe0\x80\xaf"',
    "overlong_four": b'"\xf0\x80\x80\xaf"', "surrogate": b'"\xed\xa0\xbd"', "surrogate_pair": b'"\xed\xa0\xbd\xed\xb8\x80"',
    "past_the_last_character": b'"\xf4\x90\x80\x80"', "five_bytes": b'"\xf8\x88\x80\x80\x80"', "six_bytes": b'"\xfc\x84\x80\x80\x80\x80"',
    "fe": b'"\xfe"', "ff": b'"\xff"', "windows_1252_quotes": b'"\x93x\x94"', "shift_jis": b'"\x96\x83\x90\x9d"', "in_a_key": b'"x","\xff":1',
    "latin_1_with_a_fault_of_json": b'"\xfc', "utf_16_in_the_middle": '"é'.encode("utf-16-le"),
}  # fmt: skip


def texts() -> Iterator[Case]:
    for name, text in GOOD_TEXTS.items():
        yield f"y_text_{name}", with_text(text)
    for name, text in BAD_TEXTS.items():
        yield f"n_ONO102_text_{name}", with_text(text)
    for name, raw in BAD_BYTES.items():
        yield f"n_ONO101_bytes_{name}", with_text(raw)
    for name, raw in (
        ("utf_16", SOUND.decode().encode("utf-16")),
        ("utf_32", SOUND.decode().encode("utf-32")),
    ):
        yield f"n_ONO101_file_{name}", raw


# --- whole lines ------------------------------------------------------------------------------------

COMMENT = '{"seq":1,"type":"comment","text":"x"}'
GOOD_LINES = {
    "spaces_around": f"  {COMMENT}  ", "tab_before": f"\t{COMMENT}", "spaces_everywhere": '{ "seq" : 1 , "type" : "comment" , "text" : "x" }',
    "keys_in_another_order": '{"text":"x","type":"comment","seq":1}', "keys_escaped": '{"s\\u0065q":1,"type":"comment","text":"x"}',
    "type_escaped": '{"seq":1,"type":"c\\u006fmment","text":"x"}', "carriage_return": COMMENT + "\r", "blank_before": "\n" + COMMENT,
    "blanks_around": "\n\r\n  \n" + COMMENT + "\n\n", "all_tail_keys": COMMENT[:-1] + ',"at_ms":5,"irregular":true,"meta":{}}',
    "tail_keys_first": '{"meta":{},"irregular":true,"at_ms":5,' + COMMENT[1:], "text_empty": COMMENT.replace('"x"', '""'),
}  # fmt: skip
BAD_LINES = {
    "brace_missing": COMMENT[:-1], "brace_twice": COMMENT + "}", "only_a_brace": "{", "only_a_closing_brace": "}", "a_word": "hello",
    "two_objects": COMMENT + COMMENT, "two_objects_with_space": COMMENT + " " + COMMENT, "comma_after": COMMENT + ",",
    "comma_before": "," + COMMENT, "semicolon_after": COMMENT + ";", "brackets_around_unclosed": "[" + COMMENT,
    "comment_before": "// x", "comment_after": COMMENT + " # x", "nul_after": COMMENT + "\0", "nul_before": "\0" + COMMENT,
    "nuls": "\0" * 64, "byte_order_mark_in_mid_file": "\ufeff" + COMMENT, "carriage_return_inside": COMMENT.replace(",", ",\r", 1)[:-1],
    "two_lines_by_a_carriage_return": COMMENT + "\r" + COMMENT.replace("1", "2"), "xml": "<event seq='1'/>", "yaml": "seq: 1",
    "csv": "1,comment,x", "python": "{'seq':1,'type':'comment','text':'x'}", "object_with_trailing_comma": COMMENT[:-1] + ",}",
    "key_bare": COMMENT.replace('"seq"', "seq"), "jsonp": f"f({COMMENT})", "length_before": f"37{COMMENT}", "separator_before": "\x1e" + COMMENT,
    "no_break_spaces_around": f"\u00a0{COMMENT}\u00a0", "nothing_but_a_zero_width_space": "\u200b",
    "merge_conflict": "<<<<<<< HEAD", "log_prefix": "INFO " + COMMENT, "windows_end_of_file": "\x1a",
}  # fmt: skip
NO_OBJECTS = {
    "array": "[]", "array_around": f"[{COMMENT}]", "text": '"comment"', "number": "1", "minus_zero": "-0", "decimal": "1.5", "true": "true",
    "false": "false", "null": "null", "text_of_an_object": json.dumps(COMMENT), "array_of_objects": "[{},{}]", "empty_text": '""',
}  # fmt: skip
TWICE = {
    "seq": '{"seq":1,"seq":1,"type":"comment","text":"x"}', "type": '{"seq":1,"type":"comment","type":"comment","text":"x"}',
    "two_values": '{"seq":1,"type":"comment","text":"x","text":"y"}', "in_another_spelling": '{"seq":1,"type":"comment","text":"x","t\\u0065xt":"x"}',
    "far_apart": '{"seq":1,"type":"comment","text":"x","meta":{},"at_ms":1,"seq":1}', "unknown_key": '{"seq":1,"type":"comment","text":"x","a":1,"a":1}',
    "inside_meta": '{"seq":1,"type":"comment","text":"x","meta":{"a":1,"a":1}}', "deep_inside": '{"seq":1,"type":"comment","text":"x","meta":[[{"a":1,"a":2}]]}',
    "empty_key": '{"seq":1,"type":"comment","text":"x","":1,"":1}', "three_times": '{"seq":1,"seq":1,"seq":1,"type":"comment","text":"x"}',
    "meta": '{"seq":1,"type":"comment","text":"x","meta":{},"meta":{}}', "in_an_event_that_is_wrong": '{"seq":1,"type":"emote","type":"comment"}',
}  # fmt: skip


def lines() -> Iterator[Case]:
    for name, line in GOOD_LINES.items():
        yield f"y_line_{name}", second(line)
    for name, line in BAD_LINES.items():
        yield f"n_ONO102_line_{name}", second(line)
    yield "i_line_of_a_form_feed", second("\f")
    for name, line in NO_OBJECTS.items():
        yield f"n_ONO104_line_{name}", second(line)
    for name, line in TWICE.items():
        yield f"n_ONO109_twice_{name}", second(line)
    for name in ("players", "ruleset"):
        spoiled = FIRST.replace(b'"name":"Ann"', b'"name":"Ann","name":"Ann"')
        if name == "ruleset":
            spoiled = FIRST.replace(b'"edition":"2022"', b'"edition":"2022","edition":"1980"')
        yield f"n_ONO109_twice_in_{name}", spoiled
    longest = COMMENT.replace('"x"', '"%s"')
    room = (1 << 20) - len(longest) + 2
    head, tail = (part.encode() for part in longest.split("%s"))
    past = (1 << 20) + 1
    yield "y_line_of_a_mebibyte", zstd_runs((FIRST + head, 1), (b"x", room), (tail + b"\n", 1))
    long = zstd_runs((FIRST + head, 1), (b"x", room + 1), (tail + b"\n", 1))
    yield "n_ONO111_line_of_a_mebibyte_and_a_byte", long
    yield "n_ONO111_line_of_blanks", zstd_runs((FIRST, 1), (b" ", past), (b"\n", 1))
    yield "n_ONO111_line_that_is_nothing", zstd_runs((FIRST, 1), (b"x", past), (b"\n", 1))
    yield "n_ONO111_first_line", zstd_runs((b"[", past), (b"\n" + SOUND, 1))


# --- whole files ------------------------------------------------------------------------------------


def files() -> Iterator[Case]:
    yield "y_file_empty", b""
    yield "y_file_of_blanks", b"\n\n \t\n\r\n"
    yield "y_file_of_a_byte_order_mark", b"\xef\xbb\xbf"
    yield "y_file_byte_order_mark", b"\xef\xbb\xbf" + SOUND
    yield "y_file_crlf", SOUND.replace(b"\n", b"\r\n")
    yield "y_file_mixed_line_ends", SOUND.replace(b"\n", b"\r\n", 2)
    yield "y_file_no_final_newline", SOUND[:-1]
    yield "y_file_two_games", SOUND + SOUND.replace(b'"g"', b'"h"')
    yield "y_file_gzip", gzip_stored(SOUND)
    yield (
        "y_file_gzip_of_two_members",
        gzip_stored(SOUND[:300]) + gzip_stored(SOUND[300:]),
    )
    yield "y_file_zstd", zstd_runs((SOUND, 1))
    yield (
        "y_file_zstd_skippable_first",
        b"\x50\x2a\x4d\x18\x03\0\0\0abc" + zstd_runs((SOUND, 1)),
    )
    yield "y_file_gzip_of_nothing", gzip_stored(b"")
    yield "i_file_gzip_in_gzip", gzip_stored(gzip_stored(SOUND))
    yield "i_file_carriage_returns_only", SOUND.replace(b"\n", b"\r")
    yield "i_file_byte_order_mark_twice", b"\xef\xbb\xbf" * 2 + SOUND
    yield "i_file_nul_at_the_end", SOUND + b"\0"
    yield "i_file_second_byte_order_mark_at_a_game", SOUND + b"\xef\xbb\xbf" + SOUND.replace(b'"g"', b'"h"')
    packed = gzip_stored(SOUND)
    for name, data in (
        ("early", packed[:-20]),
        ("in_the_trailer", packed[:-3]),
        ("in_the_header", packed[:7]),
    ):
        yield f"n_ONO113_gzip_ends_{name}", data
    yield "n_ONO113_gzip_wrong_checksum", packed[:-8] + b"\0\0\0\0" + packed[-4:]
    yield "n_ONO113_gzip_and_garbage", packed + b"garbage"
    plain = zstd_runs((SOUND, 1))
    checksum = zstandard.ZstdCompressor(write_checksum=True).compress(SOUND)[-4:]
    frame = plain[:4] + b"\x04" + plain[5:] + checksum
    for name, data in (("early", frame[:-20]), ("in_the_checksum", frame[:-2]), ("in_the_header", frame[:5])):
        yield f"n_ONO113_zstd_ends_{name}", data
    yield "n_ONO113_zstd_wrong_checksum", frame[:-4] + b"\0\0\0\0"
    yield "n_ONO113_zstd_and_garbage", frame + b"garbage"
    torn = FIRST + b"\n".join(LINES[1:4]) + b"\n"
    for name, cut in (
        ("in_a_key", 10),
        ("in_a_text", 20),
        ("after_a_comma", 9),
        ("after_a_colon", 7),
        ("one_byte", 1),
    ):
        yield f"n_ONO103_torn_{name}", torn + LINES[4][:cut]
    yield "n_ONO103_torn_in_a_character", torn + '{"seq":4,"type":"comment","text":"é'.encode()[:-1]
    yield "n_ONO103_torn_without_the_brace", torn + LINES[4][:-1]


# --- what an event must be --------------------------------------------------------------------------

OTHER = {
    "a_text": "x",
    "a_number": 5,
    "true": True,
    "null": None,
    "a_decimal": 1.5,
    "an_array": [[]],
    "an_object": {"a": []},
}
EVENTS: dict[str, list[dict[str, Any]]] = {
    "round_start": GAME[:2], "deal": GAME[:3], "play": GAME[:5], "draw": GAME[:6], "game_end": GAME,
    "comment": [START, {"seq": 1, "type": "comment", "text": "x"}],
    "undo": [*GAME[:5], {"seq": 5, "type": "undo", "to": 3}],
    "eliminate": [*GAME[:4], {"seq": 4, "type": "eliminate", "seat": 0, "reason": "left"}],
    "forfeit_draw": [*POINTS, {"seq": 4, "type": "play", "seat": 0, "card": "7", "total": 7}, {"seq": 5, "type": "forfeit_draw", "seat": 0}],
    "reshuffle": [*GAME[:5], {"seq": 5, "type": "reshuffle", "count": 3}],
    "discard_four": [*GAME[:4], {"seq": 4, "type": "discard_four", "seat": 0}],
    "round_end": [*GAME[:4], {"seq": 4, "type": "round_end", "round": 1, "winner": 0, "loser": None}],
    "game_start": GAME[:1],
}  # fmt: skip
WRONG: dict[str, tuple[str, str]] = {
    # key: the code, the value of OTHER that must not stand there
    "seq": ("ONO107", "a_text"), "round": ("ONO107", "a_decimal"), "dealer": ("ONO107", "a_text"), "starter": ("ONO107", "null"),
    "seat": ("ONO107", "true"), "cards": ("ONO107", "a_text"), "card": ("ONO107", "a_number"), "total": ("ONO107", "a_text"),
    "text": ("ONO107", "a_number"), "to": ("ONO107", "null"), "reason": ("ONO107", "an_array"), "count": ("ONO107", "a_text"),
    "winner": ("ONO107", "a_text"), "loser": ("ONO107", "true"), "winners": ("ONO107", "an_object"), "game_id": ("ONO107", "a_number"),
    "ruleset": ("ONO107", "a_text"), "players": ("ONO107", "an_object"), "view": ("ONO107", "a_text"), "version": ("ONO107", "a_decimal"),
    "format": ("ONO112", "a_number"),
}  # fmt: skip


def changed(name: str, **keys: Any) -> bytes:
    """The events up to one of this type, with other keys in that one; `...` takes a key out."""
    *before, event = EVENTS[name]
    return text_of([*before, {key: value for key, value in (event | keys).items() if value is not ...}])


def shapes() -> Iterator[Case]:
    for name, events in EVENTS.items():
        for key in events[-1]:
            if key != "type":
                yield f"n_ONO106_{name}_without_{key}", changed(name, **{key: ...})
                code, value = WRONG[key]
                yield f"n_{code}_{name}_{key}_is_{value}", changed(name, **{key: OTHER[value]})
        yield f"n_ONO108_{name}_unknown_key", changed(name, colour="red")
        yield f"n_ONO107_{name}_at_ms_below_zero", changed(name, at_ms=-1)
        yield f"n_ONO107_{name}_irregular_false", changed(name, irregular=False)
        yield f"n_ONO107_{name}_meta_is_a_text", changed(name, meta="x")
        if "seat" in events[-1]:
            yield f"n_ONO206_{name}_no_such_seat", changed(name, seat=2)
            yield f"n_ONO206_{name}_seat_below_zero", changed(name, seat=-1)
    yield "n_ONO106_without_type", second('{"seq":1,"text":"x"}')
    for name, other in OTHER.items():
        if name != "a_text":
            yield f"n_ONO107_type_is_{name}", changed("comment", type=other)
    yield "n_ONO105_type_unknown", changed("comment", type="emote")
    yield "n_ONO105_type_in_capitals", changed("comment", type="Comment")
    yield "n_ONO105_type_with_a_space", changed("comment", type="comment ")
    yield "n_ONO105_type_empty", changed("comment", type="")
    yield "n_ONO105_type_with_a_nul", changed("comment", type="comment\0")
    newer = FIRST.replace(b'"1.0"', b'"1.7"')
    yield "y_type_unknown_in_a_newer_minor", newer + b'{"seq":1,"type":"emote","what":[1,{"a":null}]}\n'
    yield "y_newer_minor_of_two_digits", SOUND.replace(b'"1.0"', b'"1.10"')
    for name, card in (
        ("capitals", "REVERSE"),
        ("empty", ""),
        ("a_space", "7 "),
        ("plus", "+7"),
        ("eleven", "11"),
        ("other_digit", "٧"),
    ):
        yield f"n_ONO110_card_{name}", changed("play", card=card)
    yield "n_ONO110_card_in_a_deal", changed("deal", cards=["7", "7", "7", "joker"])
    for name, version in (("two", "2.0"), ("zero", "0.9"), ("two_digits", "10.0")):
        yield f"n_ONO112_version_{name}", changed("game_start", version=version)
    for name, version in (
        ("empty", ""),
        ("word", "new"),
        ("one_part", "1"),
        ("three_parts", "1.0.0"),
        ("sign", "+1.0"),
    ):
        yield f"n_ONO107_version_{name}", changed("game_start", version=version)
    yield "n_ONO112_another_format", changed("game_start", format="pgn")
    yield "n_ONO112_format_in_capitals", changed("game_start", format="ONO-LOG")
    yield "n_ONO107_game_id_empty", changed("game_start", game_id="")
    yield "n_ONO107_game_id_too_long", changed("game_start", game_id="x" * 129)
    yield "y_game_id_of_128_characters", changed("game_start", game_id="🂡" * 128)
    for name, total in (
        ("a_decimal", "7.0"),
        ("an_exponent", "7e0"),
        ("minus_zero", "-0"),
        ("a_text", '"7"'),
        ("false", "false"),
    ):
        yield (
            f"n_ONO107_total_is_{name}",
            text_of(GAME[:4]) + LINES[4].replace(b'"total":7', b'"total":' + total.encode()) + b"\n",
        )
    yield (
        "n_ONO102_total_past_64_bits",
        text_of(GAME[:4]) + LINES[4].replace(b'"total":7', b'"total":9223372036854775808') + b"\n",
    )
    yield "n_ONO201_no_game_start", text_of(GAME[1:3])
    yield "n_ONO201_game_start_is_second", text_of(GAME[1:2]) + SOUND


# --- every other code, in JSON that is spelled in an unusual way ----------------------------------


def _odd(line: bytes) -> bytes:
    """The same event with its keys the other way round, spaces, and every letter outside ASCII escaped."""
    keys = json.loads(line)
    return json.dumps(dict(reversed(keys.items())), separators=(" , ", " : ")).encode()


def faults() -> Iterator[Case]:
    for path in sorted(bundle_path("sample_logs").joinpath("broken").iterdir()):
        if path.name[3] != "1" and path.suffix == ".jsonl":
            odd = b"".join(_odd(line) + b"\r\n" for line in path.read_bytes().splitlines())
            yield f"n_{path.name[:6]}_odd{path.name.removesuffix('.ono.jsonl')[6:].replace('-', '_')}", odd


def suite() -> dict[str, bytes]:
    """Return the content of each file by its name."""
    found: dict[str, bytes] = {}
    for part in (values, texts, lines, files, shapes, faults):
        for name, data in part():
            assert name not in found, name
            found[f"{name}.jsonl"] = data
    return found


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, data in suite().items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    main()
