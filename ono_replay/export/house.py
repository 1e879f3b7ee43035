"""The rules of a table in plain words: only those that can matter in its games."""

from typing import Final

from ono_replay.export.wording import figure
from ono_replay.rules.cards import EFFECTS
from ono_replay.rules.ruleset import EDITIONS, Ruleset

_MINUS_TEN: Final = {
    "none": "may go below 0",
    "clamp": "stops at 0",
    "illegal": "a −10 can not be played below 10",
}
_FOUR: Final = {
    "off": "can not be discarded",
    "as_play": "may be discarded, which counts as a play",
    "free_action": "may be discarded at no cost: what was owed is still owed",
}
_NOBODY: Final = {
    "sequential": "players fall one by one until one is left",
    "last_to_play": "who played the last card wins the round",
}
_STARTER: Final = {
    "round_loser": "who lost the round before",
    "left_of_dealer": "who sits to the dealer's left",
    "any": "anyone",
}


def say_rules(rules: Ruleset) -> list[tuple[str, str]]:
    """Return the rules of a table as pairs of what is ruled and how.

    Options of another kind of match, and of cards that are not in the deck, are left out.

    >>> dict(say_rules(EDITIONS["2022"]))["Below zero"]
    'the total stops at 0'
    """
    deck = rules.deck
    pairs = any(deck.get(card) and effect.pair for card, effect in EFFECTS.items())
    own = "" if dict(deck) == dict(EDITIONS[rules.edition].deck) else ", a deck of this table's own"
    said = [
        ("Edition", rules.edition),
        ("Played", _match(rules)),
        ("Highest total", figure(rules.max_total)),
        ("Players", f"{rules.players_min} to {rules.players_max}"),
        ("Deck", f"{rules.deck_size} cards{own}"),
    ]
    if deck.get("-10"):
        floor = _MINUS_TEN[rules.minus_ten_floor]
        said.append(("Below zero", floor if rules.minus_ten_floor == "illegal" else f"the total {floor}"))
    if deck.get("reverse") and pairs:
        passes = rules.reverse_deflects_two_players
        how = "sends the two cards to the other player" if passes else "is the first of the two cards"
        said.append(("Reverse when two are left", how))
    if deck.get("ono_99", 0) >= 4:
        said.append(("Four ONO 99", _FOUR[rules.four_ono_99]))
    if deck.get("ono_99"):
        on_zero = "may be played when the total ends in zero" if rules.ono_99_on_zero else "can not be played"
        said.append(("One ONO 99", on_zero))
    said.append(("When nobody can play", _NOBODY[rules.nobody_can_play]))
    said.append(("A missed draw", "is forfeited" if rules.missed_draw == "forfeit" else "is not allowed"))
    said.append(
        ("First card of a round", "any" if rules.opening_card == "any" else "a number card, if one is held")
    )
    kept = "stays on the discard pile" if rules.reshuffle_keep_top else "is shuffled in"
    said.append(("The card just played, in a reshuffle", kept))
    if rules.match != "single":
        said.append(("Next round started by", _STARTER[rules.next_starter]))
    return said


def _match(rules: Ruleset) -> str:
    if rules.match == "chips":
        return f"a match for chips, {rules.chips} each"
    if rules.match == "points_last_standing":
        return f"for points, out at {rules.points_target}, last one standing"
    if rules.match == "points_low_score":
        return f"for points, until someone has {rules.points_target}, lowest score wins"
    return "a single round"
