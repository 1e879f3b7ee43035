"""Every statistic in plain Python, from games counted by hand: rows by their keys.

`units` are pairs of a game and the seats of it that count.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

from tests.unit.counted_by_hand import DEFLECTORS, HELPERS, mean, share

of_counts = partial(mean, least=0)
"""A mean that can not be below 0."""


def _wins(found):
    """Return the rows of wins from (game, won, n_players), by key."""
    rows = {}
    for key, seats in found.items():
        per: Any = defaultdict(lambda: [0, 0])
        for game, won, _ in seats:
            sums = per[id(game)]
            sums[0] += won
            sums[1] += 1
        row = share(per.values())
        expected = sum(1 / n for _, _, n in seats) / len(seats)
        rows[key] = row | {
            "expected": expected,
            "above": row["p"] - expected,
            "above_low": row["low"] - expected,
            "above_high": row["high"] - expected,
        }
    return rows


def _by_seat(units, key):
    found = defaultdict(list)
    for game, seats in units:
        if game.completed:
            for seat in seats:
                found[key(game, seat)].append((game, seat in game.winners, game.n))
    return _wins(found)


def wins_by_player(units):
    found = defaultdict(list)
    for game, seats in units:
        if game.completed:
            for seat in seats:
                # Every seat is a unit of its own.
                found[game.players[seat],].append((object(), seat in game.winners, game.n))
    return _wins(found)


def wins_by_seat(units):
    return _by_seat(units, lambda game, seat: (seat,))


def wins_by_starter(units):
    return _by_seat(units, lambda game, seat: (seat == game.starter,))


def length(units):
    games = [game for game, _ in units]
    values = defaultdict(list)
    for game in games:
        for name, found in (
            ("plays", sum(now["plays"] for now in game.rounds)),
            ("decisions", len(game.choices)),
            ("rounds", len(game.rounds)),
            ("eliminations", len(game.falls)),
            ("events", len(game.events)),
            ("duration_ms", game.duration()),
        ):
            if found is not None:
                values[name].append([found])
        ended = [now for now in game.rounds if now["ended"]]
        for name, of in (
            ("round_plays", lambda now: now["plays"]),
            ("round_eliminations", lambda now: now["falls"]),
            ("round_reshuffles", lambda now: now["reshuffles"]),
            ("round_highest", lambda now: now["highest"]),
            ("round_duration_ms", lambda now: now["times"][-1] - now["times"][0] if now["times"] else None),
        ):
            values[name].append([of(now) for now in ended if of(now) is not None])
    rows = {}
    for name, per in values.items():
        flat = sorted(value for found in per for value in found)
        if flat:
            least = 1 if name in ("rounds", "events") and flat[0] else 0
            rows[name,] = mean([(sum(found), len(found)) for found in per], least) | {
                "least": flat[0], "most": flat[-1], "low_tenth": _quantile(flat, 0.1),
                "middle": _quantile(flat, 0.5), "high_tenth": _quantile(flat, 0.9),
            }  # fmt: skip
    return rows


def _quantile(ordered, part):
    """Return the smallest value that at least this part of the values does not exceed."""
    return next(value for place, value in enumerate(ordered, 1) if place >= part * len(ordered) - 1e-9)


def _over_time(units, measures):
    sums: Any = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for game, seats in units:
        for choice in game.choices:
            if choice["seat"] in seats:
                for name, of in measures.items():
                    found = of(game, choice)
                    if found is not None:
                        pair = sums[name, choice["phase"] * 10 + 1][id(game)]
                        pair[0] += found
                        pair[1] += 1
    return {key: per.values() for key, per in sums.items()}


def totals(units):
    found = _over_time(
        units,
        {
            "total": lambda game, choice: choice["total"],
            "near": lambda game, choice: choice["total"] > game.rules["max_total"] - 10,
            "forced": lambda game, choice: choice["forced"],
        },
    )
    return {key: mean(pairs) if key[0] == "total" else share(pairs) for key, pairs in found.items()}


def held(units):
    def count(which):
        return lambda game, choice: None if "?" in choice["hand"] else sum(map(which, choice["hand"]))

    found = _over_time(
        units,
        {
            "ono_99": count(lambda card: card == "ono_99"),
            "helpers": count(HELPERS.__contains__),
            "cards": count(lambda card: True),
        },
    )
    return {key: of_counts(pairs) for key, pairs in found.items()}


def cards(units):
    games = []
    for game, seats in units:
        sums: Any = defaultdict(Counter)
        for choice in game.choices:
            card = choice["card"]
            if choice["seat"] in seats and card != "discard_four":
                sums[card]["plays"] += 1
                sums[card]["change"] += choice["change"]
                sums[card]["fatal"] += choice["fatal"]
                if choice["due"] == 2:
                    sums[card]["answers"] += 1
                    sums[card]["deflected"] += choice["passed"]
                if game.known:
                    sums[card]["known_plays"] += 1
                    sums[card]["forced"] += choice["forced"]
                    sums[card]["held"] += 1
        if game.known:
            for seat, hand in game.ends:
                for card in hand:
                    if seat in seats and card != "?":
                        sums[card]["held"] += 1
            for seat in seats:
                for card, count in game.fates[seat].items():
                    name = "ono_99" if card == "discarded" else card
                    sums[name]["held"] += count
                    if card == "discarded":
                        sums[name]["discarded"] += count
        games.append(sums)
    names = {card for sums in games for card in sums}
    rows: dict[Any, Any] = {}
    for card in names:
        of = [sums.get(card, Counter()) for sums in games]
        plays = [sum(found["plays"] for found in sums.values()) for sums in games]
        rows |= {
            (card, "played"): (share, [(one["plays"], x) for one, x in zip(of, plays, strict=True)]),
            (card, "change"): (mean, [(one["change"], one["plays"]) for one in of]),
            (card, "fatal"): (of_counts, [(one["fatal"], one["plays"]) for one in of]),
            (card, "used"): (share, [(one["known_plays"], one["held"]) for one in of]),
            (card, "forced"): (share, [(one["forced"], one["known_plays"]) for one in of]),
        }
        if card in DEFLECTORS:
            rows[card, "deflected"] = (share, [(one["deflected"], one["answers"]) for one in of])
        if card == "ono_99":
            rows[card, "discarded"] = (share, [(one["discarded"], one["held"]) for one in of])
    return {key: columns(pairs) for key, (columns, pairs) in rows.items() if any(x for _, x in pairs)}


def eliminations(units):
    per = [Counter(fall["cause"] for fall in game.falls if fall["seat"] in seats) for game, seats in units]
    return {
        (cause,): share([(found[cause], found.total()) for found in per])
        for cause in {cause for found in per for cause in found}
    }


def set_by(units):
    pairs: Any = defaultdict(dict)
    own: Counter[str] = Counter()
    for game, seats in units:
        falls = [fall for fall in game.falls if fall["reason"] == "no_legal_play"]
        for seat in seats:
            player = game.players[seat]
            y, x = pairs[player].get(id(game), (0, 0))
            pairs[player][id(game)] = (y + sum(fall["by"] == seat for fall in falls), x + len(falls))
            own[player] += sum(fall["by"] == seat == fall["seat"] for fall in falls)
    return {
        (player,): share(found.values()) | {"own": own[player]}
        for player, found in pairs.items()
        if any(x for _, x in found.values())
    }


def pair_chains(units, *, of_players=False):
    started, lengths = [], []
    passed, survived = [], []
    for game, seats in units:
        chains = [chain for chain in game.chains if chain["by"] in seats]
        started.append((len(chains), len(seats) if of_players else 1))
        lengths.append(Counter(chain["length"] for chain in chains))
        hits = [chain for chain in game.chains if chain["hit"] in seats]
        by_seats = sum(game.passed[seat] for seat in seats)
        passed.append((by_seats, by_seats + len(hits)))
        survived.append((sum(chain["survived"] is True for chain in hits), len(hits)))
    rows: dict[Any, tuple[Callable[..., Any], Any]] = {
        ("chains", None): (of_counts, started),
        ("deflected", None): (share, passed),
        ("survived", None): (share, survived),
    }
    rows["length", None] = (
        partial(mean, least=1),
        [(sum(cards * n for cards, n in one.items()), one.total()) for one in lengths],
    )
    for each in {length for one in lengths for length in one}:
        rows["share", each] = (share, [(one[each], one.total()) for one in lengths])
    return {key: columns(pairs) for key, (columns, pairs) in rows.items() if any(x for _, x in pairs)}


def head_to_head(units):
    found = defaultdict(list)
    for game, seats in units:
        for a in seats:
            for b in seats:
                if game.completed and game.players[a] != game.players[b]:
                    found[game.players[a], game.players[b]].append(
                        (a in game.winners, b in game.winners, game.n)
                    )
    return {
        pair: share([(won, 1) for won, _, _ in games])
        | {
            "expected": sum(1 / n for _, _, n in games) / len(games),
            "ahead": sum(won and not lost for won, lost, _ in games),
            "behind": sum(lost and not won for won, lost, _ in games),
        }
        for pair, games in found.items()
    }


def in_time(games):
    return sorted(games, key=lambda game: (game.started is None, game.started or 0, game.place))


def streaks(units):
    seats_of = {id(game): seats for game, seats in units}
    courses = defaultdict(list)
    for game in in_time([game for game, _ in units if game.completed]):
        for seat in sorted(seats_of[id(game)]):
            courses[game.players[seat]].append(seat in game.winners)
    rows = {}
    for player, course in courses.items():
        longest = {True: 0, False: 0}
        run = 0
        for place, won in enumerate(course):
            run = run + 1 if place and course[place - 1] == won else 1
            longest[won] = max(longest[won], run)
        pairs = [(now, 1) for before, now in pairwise(course) if before]
        columns = share(pairs) if pairs else {"k": 0, "n": 0, "p": None, "low": None, "high": None}
        rows[player,] = columns | {
            "games": len(course), "longest_won": longest[True], "longest_lost": longest[False],
            "current": run if course[-1] else -run,
        }  # fmt: skip
    return rows


def tempo(units):
    pairs = []
    for game, seats in units:
        times = [
            choice["think"]
            for choice in game.choices
            if choice["seat"] in seats and choice["think"] is not None
        ]
        pairs.append((sum(times), len(times)))
    return {(): of_counts(pairs)} if any(x for _, x in pairs) else {}
