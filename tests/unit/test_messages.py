"""Every violation of the rules has a sentence of its own, and the sentence says what is so."""

import ast
from pathlib import Path

import msgspec
import pytest

import ono_replay.rules
from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.messages import MESSAGES, describe, message_key
from ono_replay.check.phrases import name_event, name_player
from ono_replay.rules.events import (
    Comment,
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    ForfeitDraw,
    GameEnd,
    Play,
    Reshuffle,
    RoundEnd,
    RoundStart,
)
from ono_replay.rules.state import Phase
from ono_replay.rules.violation import Violation

RULES = Path(ono_replay.rules.__file__).parent
NAMES = ["Ann", "Bo", "Cy"]
V = Violation
PLAY, DRAW, DEAL = Play(6, 1, "7", 102), Draw(7, 1, "9"), Deal(3, 1, ("7", "9"))
START, OVER, END = RoundStart(9, 2, None, 1), RoundEnd(9, 1, 0, 1), GameEnd(9, (0,), "completed")
OUT, LEAVE = Eliminate(9, 1, "no_legal_play"), Eliminate(9, 1, "left")

SENTENCES = [
    (V("ONO106", "chips"), OVER, "Round 1 is declared over without `chips`, which this match has"),
    (V("ONO106", "points"), OVER, "Round 1 is declared over without `points`, which this match has"),
    (V("ONO106", "scores"), OVER, "Round 1 is declared over without `scores`, which this match has"),
    (V("ONO107", "round", 2, 3), START, "This is round 2, but the log says 3"),
    (V("ONO107", "deck", 112, 111), START, "The deck has 111 cards; that of the ruleset has 112"),
    (
        V("ONO107", "deck", 112, 112),
        START,
        "The deck has 112 cards as it should, but not those of the ruleset's deck",
    ),
    (V("ONO202", "gap", 5, 6), PLAY, "The line with `seq` 5 is missing before this one, which has 6"),
    (
        V("ONO202", "gap", 5, 8),
        PLAY,
        "`seq` should be 5 here, but is 8: 3 lines are missing, or the number is wrong",
    ),
    (V("ONO202", "gap", 5, 2), PLAY, "`seq` goes back: after 4 comes 2"),
    (V("ONO202", "odd", 5, 99), PLAY, "`seq` should be 5 here, but is 99"),
    (V("ONO202", "repeated", 5, 4), PLAY, "This line with `seq` 4 stands here a second time"),
    (V("ONO202", "swapped", 5, 6), PLAY, "This line and the next are swapped: `seq` 6 stands before 5"),
    (V("ONO203", "", actual="kitchen-7"), START, "A game with this id came before in this run"),
    (V("ONO205", "", 61000, 1200), PLAY, "`at_ms` goes back: it is 1200, but was 61000 on a line before"),
    (V("ONO209", "", actual=9), PLAY, "There is no event with `seq` 9 before this line to go back to"),
    (V("ONO204", "before_round"), PLAY, "Bo (seat 1) plays 7, but no round has begun"),
    (
        V("ONO204", "dealing", (1, 2)),
        LEAVE,
        "Bo (seat 1) leaves, but Bo (seat 1) and Cy (seat 2) have not been dealt cards",
    ),
    (V("ONO204", "dealing"), START, "Round 2 begins, but cards are still being dealt"),
    (V("ONO204", "playing"), START, "Round 2 begins, but a round is being played"),
    (V("ONO204", "playing"), DEAL, "Bo (seat 1) is dealt cards, but a round is being played"),
    (V("ONO204", "round_over"), START, "Round 2 begins, but the round before has no `round_end`"),
    (V("ONO204", "match_over"), DEAL, "Bo (seat 1) is dealt cards, but the match is over"),
    (V("ONO204", "ended"), PLAY, "Bo (seat 1) plays 7, but the game has ended"),
    (
        V("ONO204", "round_end_missing"),
        END,
        "The game is declared over, but the last round has no `round_end`",
    ),
    (V("ONO207", "dealing", (2,)), PLAY, "Bo (seat 1) plays 7, but Cy (seat 2) has not been dealt cards"),
    (V("ONO207", "twice", actual=1), DEAL, "Bo (seat 1) is dealt cards a second time"),
    (V("ONO207", "count", 4, 2), DEAL, "Bo (seat 1) is dealt 2 cards; it must be 4"),
    (V("ONO211", "hands"), START, "The position is not possible: there must be one hand for each player"),
    (
        V("ONO211", "out"),
        START,
        "The position is not possible: `out` names a seat twice, or one that the game does not have",
    ),
    (
        V("ONO211", "standing"),
        START,
        "The position is not possible: `chips` and `scores` must have one entry for each player",
    ),
    (
        V("ONO211", "turn"),
        START,
        "The position is not possible: `turn` must be a seat still in that owes a card, or null when nobody owes one and the round is over",
    ),
    (V("ONO211", "second"), START, "The position is not possible: where `second` is true, `plays_due` is 1"),
    (V("ONO211", "pile"), START, "The position is not possible: a pile can not have fewer than 0 cards"),
    (
        V("ONO211", "copies"),
        START,
        "The position is not possible: it has more copies of a card than the deck",
    ),
    (V("ONO211", "size"), START, "The position is not possible: it has more cards than the deck"),
    (V("ONO301", "", 0, 1), PLAY, "Bo (seat 1) plays 7, but it is Ann's turn (seat 0)"),
    (V("ONO301", "", None, 1), PLAY, "Bo (seat 1) plays 7, but it is nobody's turn"),
    (V("ONO302", "", ("4", "?"), "7"), PLAY, "Bo (seat 1) plays 7, which is not in the hand: 4, ?"),
    (V("ONO302", "", (), "7"), PLAY, "Bo (seat 1) plays 7, but the hand is empty"),
    (V("ONO303", "", 98, 102), PLAY, "Bo (seat 1) plays 7, which takes the total to 102; the limit is 98"),
    (
        V("ONO304", "", 98, 40),
        Play(6, 1, "ono_99", 40),
        "Bo (seat 1) plays ono_99, which can not be played here",
    ),
    (
        V("ONO305", "", 98, 40),
        Play(6, 1, "double_play", 40),
        "Bo (seat 1) plays double_play as the first of two cards, where it is barred",
    ),
    (
        V("ONO306", "", 37, 38),
        Play(6, 1, "7", 38),
        "Bo (seat 1) plays 7: the total is 37 after it, but the log says 38",
    ),
    (V("ONO307", "", 0, 1), PLAY, "Bo (seat 1) plays 7, but is out of the round"),
    (V("ONO307", "gone", actual=1), DEAL, "Bo (seat 1) is dealt cards, but is out of the match"),
    (V("ONO308", "", 0, 2), PLAY, "Bo (seat 1) plays 7, but Ann (seat 0) must draw 2 cards first"),
    (V("ONO309", "", 0, 1), DRAW, "Bo (seat 1) draws 9, but no draw is due"),
    (V("ONO309", "other_seat", 0, 1), DRAW, "Bo (seat 1) draws 9, but it is Ann (seat 0) who must draw"),
    (
        V("ONO310", "double_play", 2, 3),
        Play(6, 1, "double_play", 3),
        "Bo (seat 1) plays double_play: with that 3 of double_play are in sight, but the deck has 2",
    ),
    (
        V("ONO311", "", actual="hold"),
        Play(6, 1, "hold", 3),
        "Bo (seat 1) plays hold, but the deck of this game has no hold",
    ),
    (
        V("ONO312", "ruleset"),
        ForfeitDraw(7, 1),
        "Bo (seat 1) forfeits a draw, but these rules let no draw be forfeited",
    ),
    (
        V("ONO312", "bust_draw"),
        ForfeitDraw(7, 1),
        "Bo (seat 1) forfeits a draw, but the one after a bust card must be drawn",
    ),
    (
        V("ONO313", "not_offered"),
        DiscardFour(7, 1),
        "Bo (seat 1) discards four ono_99, which these rules do not offer",
    ),
    (
        V("ONO313", "not_held", 4, 3),
        DiscardFour(7, 1),
        "Bo (seat 1) discards four ono_99, but does not hold four of them",
    ),
    (V("ONO314", "nothing_due"), Reshuffle(7, 38), "The discard pile is reshuffled, but nobody has to draw"),
    (
        V("ONO314", "not_empty", 0, 1),
        Reshuffle(7, 38),
        "The discard pile is reshuffled, but the draw pile still has 1 card",
    ),
    (
        V("ONO314", "count", 38, 40),
        Reshuffle(7, 40),
        "The discard pile is reshuffled: that makes 38 cards, but the log says 40",
    ),
    (
        V("ONO314", "cards", ("7",), ("8",)),
        Reshuffle(7, 1),
        "The discard pile is reshuffled, but the cards of the new draw pile are not those of the discard pile",
    ),
    (V("ONO315", "", 38), DRAW, "Bo (seat 1) draws 9, but the draw pile is empty"),
    (
        V("ONO316", "", actual="reverse"),
        Play(6, 1, "reverse", 0),
        "Bo (seat 1) plays reverse to open the round, but holds a number card to play",
    ),
    (
        V("ONO317", "", 98, -6),
        Play(6, 1, "-10", -6),
        "Bo (seat 1) plays -10, which takes the total below zero, to -6",
    ),
    (V("ONO318", "", "2", "9"), DRAW, "Bo (seat 1) draws 9, but the next card of the recorded deck is 2"),
    (
        V("ONO318", "deal", None, ("7", "9")),
        DEAL,
        "Bo (seat 1) is dealt 7, 9, which are not among the first cards of the recorded deck",
    ),
    (V("ONO319", "", 0, 1), START, "Bo (seat 1) starts the round, but Ann (seat 0) must"),
    (V("ONO319", "dealer", 0, 1), START, "Bo (seat 1) deals this round, but it is Ann (seat 0) who must"),
    (
        V("ONO319", "gone", 2, 1),
        START,
        "Bo (seat 1) starts the round, but is out of the match; the next player still in it is Cy (seat 2)",
    ),
    (
        V("ONO401", "", None, ("7", "0"), ("0", "7", "discard_four")),
        OUT,
        "Bo (seat 1) is eliminated as unable to play, but could play 0 or 7 or discard four ono_99",
    ),
    (
        V("ONO401", "", None, ("7", "0")),
        OUT,
        "Bo (seat 1) is eliminated as unable to play, but could play a card",
    ),
    (V("ONO402", "", ("7", "?"), ("8", "9")), OUT, "Bo (seat 1) lays down 8, 9, but the hand is 7, ?"),
    (V("ONO402", "", ("7", "9"), None), OUT, "What Bo (seat 1) shows does not fit the hand: 7, 9"),
    (V("ONO403", "round", 0, None), OVER, "The round is won by Ann (seat 0), but the log says nobody"),
    (
        V("ONO403", "game", (0, 2), ()),
        END,
        "The game is won by Ann (seat 0) and Cy (seat 2), but the log says nobody",
    ),
    (
        V("ONO403", "abandoned", (), (0,)),
        END,
        "The game is abandoned and has no winner, but the log says Ann (seat 0)",
    ),
    (V("ONO404", "dealing"), OVER, "Round 1 is declared over, but cards are still being dealt"),
    (
        V("ONO404", "round", (0, 1, 2)),
        OVER,
        "Round 1 is declared over, but still in are Ann (seat 0), Bo (seat 1) and Cy (seat 2)",
    ),
    (V("ONO404", "round"), END, "The game is declared over, but a round is still being played"),
    (V("ONO404", "match"), END, "The game is declared over, but the match is not decided"),
    (V("ONO405", "round_over"), PLAY, "Bo (seat 1) plays 7, but the round is over"),
    (V("ONO405", "match_over"), START, "Round 2 begins, but the match is over"),
    (
        V("ONO406", "", (3, 2, None), (3, 3, None)),
        OVER,
        "Bo (seat 1) has 2 chips after this round, not 3 chips",
    ),
    (
        V("ONO406", "", (3, 2, None), (3, 2, 0)),
        OVER,
        "Cy (seat 2) has no place in the match (null) after this round, not 0 chips",
    ),
    (V("ONO406", "", (3, 2, None), (3, 2)), OVER, "The chips after this round are [3, 2, null], not [3, 2]"),
    (
        V("ONO406", "none_belong", actual=(3, 3)),
        OVER,
        "Round 1 is declared over with `chips`, but this match has none",
    ),
    (
        V("ONO407", "none_belong", actual=(3, 3)),
        OVER,
        "Round 1 is declared over with points or scores, but this match has none",
    ),
    (V("ONO407", "points:1", 69, 44), OVER, "Bo (seat 1) scores 69 points in this round, not 44"),
    (
        V("ONO407", "points:1", (25, 45), 20),
        OVER,
        "Bo (seat 1) scores from 25 to 45 points in this round (the hand is not all known), not 20",
    ),
    (
        V("ONO407", "points:1", None, 0),
        OVER,
        "Bo (seat 1) was out of the match before this round and has null points, not 0",
    ),
    (V("ONO407", "scores:2", 100, None), OVER, "Cy (seat 2) has a score of 100 after this round, not null"),
    (V("ONO408", "", 1, None), OVER, "The round is lost by Bo (seat 1), but the log says nobody"),
    (
        V("ONO409", "none_belongs", None, "9"),
        LEAVE,
        "Bo (seat 1) leaves with 9 as a bust card, but none belongs here",
    ),
    (
        V("ONO409", "missing", ("9", "10")),
        OUT,
        "Bo (seat 1) is eliminated without a bust card, but the hand has one: 9, 10",
    ),
    (
        V("ONO409", "not_over", 98, "2"),
        OUT,
        "Bo (seat 1) goes out with 2, which does not take the total over the limit of 98",
    ),
    (
        V("ONO409", "not_over", 98, "?"),
        OUT,
        "Bo (seat 1) goes out with an unknown card; a bust card is seen by all",
    ),
    (
        V("ONO409", "not_held", ("9", "?"), "10"),
        OUT,
        "Bo (seat 1) goes out with 10, which is not in the hand: 9, ?",
    ),
]
PHASES = {phase.value for phase in Phase}


def functions_of_the_rules():
    for path in sorted(RULES.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield node


def strings_in(node):
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def returned_by(*functions):
    """The strings that functions of the rules return."""
    found = set()
    for function in functions_of_the_rules():
        if function.name in functions:
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and node.value is not None:
                    found |= strings_in(node.value)
    assert found, functions
    return found


def values_of(node, function):
    """All values that an expression for a code or a detail may have."""
    if node is None:
        return {""}
    if isinstance(node, ast.Constant):
        return {node.value}
    if isinstance(node, ast.IfExp):
        return values_of(node.body, function) | values_of(node.orelse, function)
    if isinstance(node, ast.JoinedStr):
        assert isinstance(node.values[0], ast.Constant)
        return {str(node.values[0].value).partition(":")[0]}
    text = ast.unparse(node)
    if text in ("phase.value", "state.phase.value"):
        return PHASES
    special = {
        ("_too_many", "card"): {"card"},
        ("why_not_deal", "card"): {"card"},
        ("_why_not_now", "early_code"): {"ONO204", "ONO207"},
        ("_why_not_play", "code"): returned_by("why_unplayable"),
        ("why_not_round_start", "wrong"): returned_by("why_not_position", "_why_not_cards"),
    }
    if (function.name, text) in special:
        return special[function.name, text]
    for statement in ast.walk(function):
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == text:
            return values_of(statement.value, function)
    raise AssertionError(f"{function.name}: what can {text} be? Say it in this test.")


CALLED_WITH_A_CODE = {"hand_violation"}
"""Functions that make a violation of whatever code they are given."""


def violations_of_the_rules():
    """All (code, kind of detail) that the rules can produce, read from their source."""
    found = set()
    for function in functions_of_the_rules():
        if function.name in CALLED_WITH_A_CODE:
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Violation":
                details = {keyword.arg: keyword.value for keyword in node.keywords}
                for code in values_of(node.args[0], function):
                    found |= {(code, detail) for detail in values_of(details.get("detail"), function)}
    return found


def test_every_violation_has_a_sentence_and_every_sentence_a_violation():
    numbering = {("ONO202", kind) for kind in ("gap", "odd", "repeated", "swapped")}
    others = {("ONO203", ""), ("ONO205", ""), ("ONO209", "")}
    assert violations_of_the_rules() | numbering | others == set(MESSAGES)


@pytest.mark.parametrize(("violation", "event", "sentence"), SENTENCES)
def test_sentence(violation, event, sentence):
    assert describe(violation, event, NAMES)[0] == sentence


def test_each_sentence_is_shown_above():
    assert {message_key(violation) for violation, _, _ in SENTENCES} == set(MESSAGES)


@pytest.mark.parametrize(("violation", "event", "sentence"), SENTENCES)
def test_help(violation, event, sentence):
    text = describe(violation, event, NAMES)[1]
    assert text
    assert text.endswith((".", "?", "]", "]."))
    irregular = describe(violation, msgspec.structs.replace(event, irregular=True), NAMES)[1]
    assert irregular is not None
    assert "If the table let it stand" not in irregular.replace(CATALOGUE[violation.code].fix, "")


def test_what_has_no_sentence_gets_that_of_the_catalogue():
    message, help_text = describe(V("ONO501"), END, NAMES)
    assert message == CATALOGUE["ONO501"].what.rstrip(".")
    assert help_text == CATALOGUE["ONO501"].fix


def test_names():
    assert name_player(0, [""]) == name_player(0, ["  "]) == name_player(0, []) == "seat 0"
    assert name_player(-1, ["Ann"]) == "seat -1"
    assert name_player(0, ["{x}\n"]) == "{x}\n (seat 0)"
    assert len(name_player(0, ["x" * 10_000])) < 80
    assert (
        describe(V("ONO301", expected=0), PLAY, ["{0}", "%s"])[0]
        == "%s (seat 1) plays 7, but it is {0}'s turn (seat 0)"
    )
    assert describe(V("ONO301", expected=0), PLAY, [])[0] == "seat 1 plays 7, but it is the turn of seat 0"


@pytest.mark.parametrize(
    ("event", "clause"),
    [
        (Draw(7, 0, "?"), "Ann (seat 0) draws a card"),
        (ForfeitDraw(7, 0), "Ann (seat 0) forfeits a draw"),
        (Eliminate(7, 0, "timeout"), "Ann (seat 0) is timed out"),
        (Comment(7, "hi"), "An event `comment` stands here"),
    ],
)
def test_clauses(event, clause):
    assert name_event(event, NAMES) == clause
