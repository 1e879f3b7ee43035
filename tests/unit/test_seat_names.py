"""Seats by numbers and names: what a view takes, and what a table may guess beyond that."""

import pytest

from ono_replay.log.seat_names import find_seat
from ono_replay.record.names import seat_meant, why_no_seat

NAMES = ["Zoë", "Zoe", "Johanna", "bo", "Bo", "10"]


@pytest.mark.parametrize(
    ("word", "seat"),
    [
        ("0", 0),
        (" 2 ", 2),
        ("Zoe", 1),
        ("ZOË", 0),
        ("Bo", 4),
        ("johanna ", 2),
        ("10", 5),
    ],
)
def test_a_number_or_a_name_is_the_same_seat_everywhere(word, seat):
    assert find_seat(NAMES, word) == seat_meant(NAMES, word) == seat


@pytest.mark.parametrize("word", ["6", "-1", "", "BO", "x", "1" * 12])
def test_what_names_no_seat_or_several(word):
    assert seat_meant(NAMES, word) is None
    with pytest.raises(ValueError, match="a seat: 0 Zoë"):
        find_seat(NAMES, word)


@pytest.mark.parametrize("word", ["Jo", "Jöhanna"])
def test_only_a_table_guesses(word):
    """A view of another player would show a hand that is not meant."""
    assert seat_meant(NAMES, word) == 2
    with pytest.raises(ValueError, match=f"there is no seat {word}"):
        find_seat(NAMES, word)


def test_several_that_may_be_meant_are_told():
    assert why_no_seat(NAMES, "BO") == "BO could be 3 bo or 4 Bo; give the seat"
