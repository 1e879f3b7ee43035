"""Cutting logs into whole games: every cut where a game surely begins, whatever the blocks are."""

import pytest

from ono_replay.log.chunks import PADDING, Chunk, Stretch, cut_games, last_start
from ono_replay.log.streams import Cut

START = (
    b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"%d","ruleset":{"edition":"2022"},'
    b'"players":[],"dealer":null,"view":"full"}\n'
)
COMMENT = b'{"seq":1,"type":"comment","text":"\\"game_start\\""}\n'


def game(number, comments=3):
    return START % number + COMMENT * comments


def blocks_of(text, size):
    return iter([text[at : at + size] for at in range(0, len(text), size)])


def pieces(blocks, size):
    found = []
    for piece in cut_games(blocks, size):
        found.append(piece.text if isinstance(piece, Chunk) else [b"".join(piece.blocks)])
    return found


LOG = b"".join(game(number) for number in range(9))


@pytest.mark.parametrize("block", [1, 7, 100, 1000, 10**6])
@pytest.mark.parametrize("size", [1, 300, 1000, 10**6])
def test_nothing_is_lost_and_every_piece_begins_a_game(block, size):
    found = pieces(blocks_of(LOG, block), size)
    flat = [piece if isinstance(piece, bytes) else piece[0] for piece in found]
    assert b"".join(flat) == LOG
    assert all(piece.startswith(b'{"seq":0,') for piece in flat if piece)


def test_what_is_whole_is_not_kept_waiting():
    def slow():
        for number in range(3):
            for line in game(number).splitlines(keepends=True):
                told.append(number)
                yield line

    told: list[int] = []
    found = [(piece.text, told[-1]) for piece in cut_games(slow(), 1 << 20) if isinstance(piece, Chunk)]
    assert found == [(game(0), 1), (game(1), 2), (game(2), 2)]


def test_a_long_game_is_a_stretch_and_what_follows_is_cut_again():
    text = game(0) + game(1, comments=400) + game(2) + game(3)
    found = pieces(blocks_of(text, 1000), 2000)
    assert found == [game(0), [game(1, comments=400)], game(2), game(3)]


def test_a_start_in_other_bytes_is_one_all_the_same():
    odd = b'{"type": "game_start"}\r\n'
    assert last_start(LOG + odd + COMMENT) == len(LOG)
    assert last_start(odd + COMMENT) == 0
    for broken in (
        b'{"type": "game_start"\n',
        b'["game_start"]\n',
        b'{"type": "game_start"}',
        b'{"a":"game_start"}\n',
    ):
        assert last_start(game(0) + broken) == 0
    too_long = b'{"type":"game_start","x":"' + b"x" * (1 << 20) + b'"}\n'
    assert last_start(game(0) + too_long) == 0


def test_an_error_comes_after_what_was_read_before_it():
    def broken():
        yield LOG
        yield b'{"seq'
        raise Cut("it breaks off")

    found: list[bytes] = []
    for piece in cut_games(broken(), 1 << 20):
        if isinstance(piece, Chunk):
            found.append(piece.text)
            assert len(piece.data) >= piece.size + len(PADDING)
        else:
            assert isinstance(piece, Stretch)
            with pytest.raises(Cut):
                found.extend(piece.blocks)
    assert found == [LOG[: -len(game(8))], game(8) + b'{"seq']
