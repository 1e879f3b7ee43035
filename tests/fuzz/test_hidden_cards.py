"""Hidden cards are in nothing that is shared, not even as a hash.

Two logs that differ in nothing but what is hidden, marked cards and texts in hidden places, must give the same bytes in
every view, export, page, answer and message. What is the same whatever the hidden cards are can't tell of them.
"""

import io
import json
import os
import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ono_replay.check.diagnostic import GameReport, Summary
from ono_replay.check.render import FORMATS
from ono_replay.check.validator import validate
from ono_replay.cli.main import run
from ono_replay.export.html import page_of
from ono_replay.export.payload import Options, build_payload
from ono_replay.export.pictures import gif_of, png_of
from ono_replay.export.shared import read_view
from ono_replay.export.svg import Look, picture_of
from ono_replay.export.text import transcript
from ono_replay.library.importing import import_logs
from ono_replay.library.store import Library
from ono_replay.log.jsonl import digest_of, encode_game
from ono_replay.log.reader import read_games
from ono_replay.log.redact import view_of
from ono_replay.rules.events import (
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    GameEnd,
    GameStart,
    Play,
    Reshuffle,
    RoundEnd,
    RoundStart,
    Shuffle,
)
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan
from tests.property.walk import Walk

MARK = "MARKED"
KINDS = (
    {"edition": "2022"}, {"edition": "1980"}, {"edition": "1980", "match": "single"}, {"edition": "1980", "match": "points_low_score", "points_target": 40},
)  # fmt: skip


def full_game(number):
    """A game in which every card is known, with decks, seeds and free values."""
    if number % 5 == 0:
        return Walk(number, most=90, decks=True).events
    plan = Plan(
        seed=number,
        players=2 + number % 4,
        decks=True,
        bots=("random", "saver"),
        mistakes=0.02,
        **KINDS[number % 4],
    )
    (game,) = read_games(io.BytesIO(Simulator(plan).log(number)))
    return game.events[: 200 + number % 50] if number % 7 == 3 else game.events


def secret_places(events, viewer):
    """Where the cards stand that no one but their holder, who is not the viewer, ever sees: event, place in its cards."""
    held: dict[Any, list[Any]] = {}
    for place, event in enumerate(events):
        if isinstance(event, RoundStart):
            yield from (one for seat in held for one, _ in held[seat])
            held = {}
        seat = getattr(event, "seat", None)
        cards = held.setdefault(seat, [])
        if isinstance(event, Deal) and seat != viewer:
            cards += [((place, at), card) for at, card in enumerate(event.cards)]
        elif isinstance(event, Draw) and seat != viewer:
            cards.append(((place, 0), event.card))
        elif isinstance(event, Eliminate):
            for card in (event.card, *(event.hand or ())):
                let_go(cards, card)
        elif isinstance(event, Play):
            let_go(cards, event.card)
        elif isinstance(event, DiscardFour):
            for _ in range(4):
                let_go(cards, "ono_99")
    yield from (one for seat in held for one, _ in held[seat])


def let_go(cards, card):
    """Forget the newest of these cards; which of equal ones was let go is nobody's to know."""
    for at in range(len(cards) - 1, -1, -1):
        if cards[at][1] == card:
            del cards[at]
            return


def marked(events, viewer, mark, random):
    """The same game with other cards and texts where the viewer sees none, and how many cards are others."""
    events = list(events)
    deck = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "ono_99", "reverse", "-10")
    places = list(secret_places(events, viewer))
    for place, at in places:
        event = events[place]
        old = event.cards[at] if isinstance(event, Deal) else event.card
        new = random.choice([card for card in deck if card != old])
        events[place] = (
            replace(event, cards=(*event.cards[:at], new, *event.cards[at + 1 :]))
            if isinstance(event, Deal)
            else replace(event, card=new)
        )
    for place, event in enumerate(events):
        match event:
            case RoundStart():
                shuffle = Shuffle("ono-1", seed=f"{mark}{place}", commitment=digest_of([mark.encode()])[7:])
                events[place] = replace(
                    event,
                    shuffle=shuffle,
                    deck=event.deck and tuple(random.sample(event.deck, len(event.deck))),
                )
            case Reshuffle() if event.deck:
                events[place] = replace(event, deck=tuple(random.sample(event.deck, len(event.deck))))
            case RoundEnd():
                events[place] = replace(event, seed=mark)
        if place % 5 == 0:
            events[place] = replace(events[place], meta={mark: [mark]}, extra={f"x{mark}": mark})
    last = events[-1]
    if isinstance(last, GameEnd):
        events[-1] = replace(last, digest=digest_of([encode_game(events[:-1])[:-1]]))
    return events, len(places)


def hands_on(data, viewer, *, pixels):
    """Everything that is made of a view of a full log, by name."""
    (game,) = read_games(io.BytesIO(data))
    view = encode_game(view_of(game.events, viewer))
    made = {"view": view, "bare view": encode_game(view_of(game.events, viewer, comments=False))}
    replay = read_view(io.BytesIO(data), None, "public" if viewer is None else viewer)
    payload = build_payload(replay, Options(seat=viewer))
    made["page"] = page_of(payload).encode()
    made["key"] = payload["key"].encode()
    made["transcript"] = "\n".join(transcript(replay)).encode()
    made["states"] = json.dumps(list(replay.states_json())).encode()
    numbers = [event.seq for event in replay.events]
    drawn = [picture_of(replay, seq, Look(seat=viewer)) for seq in numbers[:: max(1, len(numbers) // 4)]]
    made["drawings"] = "".join(drawn).encode()
    if pixels:
        made["png"] = png_of(drawn[-1], 300)
        made["gif"] = gif_of(drawn[:2], 200, 100)
    for name, make in FORMATS.items():
        shown = io.StringIO()
        renderer, summary = make(shown), Summary()
        for found in validate([io.BytesIO(view)], summary=summary, keep_scenes=True):
            renderer.game(found) if isinstance(found, GameReport) else renderer.stray(found)
        renderer.close(summary)
        made[f"findings as {name}"] = shown.getvalue().encode()
    return made


def check(numbers, *, every=1):
    """Compare what is made of pairs of logs; return how many cards were others, and whether full logs tell them."""
    count: Counter[str] = Counter()
    for number in numbers:
        events = full_game(number)
        start = events[0]
        assert isinstance(start, GameStart)
        viewer = None if number % 3 == 0 else number % len(start.players)
        one, cards = marked(events, viewer, f"{MARK}-A", Random(f"a{number}"))
        other, _ = marked(events, viewer, f"{MARK}-B", Random(f"b{number}"))
        one, other = encode_game(one), encode_game(other)
        assert one != other
        made, again = (hands_on(data, viewer, pixels=number % 60 == 0) for data in (one, other))
        assert made.keys() == again.keys()
        for name in made:
            assert made[name] == again[name], (number, name)
            assert MARK.encode() not in made[name], (number, name)
        count["games"] += 1
        count["cards"] += cards
        count["findings"] += made["findings as jsonl"].count(b'"code"')
    return count


@pytest.mark.parametrize("first", range(0, 300, 60))
def test_hidden_cards(first):
    found = check(range(first, first + 60))
    assert found["cards"] > 60
    assert found["games"] == 60


@pytest.mark.slow
@pytest.mark.timeout(24 * 3600)
def test_ten_thousand_games():
    found = check(range(1000, 1000 + int(os.environ.get("ONO_HIDDEN_GAMES", "10000"))))
    print(dict(found))


def test_a_full_log_does_tell():
    """The comparison sees a difference where there is one."""
    events = full_game(1)
    one, other = (encode_game(marked(events, None, mark, Random(mark))[0]) for mark in ("a", "b"))
    (first,), (second,) = read_games(io.BytesIO(one)), read_games(io.BytesIO(other))
    # Whoever holds the cards sees them: a seat's own view differs.
    assert first.start is not None
    seats = range(len(first.start.players))
    assert any(
        encode_game(view_of(first.events, seat)) != encode_game(view_of(second.events, seat))
        for seat in seats
    )


def test_a_library_of_public_logs_and_its_answers(tmp_path):
    """The rows, statistics and exports of two libraries differ in nothing but when they were made."""
    rows = []
    for name, seed in (("one", "a"), ("other", "b")):
        logs = [
            view_of(marked(full_game(number), None, f"{MARK}{seed}", Random(f"{seed}{number}"))[0], None)
            for number in range(1, 13)
        ]
        path = tmp_path / f"{name}.ono.jsonl"
        path.write_bytes(b"".join(map(encode_game, logs)))
        import_logs([str(path)], tmp_path / name, jobs=1)
        with Library(tmp_path / name) as library:
            tables = [table["name"] for table in library.query("show tables").to_pylist()]
            rows.append({table: library.query(f"from {table} order by all").to_pylist() for table in tables})
        for file in (tmp_path / name).rglob("*.parquet"):
            assert MARK.encode() not in file.read_bytes()
    for table in rows[0]:
        one, other = (
            [{k: v for k, v in row.items() if k not in ("file", "digest")} for row in found[table]]
            for found in rows
        )
        assert one == other, table


# --- the commands, and what they say when something is wrong ----------------------------------------


COMMANDS = (
    ("view", "IN", "OUT", "--public"), ("view", "IN", "OUT", "--public", "--no-comments"), ("view", "IN", "OUT", "--seat", "1"), ("export", "html", "IN", "OUT", "--public"), ("export", "text", "IN", "OUT", "--public"),
    ("export", "text", "IN", "OUT", "--seat", "1"), ("export", "svg", "IN", "OUT", "--public"), ("export", "svg", "IN", "OUT", "--seat", "1", "--seq", "9"), ("export", "html", "IN", "OUT", "--seat", "99"),
    ("export", "svg", "IN", "OUT", "--public", "--seq", "99999"), ("view", "IN", "OUT", "--seat", "99"),
)  # fmt: skip


def spoil(data, way):
    """A full log with a fault in a line that holds what is hidden: what is said of it must not tell it."""
    lines = data.splitlines(keepends=True)
    deal = next(at for at, line in enumerate(lines) if b'"type":"deal","seat":0' in line)
    draw = next(at for at, line in enumerate(lines) if b'"type":"draw","seat":0' in line)
    changes = {
        "sound": lambda: None,
        "no JSON": lambda: lines.__setitem__(deal, lines[deal][:-3] + b"\n"),
        "no UTF-8": lambda: lines.__setitem__(deal, lines[deal].replace(b"cards", b"c\xffrds")),
        "a key twice": lambda: lines.__setitem__(draw, lines[draw].replace(b"{", b'{"seq":1,')),
        "no such card": lambda: lines.__setitem__(
            draw, re.sub(rb'"card":"([^"]+)"', rb'"card":"no \1"', lines[draw])
        ),
        "five cards": lambda: lines.__setitem__(
            deal, re.sub(rb'"cards":\["([^"]+)"', rb'"cards":["\1","\1"', lines[deal])
        ),
        "twice": lambda: lines.insert(deal, lines[deal]),
        "too long": lambda: lines.__setitem__(
            draw, lines[draw][:-2] + b',"x":"' + b"y" * (1 << 20) + b'"}\n'
        ),
        "torn": lambda: lines.__setitem__(slice(draw, None), [lines[draw][:-4]]),
    }
    changes[way]()
    return b"".join(lines)


@pytest.mark.parametrize(
    "way",
    [
        "sound",
        "no JSON",
        "no UTF-8",
        "a key twice",
        "no such card",
        "five cards",
        "twice",
        "too long",
        "torn",
    ],
)
def test_commands_and_their_messages(way, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    events = full_game(2)
    for number, arguments in enumerate(COMMANDS):
        told = []
        for name in ("a", "b"):
            marks, _ = marked(events, 1 if "1" in arguments else None, f"{MARK}-{name}", Random(name))
            (tmp_path / "in.ono.jsonl").write_bytes(spoil(encode_game(marks), way))
            out = tmp_path / f"out{number}{name}"
            status = run([{"IN": "in.ono.jsonl", "OUT": str(out)}.get(word, word) for word in arguments])
            said = capsys.readouterr()
            content = out.read_bytes() if out.exists() else b""
            told.append((status, said.out, said.err.replace(f"out{number}{name}", "out"), content))
            assert MARK not in said.out + said.err
            assert MARK.encode() not in content
        assert told[0] == told[1], arguments
