"""ONO1xx: a line can not be read, or says what no event can say."""

from ono_replay.check.catalogue.code import Code

CODES = (
    Code(
        "ONO101",
        "not-utf8",
        "error",
        what="The line holds bytes that are not UTF-8 text.",
        why="A log is UTF-8 throughout. In another encoding a name can mean anything, so the line is not guessed at.",
        example="# The ü of this name is the single byte FC, as Latin-1 writes it.\n"
        '{"seq":0,"type":"game_start",…,"players":[{"name":"J\\xFCrgen"},{"name":"Bo"}],…}',
        fix="Write the log as UTF-8, or convert the file: iconv -f LATIN1 -t UTF-8 old > new.",
    ),
    Code(
        "ONO102",
        "not-json",
        "error",
        what="The line is not JSON that can be read: wrong syntax, NaN or Infinity, an integer that does not fit "
        "into 64 bits, a lone surrogate, or objects and arrays nested more than 64 deep.",
        why="Each line must hold one JSON object that every reader understands in the same way.",
        example='{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
        '# A comma is missing before "card".\n'
        '{"seq":5,"type":"draw","seat":0 "card":"9"}',
        fix="Write events with a JSON library, one object a line. An editor that wraps long lines breaks them.",
    ),
    Code(
        "ONO103",
        "torn-last-line",
        "warning",
        what="The last line breaks off in the middle and has no newline.",
        why="The program that wrote it was stopped while it wrote. Everything before is whole.",
        example='{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n{"seq":5,"type":"dr',
        fix="Nothing, if the game is still being recorded. Else `ono-replay record LOG --resume` goes on after the "
        "last whole line, and `ono-replay recover LOG OUT` writes a copy without the torn one.",
    ),
    Code(
        "ONO104",
        "not-an-object",
        "error",
        what="The line is JSON, but not an object.",
        why="An event is an object, `{…}`; a list, a text or a number is none.",
        example='[4,"play",0,"7",7]',
        fix="Write one object a line. A file that is one big JSON array may be another program's replay: "
        "`ono-replay convert` reads some of those.",
    ),
    Code(
        "ONO105",
        "unknown-event-type",
        "error",
        what="No event has this `type`. In a log of a newer minor version it is a warning: the event is kept and "
        "skipped.",
        why="What an unknown event does to the game can not be known, so whatever follows may be wrong.",
        example='{"seq":4,"type":"plays","seat":0,"card":"7","total":7}',
        fix="Use one of the types of the format. For remarks there is `comment`, for data of your own `meta`.",
    ),
    Code(
        "ONO106",
        "missing-key",
        "error",
        what="The event lacks a key that it must have.",
        why="Without it the event can not be replayed or checked.",
        example='# A play without its total.\n{"seq":4,"type":"play","seat":0,"card":"7"}',
        fix="Add the key. `round_end` needs `chips` in a chips match, `points` and `scores` in a points match.",
    ),
    Code(
        "ONO107",
        "wrong-value",
        "error",
        what="A key has a value of the wrong type or out of its range.",
        why="A reader would have to guess what is meant.",
        example="# The total is a text; it must be an integer.\n"
        '{"seq":4,"type":"play","seat":0,"card":"7","total":"7"}',
        fix="Write the value that is expected. Integers are written without a point or an exponent.",
    ),
    Code(
        "ONO108",
        "unknown-key",
        "note",
        what="The event has a key that this type does not know.",
        why="It is kept, but nothing reads it; it may be a slip for another key.",
        example='{"seq":4,"type":"play","seat":0,"card":"7","total":7,"at":1500}\n# `at_ms` may be meant.',
        fix="Correct the spelling. Data of your own belongs into `meta`.",
    ),
    Code(
        "ONO109",
        "duplicate-key",
        "error",
        what="An object of the line has the same key twice.",
        why="Which of the two values counts differs from one JSON reader to the next.",
        example='{"seq":4,"type":"play","seat":0,"card":"7","total":7,"total":8}',
        fix="Write each key once.",
    ),
    Code(
        "ONO110",
        "no-such-card",
        "error",
        what="A card token is no card of any edition.",
        why="Cards are written with fixed tokens: 0 … 10, -10, reverse, hold, double_play, play_2, ono_99, and ? for "
        "an unknown one.",
        example='{"seq":4,"type":"play","seat":0,"card":"Reverse","total":0}',
        fix='Use the token, in lower case and as text: `"7"`, not `7`.',
    ),
    Code(
        "ONO111",
        "line-too-long",
        "error",
        what="The line is longer than 1 MiB.",
        why="A reader must not need memory without bound. No event of a real game comes near that length.",
        example='{"seq":4,"type":"comment","text":"aaaaaaaa… (more than 1,048,576 bytes)"}',
        fix="Keep big data beside the log and name it in `meta`. If lines have run together, a newline is missing.",
    ),
    Code(
        "ONO112",
        "unsupported-version",
        "error",
        what="The log is of another major version of the format, or not an ono-log at all.",
        why="Another major version may give the same keys another meaning; nothing more of this game is checked.",
        example='{"seq":0,"type":"game_start","format":"ono-log","version":"2.0","game_id":"kitchen-7",…}',
        fix='Read it with a newer ono-replay. A log of your own says "format":"ono-log","version":"1.0".',
    ),
    Code(
        "ONO113",
        "cut-stream",
        "error",
        what="The gzip or zstd stream breaks off or is damaged.",
        why="What came before the damage is judged; what was behind it is lost.",
        example="# The file ends before the compressed stream does.\n$ gzip -t games.ono.jsonl.gz\n"
        "gzip: games.ono.jsonl.gz: unexpected end of file",
        fix="Copy or download the file again, or compress it again from the original. A program that is stopped "
        "before it closes the file leaves such a stream.",
    ),
)
