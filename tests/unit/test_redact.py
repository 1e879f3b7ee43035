"""Views: what is gone, what stays, what is refused."""

from typing import Any

import pytest

from ono_replay.log.jsonl import canonical, digest_of, encode_game
from ono_replay.log.redact import view_of
from ono_replay.rules.events import (
    Comment,
    Deal,
    Draw,
    Eliminate,
    GameEnd,
    GameStart,
    Play,
    Player,
    Position,
    Reshuffle,
    RoundEnd,
    RoundStart,
    Shuffle,
    Source,
    Undo,
    UnknownEvent,
)


def seen_by(events, seat, **options) -> Any:
    return view_of(events, seat, **options)


START = GameStart(
    seq=0, format="ono-log", version="1.0", game_id="a", ruleset={"edition": "2022", "colour": "SECRET"},
    players=(Player("Ann", id="x", extra={"hand": "SECRET"}), Player("Bo", bot=True)), dealer=0, view="full",
    started_at="2026-01-31T20:15:00Z", source=Source("app", "1", extra={"seed": "SECRET"}), meta={"seed": "SECRET"},
    extra={"seed": "SECRET"},
)  # fmt: skip
GAME = [
    START,
    RoundStart(seq=1, round=1, dealer=0, starter=1, deck=("9", "8"), shuffle=Shuffle("x", seed="SECRET", commitment="c")),
    Deal(seq=2, seat=0, cards=("1", "2", "3", "4")),
    Deal(seq=3, seat=1, cards=("5", "6", "7", "8")),
    Play(seq=4, seat=1, card="5", total=5, at_ms=9, irregular=True, meta={"eval": "SECRET"}),
    Draw(seq=5, seat=1, card="hold"),
    Play(seq=6, seat=0, card="10", total=15),
    Undo(seq=7, to=5),
    UnknownEvent(seq=8, name="peek", extra={"cards": "SECRET"}),
    Comment(seq=9, text="hm", ref=4),
    Draw(seq=10, seat=0, card="reverse"),
    Reshuffle(seq=11, count=2, deck=("double_play", "hold")),
    Eliminate(seq=12, seat=0, reason="no_legal_play", card="10", hand=("1", "2", "3")),
    RoundEnd(seq=13, round=1, winner=1, loser=0, seed="SECRET"),
    GameEnd(seq=14, winners=(1,), reason="completed", digest="sha256:SECRET"),
]  # fmt: skip


def test_everyone_sees_plays_and_what_is_laid_down():
    public = seen_by(GAME, None)
    assert public[0] == GameStart(
        seq=0, format="ono-log", version="1.0", game_id="a", ruleset={"edition": "2022"},
        players=(Player("Ann", id="x"), Player("Bo", bot=True)), dealer=0, view="public",
        started_at="2026-01-31T20:15:00Z", source=Source("app", "1"),
    )  # fmt: skip
    assert public[1:-1] == [
        RoundStart(seq=1, round=1, dealer=0, starter=1),
        Deal(seq=2, seat=0, cards=("?",) * 4),
        Deal(seq=3, seat=1, cards=("?",) * 4),
        Play(seq=4, seat=1, card="5", total=5, at_ms=9, irregular=True),
        Draw(seq=5, seat=1, card="?"),
        Comment(seq=6, text="hm", ref=4),
        Draw(seq=7, seat=0, card="?"),
        Reshuffle(seq=8, count=2),
        Eliminate(seq=9, seat=0, reason="no_legal_play", card="10", hand=("1", "2", "3")),
        RoundEnd(seq=10, round=1, winner=1, loser=0),
    ]
    digest = digest_of(map(canonical, public[:-1]))
    assert public[-1] == GameEnd(seq=11, winners=(1,), reason="completed", digest=digest)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_no_secret_is_left(seat):
    data = encode_game(seen_by(GAME, seat))
    for secret in (b"SECRET", b"double_play", b'"shuffle"', b"commitment", b'"deck"', b"peek", b"undo"):
        assert secret not in data
    assert (b"hold" in data) == (seat == 1)
    assert (b"reverse" in data) == (seat == 0)


def test_a_seat_sees_its_own_cards():
    seen = seen_by(GAME, 1)
    assert (seen[0].view, seen[0].viewer) == ("seat", 1)
    assert [event.cards for event in seen if isinstance(event, Deal)] == [("?",) * 4, ("5", "6", "7", "8")]
    assert [event.card for event in seen if isinstance(event, Draw)] == ["hold", "?"]


def test_comments_stay_unless_told_otherwise():
    assert not any(isinstance(event, Comment) for event in seen_by(GAME, None, comments=False))


def test_a_commitment_stays_only_on_demand_and_without_the_seed():
    assert seen_by(GAME, None, keep_commitment=True)[1].shuffle == Shuffle("x", commitment="c")
    bare = [START, RoundStart(seq=1, round=1, dealer=0, starter=1, shuffle=Shuffle("x", seed="SECRET"))]
    assert seen_by(bare, None, keep_commitment=True)[1].shuffle is None


def test_a_position_hides_hands_and_the_draw_pile():
    position = Position(
        total=5, direction=1, turn=0, plays_due=1, second=False, hands=(("1", "?"), ("2", "3")), out=(1,),
        draw_pile=("4", "5"), discard_pile=("6",), extra={"x": "SECRET"},
    )  # fmt: skip
    game = [START, RoundStart(seq=1, round=1, dealer=None, starter=0, position=position)]
    public, seat = seen_by(game, None)[1].position, seen_by(game, 0)[1].position
    assert public.hands == (("?", "?"), ("?", "?"))
    assert seat.hands == (("1", "?"), ("?", "?"))
    assert (public.draw_pile, public.discard_pile) == (2, ("6",))
    assert b"SECRET" not in encode_game(seen_by(game, 0))


def test_a_view_without_a_digest_gets_none():
    game = [START, GameEnd(seq=1, winners=(), reason="abandoned")]
    assert seen_by(game, None)[-1].digest is None


def test_a_view_of_a_view():
    assert seen_by(seen_by(GAME, 1), 1) == seen_by(GAME, 1)
    assert seen_by(seen_by(GAME, 1), None) == seen_by(GAME, None)
    assert seen_by(seen_by(GAME, None), None) == seen_by(GAME, None)


def test_what_can_not_be_seen_is_refused():
    with pytest.raises(ValueError, match="view of seat 1"):
        seen_by(seen_by(GAME, 1), 0)
    with pytest.raises(ValueError, match="the seats are 0 to 1"):
        seen_by(GAME, 2)
    with pytest.raises(ValueError, match="game_start"):
        seen_by(GAME[1:], None)
    with pytest.raises(ValueError, match="game_start"):
        seen_by([], None)
