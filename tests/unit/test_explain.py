"""`ono-replay explain`."""

import pytest

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.render.page import code_list, code_page
from ono_replay.check.render.style import Style
from ono_replay.cli.main import run


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_code_has_its_page(capsys, code):
    assert run(["explain", code]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"{code} {CATALOGUE[code].name} ({CATALOGUE[code].severity})\n")
    for label in ("What", "Why", "Example", "Fix"):
        assert f"\n{label} " in shown
    assert "\x1b" not in shown
    assert all(len(line) <= 100 or "{" in line for line in shown.splitlines())


def test_all_words_of_a_page_are_shown():
    for code in CATALOGUE.values():
        page = code_page(code, Style(colour=False), width=40)
        words = page.split()
        for text in (code.what, code.why, code.fix):
            assert set(text.split()) <= set(words)
        for line in code.example.splitlines():
            assert line in page


def test_without_a_code_all_are_listed(capsys):
    assert run(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines] == [[c.code, c.name, c.severity] for c in CATALOGUE.values()]
    assert all(line.endswith(code.what) for line, code in zip(lines, CATALOGUE.values(), strict=True))


def test_a_list_on_a_terminal_is_cut_to_it():
    shown = code_list(CATALOGUE.values(), Style(colour=False), 80)
    assert max(map(len, shown.splitlines())) <= 80


def test_several(capsys):
    assert run(["explain", "301", "out-of-turn"]) == 0
    assert capsys.readouterr().out.count("ONO301 out-of-turn") == 2


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("ONO399", "ONO309"),
        ("out-of-trun", "did you mean ONO301 (out-of-turn)?"),
        ("chips", "ONO406"),
        ("qqqq", "`ono-replay explain` lists all"),
        ("", "lists all"),
        ("\x1b[31m", r"\u{1b}[31m"),
    ],
)
def test_an_unknown_code_is_2_with_what_it_may_have_meant(capsys, monkeypatch, asked, hint):
    assert run(["explain", asked]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("ono-replay: there is no code '")
    assert hint in output.err
    assert "\x1b" not in output.err


def test_colour_is_asked_for(capsys, monkeypatch):
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    run(["explain", "301"])
    assert "\x1b[1mONO301 out-of-turn\x1b[0m" in capsys.readouterr().out
