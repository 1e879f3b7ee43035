"""The pinned shuffles: vectors that never change, and that every order is equally likely."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ono_replay.rules.ruleset import EDITIONS, make_ruleset
from ono_replay.simulate.shuffle import (
    ALGORITHMS,
    OWN_ALGORITHM,
    TRANSCENDENCE,
    WORDS,
    UnknownAlgorithm,
    commitment_to,
    deck_from,
    random_words,
    reshuffled,
)

VECTORS = json.loads((Path(__file__).parent / "shuffle_vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "vector", VECTORS["decks"], ids=lambda v: f"{v['algorithm']}-{v['edition']}-{v['seed']}"
)
def test_deck(vector):
    words = random_words(vector["seed"])
    assert [next(words) for _ in vector["words"]] == vector["words"]
    assert commitment_to(vector["seed"]) == vector["commitment"]
    deck = deck_from(vector["algorithm"], vector["seed"], EDITIONS[vector["edition"]])
    assert list(deck) == vector["deck"]


@pytest.mark.parametrize("vector", VECTORS["reshuffles"])
def test_reshuffle(vector):
    deck = reshuffled(vector["algorithm"], vector["seed"], vector["pile"], vector["number"])
    assert list(deck) == vector["deck"]


def test_every_algorithm_has_vectors():
    for kind in ("decks", "reshuffles"):
        assert {vector["algorithm"] for vector in VECTORS[kind]} == set(ALGORITHMS)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_deck_is_a_permutation(algorithm, edition):
    ruleset = EDITIONS[edition]
    assert Counter(deck_from(algorithm, "x", ruleset)) == dict(ruleset.deck)


def test_a_house_deck():
    ruleset = make_ruleset({"edition": "1980", "deck": {"0": 2, "play_2": 1, "hold": 1}})
    assert sorted(deck_from(OWN_ALGORITHM, "x", ruleset)) == ["0", "0", "hold", "play_2"]


def test_every_order_is_equally_likely():
    seen = Counter(ALGORITHMS[OWN_ALGORITHM](f"fair-{n}", ["7", "8", "9"]) for n in range(6000))
    assert len(seen) == 6
    # Chi-squared with 5 degrees of freedom stays under 20.5 in 999 of 1,000 seeds; this one is fixed.
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 20.5


def test_a_word_of_the_incomplete_run_is_passed_over():
    pick = ALGORITHMS[OWN_ALGORITHM].pick
    assert pick(iter([WORDS - 1, 5]), 7) == 5
    assert pick(iter([WORDS - 1, 5]), 8) == 7
    assert ALGORITHMS[TRANSCENDENCE].pick(iter([WORDS - 1, 5]), 7) == (WORDS - 1) % 7


def test_few_cards():
    assert reshuffled(OWN_ALGORITHM, "x", [], 0) == ()
    assert reshuffled(OWN_ALGORITHM, "x", ["7"], 0) == ("7",)


def test_an_unknown_algorithm_names_those_there_are():
    with pytest.raises(
        UnknownAlgorithm, match="no shuffle is called 'riffle'; there are sha256-fisher-yates-1"
    ):
        deck_from("riffle", "x", EDITIONS["2022"])
