"""Undo: what stands after it, and the game finished without it."""

from typing import Any

import pytest

from ono_replay.log.jsonl import canonical, digest_of
from ono_replay.log.undo import effective_events, finished, with_digest
from ono_replay.rules.events import Comment, GameEnd, Undo


def done(events) -> Any:
    return finished(events)


def game(*words):
    """Comments named by words; `<3` is an undo to 3."""
    return [
        Undo(seq=seq, to=int(word[1:])) if word.startswith("<") else Comment(seq=seq, text=word)
        for seq, word in enumerate(words)
    ]


@pytest.mark.parametrize(
    ("words", "standing"),
    [
        ("a b c", "a b c"),
        ("a b c <0", "a"),
        ("a b c <2", "a b c"),
        ("a b c <0 d", "a d"),
        ("a b c <0 <2", "a b c"),
        ("a b c <0 <1", "a b"),
        ("a b <0 c <2", "a"),
        ("a b <0 c <2 <3", "a c"),
        ("a b <0 c <1 d", "a b d"),
        ("a b <0 <2 <3", "a"),
        ("a b <5 c", "a b c"),
        ("a b <2 c", "a b c"),
        ("a b <-1 c", "a b c"),
        ("<0 a", "a"),
        ("", ""),
    ],
)
def test_what_stands(words, standing):
    events: Any = effective_events(game(*words.split()))
    assert [event.text for event in events] == standing.split()


def test_the_events_that_stand_keep_their_numbers():
    assert [event.seq for event in effective_events(game("a", "b", "<0", "c"))] == [0, 3]


def test_an_undo_may_void_the_end():
    end = GameEnd(seq=1, winners=(), reason="abandoned")
    assert done([Comment(seq=0, text="a"), end, Undo(seq=2, to=0)]) == [Comment(seq=0, text="a")]


def test_references_follow_or_go():
    events = [
        Comment(seq=0, text="a"), Comment(seq=1, text="b"), Undo(seq=2, to=0), Comment(seq=3, text="c", ref=0),
        Comment(seq=4, text="d", ref=3), Comment(seq=5, text="e", ref=1), Comment(seq=6, text="f", ref=2),
    ]  # fmt: skip
    assert [(event.seq, event.text, event.ref) for event in done(events)] == [
        (0, "a", None), (1, "c", 0), (2, "d", 1), (3, "e", None), (4, "f", None)
    ]  # fmt: skip


def test_a_finished_game_has_a_digest_of_its_own_if_it_had_one():
    events = [*game("a", "b", "<0"), GameEnd(seq=3, winners=(), reason="abandoned", digest="sha256:old")]
    assert done(events)[-1].digest == digest_of([b'{"seq":0,"type":"comment","text":"a"}'])
    bare = [Comment(seq=0, text="a"), GameEnd(seq=1, winners=(), reason="abandoned")]
    assert done(bare) == bare
    always: Any = with_digest(bare, always=True)
    assert always[-1].digest == digest_of([canonical(bare[0])])
