"""Named, pinned shuffles: the same deck from the same seed on every machine and every Python.

Random words of a seed text are the big-endian 32-bit words of block 0, 1, 2 … , block k being the SHA-256
of the text `seed:k`. The shuffle is Fisher–Yates from the end: for i from the last place down to 1 the card
at i changes places with the card at j, 0 ≤ j ≤ i. The deck's top is its first card. The n-th reshuffle of
a round (n from 0) shuffles the discard pile, oldest card first, by the seed text `seed:reshuffle:n`.

Algorithms are never changed, only added: `tests/unit/shuffle_vectors.json` pins them.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from struct import Struct

import msgspec

from ono_replay.rules.cards import TOKENS
from ono_replay.rules.ruleset import Ruleset

WORDS = 1 << 32
_WORDS_OF_BLOCK = Struct(">8I")

Pick = Callable[[Iterator[int], int], int]
"""Take random words and return a number below the one given."""


class UnknownAlgorithm(ValueError):
    """No shuffle has this name."""


class Algorithm(msgspec.Struct, frozen=True):
    """A shuffle: how the deck lies before it, and how words of the seed become places."""

    order: tuple[str, ...]
    """The tokens in the order they lie in before the shuffle, all copies of one together."""
    pick: Pick

    def __call__(self, seed: str, cards: Sequence[str]) -> tuple[str, ...]:
        """Return the cards as the seed shuffles them, the top of the pile first."""
        shuffled = list(cards)
        words, pick = random_words(seed), self.pick
        for i in range(len(shuffled) - 1, 0, -1):
            j = pick(words, i + 1)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return tuple(shuffled)


def random_words(seed: str) -> Iterator[int]:
    """Yield the random words of a seed text without end, each from 0 to 2³² − 1.

    >>> next(random_words("kitchen"))
    2457544969
    """
    start = sha256(f"{seed}:".encode())
    block = 0
    while True:
        hashed = start.copy()
        hashed.update(b"%d" % block)
        yield from _WORDS_OF_BLOCK.unpack(hashed.digest())
        block += 1


def _pick_fairly(words: Iterator[int], below: int) -> int:
    # Words from the last, incomplete run of `below` numbers are passed over: each number is equally likely.
    fair = WORDS - WORDS % below
    word = next(words)
    while word >= fair:
        word = next(words)
    return word % below


def _pick_by_remainder(words: Iterator[int], below: int) -> int:
    return next(words) % below


OWN_ALGORITHM = "sha256-fisher-yates-1"
"""The shuffle of simulated games: tokens in the order of schemas/RULES.md section 2, every order equally likely."""

TRANSCENDENCE = "transcendence-sha256-mod"
"""The shuffle of the public engine `0yech/transcendence`: its own order of the deck, plain remainders."""

ALGORITHMS: dict[str, Algorithm] = {
    OWN_ALGORITHM: Algorithm(TOKENS, _pick_fairly),
    TRANSCENDENCE: Algorithm(
        (
            *map(str, range(11)),
            "ono_99", "reverse", "-10", "play_2", "hold", "double_play",
        ),
        _pick_by_remainder,
    ),
}  # fmt: skip
"""The shuffles by name, as `round_start.shuffle.algorithm` has it."""


def algorithm_named(name: str) -> Algorithm:
    """Return a shuffle.

    Raises `UnknownAlgorithm`, which names those that there are.
    """
    if name not in ALGORITHMS:
        raise UnknownAlgorithm(f"no shuffle is called {name!r}; there are {', '.join(ALGORITHMS)}")
    return ALGORITHMS[name]


def deck_from(algorithm: str, seed: str, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the whole shuffled deck of a ruleset, top first.

    Raises `UnknownAlgorithm`.

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> deck_from("sha256-fisher-yates-1", "kitchen", EDITIONS["1980"])[:4]
    ('hold', 'reverse', '4', 'reverse')
    """
    shuffle = algorithm_named(algorithm)
    return shuffle(seed, [token for token in shuffle.order for _ in range(ruleset.deck.get(token, 0))])


def reshuffled(algorithm: str, seed: str, pile: Sequence[str], number: int) -> tuple[str, ...]:
    """Return the new draw pile, top first, that a round's reshuffle makes.

    `seed` is the round's, `pile` the cards that are shuffled, the oldest of the discard pile first, `number`
    counts the reshuffles of the round from 0. Raises `UnknownAlgorithm`.

    >>> reshuffled("sha256-fisher-yates-1", "kitchen", ["7", "8", "9"], 0)
    ('9', '7', '8')
    """
    return algorithm_named(algorithm)(f"{seed}:reshuffle:{number}", pile)


def commitment_to(seed: str) -> str:
    """Return what may be published before a round to be held to its seed afterwards.

    >>> commitment_to("kitchen")[:16]
    '3171d89ad00530ff'
    """
    return sha256(seed.encode()).hexdigest()
