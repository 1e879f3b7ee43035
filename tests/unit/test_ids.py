"""Ids of a run as hashes: the same answers as a plain set, whatever was merged when."""

from random import Random

import pytest

from ono_replay.bulk import ids
from ono_replay.bulk.ids import SeenHashes, hash_id


@pytest.mark.parametrize("recent", [1, 3, 64])
def test_like_a_set(recent, monkeypatch):
    monkeypatch.setattr(ids, "_RECENT", recent)
    random = Random(recent)
    seen, plain = SeenHashes(), set()
    for _ in range(3000):
        hashed = random.randrange(1200)
        assert seen.again(hashed) == (hashed in plain)
        plain.add(hashed)


def test_the_first_that_was_met_before(monkeypatch):
    monkeypatch.setattr(ids, "_RECENT", 2)
    seen = SeenHashes()
    assert seen.again_in([1, 2, 3, 4, 5]) is None
    assert seen.again_in([9, 8, 4, 7]) == 2
    assert seen.again_in([7]) is None


def test_many_at_once_are_as_one_by_one(monkeypatch):
    monkeypatch.setattr(ids, "_RECENT", 3)
    random = Random(7)
    one, many = SeenHashes(), SeenHashes()
    for _ in range(200):
        hashes = [random.randrange(400) for _ in range(random.randrange(8))]
        assert many.repeats_in(hashes) == [one.again(hashed) for hashed in hashes]


def test_when_it_is_full_no_more_are_remembered(monkeypatch):
    monkeypatch.setattr(ids, "MOST_IDS", 4)
    monkeypatch.setattr(ids, "_RECENT", 2)
    seen = SeenHashes()
    assert [seen.again(number) for number in (1, 2, 3, 4)] == [False] * 4
    assert seen.full
    assert [seen.again(number) for number in (5, 5, 1)] == [False, False, True]


def test_hashes_of_many_ids_are_all_different():
    named = [f"game-{number}" for number in range(20_000)] + ["", "é", "x" * 128, "x" * 127]
    assert len({hash_id(name) for name in named}) == len(named)
