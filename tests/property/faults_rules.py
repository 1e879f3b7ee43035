"""Faults of setup, play and scoring: codes ONO204, 206–211 and ONO3xx, 4xx."""

from random import Random
from typing import Any

from msgspec.structs import replace

from ono_replay.rules.cards import EFFECTS, HIDDEN, TOKENS, copies_of
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
from ono_replay.rules.legality import cards_to_reshuffle
from ono_replay.rules.playable import is_bust_card, legal_plays, total_after, why_unplayable
from ono_replay.rules.state import Phase, State
from tests.property.faults import (
    Broken,
    Game,
    changed,
    fault,
    instead,
    pick,
    shuffled,
    with_event,
    without,
)


def played(state: State, card: str, seat: int | None = None) -> Play:
    """The play of a card with the total that it makes."""
    seat = state.turn if seat is None else seat
    return Play(0, seat or 0, card, total_after(state.ruleset, state.total, card))


def to_act(game: Game) -> list[int]:
    """The places before which somebody is to act."""
    return [
        place
        for place, state in enumerate(game.before)
        if place
        and state.turn is not None
        and not state.draws_due
        and not isinstance(game.events[place], Comment)
    ]


# --- what can not stand here ------------------------------------------------------------------------


@fault("ONO204")
def round_that_begins_twice(game: Game, random: Random) -> Broken | None:
    place = pick(random, [at for at in game.places(RoundStart) if game.events[at].position is None])
    return None if place is None else with_event(game, place + 1, game.events[place])


@fault("ONO204")
def deal_in_the_middle_of_a_round(game: Game, random: Random) -> Broken | None:
    place, deal = pick(random, to_act(game)), pick(random, game.places(Deal))
    return None if place is None or deal is None else with_event(game, place, game.events[deal])


@fault("ONO204")
def leaving_while_cards_are_dealt(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(Deal))
    if place is None:
        return None
    seat = random.choice(list(game.before[place].match.seats_in()))
    return with_event(game, place, Eliminate(0, seat, random.choice(("left", "timeout"))))


@fault("ONO204")
def something_after_the_end(game: Game, random: Random) -> Broken | None:
    if not isinstance(game.events[-1], GameEnd):
        return None
    return with_event(
        game, len(game.events), random.choice([game.events[1], game.events[-1], game.events[-2]])
    )


@fault("ONO204")
def round_end_that_is_missing(game: Game, random: Random) -> Broken | None:
    ends = [at for at in game.places(RoundEnd) if game.before[at].phase is Phase.ROUND_OVER]
    place = pick(random, ends)
    if place is None or isinstance(_after(game, place), Comment):
        return None
    return without(game, place)


def _after(game: Game, place: int) -> Any:
    return game.events[place + 1] if place + 1 < len(game.events) else None


@fault("ONO206")
def seat_that_does_not_exist(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(Deal, Play, Draw, ForfeitDraw, DiscardFour, Eliminate))
    return (
        None if place is None else changed(game, place, seat=random.choice((-1, game.seats, game.seats + 5)))
    )


@fault("ONO206")
def winner_that_does_not_exist(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(RoundEnd))
    key = random.choice(("winner", "loser"))
    return None if place is None else changed(game, place, **{key: game.seats})


@fault("ONO207")
def deal_that_is_missing(game: Game, random: Random) -> Broken | None:
    place = pick(random, [at for at in game.places(Deal) if isinstance(_after(game, at), Play)])
    return None if place is None else without(game, place)


@fault("ONO207")
def deal_that_stands_twice(game: Game, random: Random) -> Broken | None:
    place = pick(random, [at for at in game.places(Deal) if isinstance(_after(game, at), Deal)])
    return None if place is None else with_event(game, place + 1, game.events[place])


@fault("ONO207")
def deal_of_other_than_four(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(Deal))
    if place is None:
        return None
    cards = game.events[place].cards
    return changed(game, place, cards=random.choice((cards[:3], cards[:1], (), (*cards, cards[0]))))


@fault("ONO208")
def ruleset_that_is_wrong(game: Game, random: Random) -> Broken:
    wrong: dict[str, Any] = random.choice(
        ({"edition": "1985"}, {"max_totl": 99}, {"max_total": 0}, {"match": "best_of_three"}, {"chips": "3"},
         {"deck": {"11": 4}}, {"players_min": 7}, {"players_max": game.seats - 1, "players_min": 2},
         {"ono_99_on_zero": "yes"})
    )  # fmt: skip
    if wrong.get("players_max") == 1:
        wrong = {"players_max": 1}
    return changed(game, 0, ruleset=game.start.ruleset | wrong)


@fault("ONO210")
def hidden_card_in_a_full_view(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(Deal, Play, Draw))
    if place is None or not game.full:
        return None
    event = game.events[place]
    cards = {"cards": (HIDDEN, *event.cards[1:])} if isinstance(event, Deal) else {"card": HIDDEN}
    return changed(game, place, **cards)


@fault("ONO211")
def position_that_is_impossible(game: Game, random: Random) -> Broken | None:
    for place in game.places(RoundStart):
        position = game.events[place].position
        if position is not None:
            size = game.ruleset.deck_size
            wrong: dict[str, Any] = random.choice(
                ({"draw_pile": size}, {"discard_pile": size}, {"hands": position.hands[:-1]}, {"plays_due": 0},
                 {"out": (position.turn,)}, {"turn": None}, {"second": True, "plays_due": 2}, {"out": (0, 0)})
            )  # fmt: skip
            return changed(game, place, position=replace(position, **wrong))
    return None


# --- turns and draws --------------------------------------------------------------------------------


@fault("ONO301")
def player_out_of_turn(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, game.places(Play, DiscardFour)):
        state = game.before[place]
        others = [seat for seat in state.seats_in if seat != state.turn]
        if others:
            return changed(game, place, seat=random.choice(others))
    return None


@fault("ONO301")
def turn_that_is_lost(game: Game, random: Random) -> Broken | None:
    """A play and its draw are missing: another seat seems to play."""
    for place in shuffled(random, game.places(Play)):
        later = game.events[place + 1 : place + 3]
        if len(later) < 2 or not isinstance(later[0], Draw | ForfeitDraw) or not isinstance(later[1], Play):
            continue
        if later[1].seat == game.events[place].seat or later[1].seat not in game.before[place].seats_in:
            continue
        first = without(game, place)
        if first is not None and game.before[place + 2].turn == later[1].seat:
            shorter = Game([*game.events[:place], *game.events[place + 1 :]], game.before[0])
            return without(shorter, place)
    return None


@fault("ONO307")
def player_who_is_out(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, to_act(game)):
        state, event = game.before[place], game.events[place]
        if isinstance(event, Play | Eliminate | DiscardFour) and state.out:
            return changed(game, place, seat=random.choice(state.out))
    return None


@fault("ONO308")
def draw_that_is_missing(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, game.places(Draw, ForfeitDraw)):
        if isinstance(_after(game, place), Play | Eliminate | DiscardFour | RoundEnd):
            return without(game, place)
    return None


@fault("ONO308")
def leaving_between_card_and_draw(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(Draw))
    if place is None:
        return None
    seat = random.choice(game.before[place].seats_in)
    return with_event(game, place, Eliminate(0, seat, "left"))


@fault("ONO309")
def draw_that_is_not_due(game: Game, random: Random) -> Broken | None:
    place = pick(random, to_act(game))
    if place is None:
        return None
    card = HIDDEN if not game.full else random.choice(list(game.ruleset.deck))
    return with_event(game, place, Draw(0, random.choice(game.before[place].seats_in), card))


@fault("ONO309")
def draw_by_another_seat(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, game.places(Draw)):
        others = [seat for seat in game.before[place].seats_in if seat != game.before[place].drawer]
        if others:
            return changed(game, place, seat=random.choice(others))
    return None


@fault("ONO312")
def forfeit_that_is_not_allowed(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, game.places(Draw)):
        state = game.before[place]
        if game.ruleset.missed_draw != "forfeit" or state.bust_draw:
            return instead(game, place, ForfeitDraw(0, state.drawer or 0))
    return None


@fault("ONO314")
def reshuffle_with_a_wrong_count(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(Reshuffle))
    if place is None:
        return None
    count = cards_to_reshuffle(game.before[place])
    return changed(game, place, count=count + random.choice((-1, 1, 10)))


@fault("ONO314")
def reshuffle_at_a_wrong_time(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, game.places(Draw, Play)):
        state = game.before[place]
        if state.draw_pile or not state.draws_due:
            return with_event(game, place, Reshuffle(0, cards_to_reshuffle(state)))
    return None


@fault("ONO315")
def reshuffle_that_is_missing(game: Game, random: Random) -> Broken | None:
    place = pick(random, [at for at in game.places(Reshuffle) if isinstance(_after(game, at), Draw)])
    return None if place is None else without(game, place)


@fault("ONO319")
def starter_that_must_not(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, game.places(RoundStart)):
        event, match = game.events[place], game.before[place].match
        rule = game.ruleset.next_starter
        bound = rule == "round_loser" if match.rounds else rule != "any" and event.dealer is not None
        others = [seat for seat in match.seats_in() if seat != event.starter]
        if bound and others and event.position is None and not match.starts_free:
            return changed(game, place, starter=random.choice(others))
    return None


# --- cards ------------------------------------------------------------------------------------------


def plays_of(game: Game, random: Random) -> list[tuple[int, State, Play]]:
    """Plays in any order, with the state each meets."""
    places = shuffled(random, game.places(Play))
    return [
        (place, game.before[place], event)
        for place in places
        if isinstance(event := game.events[place], Play)
    ]


@fault("ONO302")
def card_that_is_not_in_hand(game: Game, random: Random) -> Broken | None:
    for place, state, event in plays_of(game, random):
        hand = state.hands[event.seat]
        others = [card for card in game.ruleset.deck if card not in hand]
        if HIDDEN not in hand and others:
            return instead(game, place, played(state, random.choice(others)))
    return None


def held_but_barred(game: Game, random: Random, code: str) -> Broken | None:
    """A card of the hand that a rule keeps from being played, played in the place of a right one."""
    for place, state, event in plays_of(game, random):
        due, seen = state.plays_due, state.ono_99_played
        for card in random.sample(state.hands[event.seat], len(state.hands[event.seat])):
            if card != HIDDEN and code == why_unplayable(
                game.ruleset, state.total, card, plays_due=due, ono_99_played=seen
            ):
                return instead(game, place, played(state, card))
    return None


@fault("ONO303")
def card_over_the_limit(game: Game, random: Random) -> Broken | None:
    return held_but_barred(game, random, "ONO303")


@fault("ONO304")
def ono_99_that_is_played(game: Game, random: Random) -> Broken | None:
    return held_but_barred(game, random, "ONO304")


@fault("ONO305")
def double_play_as_first_of_a_pair(game: Game, random: Random) -> Broken | None:
    return held_but_barred(game, random, "ONO305")


@fault("ONO317")
def minus_ten_below_zero(game: Game, random: Random) -> Broken | None:
    return held_but_barred(game, random, "ONO317")


@fault("ONO316")
def opening_card_that_is_no_number(game: Game, random: Random) -> Broken | None:
    for place, state, event in plays_of(game, random):
        hand = state.hands[event.seat]
        bound = game.ruleset.opening_card == "number" and not state.opened and EFFECTS[event.card].number
        if not bound or event.card not in hand:
            continue
        for card in hand:
            barred = card == HIDDEN or why_unplayable(
                game.ruleset, state.total, card, plays_due=state.plays_due
            )
            if not barred and not EFFECTS[card].number:
                return instead(game, place, played(state, card))
    return None


@fault("ONO306")
def total_that_is_wrong(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(Play))
    if place is None:
        return None
    total = game.events[place].total
    return changed(game, place, total=total + random.choice((-10, -1, 1, 2, 10, 100)))


@fault("ONO310")
def card_too_many(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, game.places(Draw)):
        state, event = game.before[place], game.events[place]
        if state.next_card is not None or event.card == HIDDEN:
            continue
        for card, copies in random.sample(sorted(game.ruleset.deck.items()), len(game.ruleset.deck)):
            if copies_of(state.in_sight, card) == copies:
                return changed(game, place, card=card)
    return None


@fault("ONO311")
def card_that_is_not_in_the_deck(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(Draw, Play, Deal))
    absent = [token for token in TOKENS if token not in game.ruleset.deck]
    if place is None or not absent:
        return None
    card, event = random.choice(absent), game.events[place]
    if isinstance(event, Deal):
        return changed(game, place, cards=(card, *event.cards[1:]))
    return changed(game, place, card=card)


@fault("ONO313")
def four_that_are_not_held(game: Game, random: Random) -> Broken | None:
    for place, state, event in plays_of(game, random):
        hand = state.hands[event.seat]
        if game.ruleset.four_ono_99 == "off" or hand.count("ono_99") + hand.count(HIDDEN) < 4:
            return instead(game, place, DiscardFour(0, event.seat))
    return None


@fault("ONO318")
def card_that_is_not_the_next(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, game.places(Draw)):
        state = game.before[place]
        others = [card for card in game.ruleset.deck if card != state.next_card]
        if state.next_card not in (None, HIDDEN) and others:
            return changed(game, place, card=random.choice(others))
    return None


# --- ends -------------------------------------------------------------------------------------------


@fault("ONO401")
def player_who_could_play(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, to_act(game)):
        state = game.before[place]
        if isinstance(game.events[place], Play | DiscardFour) and legal_plays(state):
            return with_event(game, place, Eliminate(0, state.turn or 0, "no_legal_play"))
    return None


@fault("ONO402")
def hand_that_is_not_the_hand(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, game.places(Eliminate)):
        event = game.events[place]
        if not event.hand or HIDDEN in game.before[place].hands[event.seat]:
            continue
        other = [card for card in game.ruleset.deck if card not in event.hand]
        shown = random.choice([event.hand[1:], (*event.hand[1:], random.choice(other or ["?"]))])
        if other:
            return changed(game, place, hand=shown)
    return None


@fault("ONO403")
def round_won_by_another(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(RoundEnd))
    if place is None:
        return None
    right = game.events[place].winner
    return changed(
        game, place, winner=random.choice([seat for seat in (None, *range(game.seats)) if seat != right])
    )


@fault("ONO403")
def game_won_by_others(game: Game, random: Random) -> Broken | None:
    end = game.events[-1]
    if not isinstance(end, GameEnd):
        return None
    right = set(end.winners)
    other = random.randrange(game.seats)
    return changed(game, len(game.events) - 1, winners=tuple(sorted(right ^ {other})))


@fault("ONO403")
def abandoned_game_with_winners(game: Game, random: Random) -> Broken | None:
    end = game.events[-1]
    if not isinstance(end, GameEnd):
        return None
    place = random.randrange(2, len(game.events))
    cut = Game(game.events[:place], game.before[0])
    return with_event(cut, place, GameEnd(0, (random.randrange(game.seats),), "abandoned"))


@fault("ONO404")
def game_that_ends_too_early(game: Game, random: Random) -> Broken | None:
    places = [at for at in to_act(game) if not game.before[at].ruleset.nobody_can_play.startswith("last")]
    place = pick(random, places + game.places(Deal))
    if place is None:
        return None
    cut = Game(game.events[:place], game.before[0])
    winner = random.randrange(game.seats)
    end = GameEnd(0, (winner,), "completed")
    return with_event(cut, place, end)


@fault("ONO404")
def round_that_ends_too_early(game: Game, random: Random) -> Broken | None:
    ends = game.places(RoundEnd)
    for place in shuffled(random, to_act(game)):
        later = [at for at in ends if at > place]
        state = game.before[place]
        if later and isinstance(game.events[place], Play) and state.ruleset.nobody_can_play == "sequential":
            return with_event(game, place, game.events[later[0]])
    return None


@fault("ONO405")
def play_after_the_round_is_over(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, game.places(RoundEnd)):
        state = game.before[place]
        seats = state.seats_in
        if state.phase is Phase.ROUND_OVER and seats:
            event = random.choice((Play(0, seats[0], "10", 10), Eliminate(0, seats[0], "left")))
            if "10" in game.ruleset.deck:
                return with_event(game, place, event)
    return None


@fault("ONO405")
def round_after_the_match_is_over(game: Game, random: Random) -> Broken | None:
    if not isinstance(game.events[-1], GameEnd) or game.before[-1].phase is not Phase.MATCH_OVER:
        return None
    number = game.before[-1].round + 1
    return with_event(game, len(game.events) - 1, RoundStart(0, number, None, random.randrange(game.seats)))


@fault("ONO406")
def chips_that_are_wrong(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(RoundEnd))
    if place is None:
        return None
    right = game.events[place].chips
    if right is None:
        return changed(game, place, chips=(3,) * game.seats)
    chips, seat = list(right), random.randrange(game.seats)
    chips[seat] = random.choice([n for n in (None, 0, 1, 2, 3, 50) if n != chips[seat]])
    return changed(game, place, chips=tuple(chips))


@fault("ONO407")
def points_that_are_wrong(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(RoundEnd))
    if place is None:
        return None
    event = game.events[place]
    if event.points is None or event.scores is None:
        return changed(game, place, **{random.choice(("points", "scores")): (0,) * game.seats})
    seat = random.randrange(game.seats)
    key = "scores" if HIDDEN in game.before[place].hands[seat] else random.choice(("points", "scores"))
    array = list(event.scores if key == "scores" else event.points)
    array[seat] = (
        7 if array[seat] is None else random.choice((None, (array[seat] or 0) + random.choice((-15, 1, 25))))
    )
    return changed(game, place, **{key: tuple(array)})


@fault("ONO408")
def round_lost_by_another(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(RoundEnd))
    if place is None:
        return None
    right = game.events[place].loser
    return changed(
        game, place, loser=random.choice([seat for seat in (None, *range(game.seats)) if seat != right])
    )


@fault("ONO409")
def bust_card_that_is_wrong(game: Game, random: Random) -> Broken | None:
    for place in shuffled(random, game.places(Eliminate)):
        state, event = game.before[place], game.events[place]
        hand = state.hands[event.seat]
        if event.card is None:
            number = next((card for card in game.ruleset.deck if EFFECTS[card].number), None)
            busts = game.ruleset.scores_points and event.reason == "no_legal_play"
            if number is not None and not (busts and number in hand) and HIDDEN not in hand:
                return changed(game, place, card=number)
        elif HIDDEN not in hand:
            wrong = [None, *(card for card in hand if not is_bust_card(state, card))]
            return changed(game, place, card=random.choice(wrong))
    return None
