"""Games counted in plain Python, from the lines of their logs and the rules alone: a yardstick for the statistics.

Nothing of `ono_replay` is used here. Options that change what can be played beyond the edition, `max_total` and
`missed_draw` are not known here; undos are not applied.
"""

import json
import math
import statistics
from collections import Counter, defaultdict
from datetime import UTC, datetime
from typing import Any
from unicodedata import normalize

DEFLECTORS = {"hold", "reverse", "play_2"}
PAIR_CARDS = {"double_play", "play_2"}
HELPERS = {"0", "-10", "reverse", "hold", "double_play", "play_2"}
DEFAULTS: dict[str, dict[str, Any]] = {
    "1980": {"match": "chips", "four_ono_99": "off", "minus_ten_floor": "none", "max_total": 98},
    "2022": {"match": "single", "four_ono_99": "as_play", "minus_ten_floor": "clamp", "max_total": 98},
}


class Game:
    """One game, gone through once."""

    def __init__(self, lines, place=0):
        self.events: list[Any] = [
            json.loads(line) if isinstance(line, (str, bytes)) else line for line in lines
        ]
        start = self.events[0]
        self.place = place
        self.rules = DEFAULTS[start["ruleset"]["edition"]] | start["ruleset"]
        self.players = [player.get("id", normalize("NFC", player["name"])) for player in start["players"]]
        self.n = len(self.players)
        self.facts = {
            "edition": self.rules["edition"], "match": self.rules["match"], "n_players": self.n,
            "view": start["view"], "max_total": self.rules["max_total"], "app": start.get("source", {}).get("app"),
        }  # fmt: skip
        self.started: Any = None
        if "started_at" in start:
            when = datetime.fromisoformat(start["started_at"]).astimezone(UTC)
            self.started = when.replace(tzinfo=None)
        self.facts["year"] = self.started and self.started.year
        self.facts["month"] = self.started and f"{self.started:%Y-%m}"
        self.facts["day"] = self.started and f"{self.started:%Y-%m-%d}"
        end = next((event for event in self.events if event["type"] == "game_end"), None)
        self.completed = end is not None and end["reason"] == "completed"
        self.irregular = any(event.get("irregular") for event in self.events)
        self.winners = end["winners"] if end is not None and self.completed else []
        self.starter: Any = None
        self.choices = []
        self.falls = []
        self.chains = []
        self.rounds = []
        self.passed: Counter[int] = Counter()
        self.ends = []  # hands when rounds ended
        self.fates: dict[int, Counter[str]] = defaultdict(Counter)  # of cards, by seat: held, discarded
        self._walk()

    # --- the table --------------------------------------------------------------------------------

    def _walk(self):
        self.hands: dict[int, list[str]] = {}
        self.out: set[int] = set()
        self.chain: Any = None
        self.before_ms: Any = None
        self.turn: Any = None
        self.set_by: Any = None
        self.total, self.due, self.second, self.way = 0, 1, False, 1
        for event in self.events:
            getattr(self, event["type"], self._nothing)(event)
            if event["type"] != "comment":
                self.before_ms = event.get("at_ms")
        self._close_chain(None)
        if self.rounds and self.rounds[-1]["plays"] is not None and not self.rounds[-1]["ended"]:
            self._keep_hands()
        self.known = all(choice["forced"] is not None for choice in self.choices)

    def _nothing(self, event):
        pass

    def round_start(self, event):
        if self.starter is None:
            self.starter = event["starter"]
        self.rounds.append(
            {"plays": 0, "falls": 0, "reshuffles": 0, "highest": 0, "ended": False, "times": [], "choices": 0}
        )
        self._time(event)
        self._close_chain(None)
        self.hands, self.out, self.total, self.set_by = {}, set(), 0, None
        self.due, self.second, self.turn, self.way = 1, False, event["starter"], 1
        self._time(event)

    def _time(self, event):
        if "at_ms" in event and self.rounds:
            self.rounds[-1]["times"].append(event["at_ms"])

    def comment(self, event):
        self._time(event)

    def deal(self, event):
        self.hands[event["seat"]] = list(event["cards"])
        self._time(event)

    def draw(self, event):
        self.hands[event["seat"]].append(event["card"])
        self._time(event)

    forfeit_draw = comment

    def reshuffle(self, event):
        self.rounds[-1]["reshuffles"] += 1
        self._time(event)

    def _playable(self, card):
        if card == "ono_99" or (card == "double_play" and self.due == 2):
            return False
        if card == "-10":
            return self.rules["minus_ten_floor"] != "illegal" or self.total >= 10
        return card in HELPERS or self.total + int(card) <= self.rules["max_total"]

    def _choice(self, event, card):
        seat = event["seat"]
        hand = self.hands[seat]
        legal = None
        if "?" not in hand:
            legal = {held for held in hand if self._playable(held)}
            if hand.count("ono_99") >= 4 and self.rules["four_ono_99"] != "off":
                legal.add("discard_four")
        at, before = event.get("at_ms"), self.before_ms
        self.rounds[-1]["choices"] += 1
        self.choices.append(
            {
                "seat": seat, "card": card, "total": self.total, "hand": list(hand), "due": self.due,
                "forced": None if legal is None else len(legal) == 1, "change": 0, "fatal": 0, "passed": False,
                "think": None if at is None or before is None or at < before else at - before,
                "phase": (self.rounds[-1]["choices"] - 1) // 10,
            }
        )  # fmt: skip
        return self.choices[-1]

    def _take(self, seat, card):
        hand = self.hands[seat]
        gone = card if card in hand else "?"
        if gone in hand:
            hand.remove(gone)

    def _next(self):
        seat = self.turn
        while True:
            seat = (seat + self.way) % self.n
            if seat in self.hands and seat not in self.out:
                return seat

    def play(self, event):
        seat, card = event["seat"], event["card"]
        choice = self._choice(event, card)
        was = (self.due, self.second)
        self._take(seat, card)
        choice["change"] = event["total"] - self.total
        if event["total"] != self.total:
            self.set_by = choice
        self.total = event["total"]
        left = len(self.hands) - len(self.out)
        if card == "reverse" and left > 2:
            self.way = -self.way
        if was[0] == 2 and card in DEFLECTORS:
            self.due, self.second, self.turn = 2, False, self._next()
        elif was[0] == 2:
            self.due, self.second = 1, True
        else:
            self.due, self.second, self.turn = 2 if card in PAIR_CARDS else 1, False, self._next()
        choice["passed"] = self.due == 2
        self._follow_chain(seat, card, was, passed=self.due == 2)
        now = self.rounds[-1]
        now["plays"] += 1
        now["highest"] = max(now["highest"], self.total)
        self._time(event)

    def discard_four(self, event):
        seat = event["seat"]
        self._choice(event, "discard_four")
        for _ in range(4):
            self._take(seat, "ono_99")
        self.fates[seat]["discarded"] += 4
        was = (self.due, self.second)
        if self.rules["four_ono_99"] == "as_play":
            if was[0] == 2:
                self.due, self.second = 1, True
            else:
                self.due, self.second, self.turn = 1, False, self._next()
        self._follow_chain(seat, "discard_four", was, passed=False)
        self._time(event)

    def eliminate(self, event):
        seat = event["seat"]
        cause = event["reason"]
        acting = seat == self.turn
        if "card" in event:
            self._take(seat, event["card"])
            self.fates[seat][event["card"]] += 1
        if "hand" in event:
            shown = Counter(event["hand"]) - Counter(card for card in self.hands[seat] if card != "?")
            self.hands[seat] = [card for card in self.hands[seat] if card != "?"] + list(shown.elements())
        held = self.hands[seat]
        if cause == "no_legal_play":
            if "card" in event:
                cause = "bust"
            elif held and set(held) == {"ono_99"}:
                cause = "only_ono_99"
            else:
                cause = "second_card" if acting and self.second else "first_card"
        by = self.set_by
        fatal = by is not None and event["reason"] == "no_legal_play"
        if fatal:
            by["fatal"] += 1
        self.falls.append(
            {"seat": seat, "cause": cause, "reason": event["reason"], "by": by["seat"] if by else None}
        )
        self.rounds[-1]["falls"] += 1
        if acting:
            if self.chain is not None and (self.due == 2 or self.second):
                if self.chain["hit"] is None:
                    self.chain["hit"] = seat
                self._close_chain(False)
            self.due, self.second = 1, False
        if acting:
            self.out.add(seat)
            if len(self.out) < len(self.hands):
                self.turn = self._next()
        else:
            self.out.add(seat)
        self._time(event)

    def _follow_chain(self, seat, card, was, passed):
        if was[0] == 2 and self.chain is not None and self.chain["hit"] is None:
            if passed:
                self.chain["length"] += 1
                self.passed[seat] += 1
            elif self.second:
                self.chain["hit"] = seat
            return
        if was[1] and self.chain is not None:
            self._close_chain(True)
        if passed:
            self.chain = {"by": seat, "length": 1, "hit": None, "survived": None}
            self.chains.append(self.chain)

    def _close_chain(self, survived):
        if self.chain is not None and self.chain["hit"] is not None:
            self.chain["survived"] = survived
        self.chain = None

    def _keep_hands(self):
        for seat, hand in self.hands.items():
            self.ends.append((seat, list(hand)))

    def round_end(self, event):
        self.rounds[-1]["ended"] = True
        self._time(event)
        self._close_chain(True)
        self._keep_hands()

    # --- sums -------------------------------------------------------------------------------------

    def order_of(self, seat):
        return (seat - self.starter) % self.n

    def duration(self):
        times = [event["at_ms"] for event in self.events if "at_ms" in event]
        return times[-1] - times[0] if times else None


# --- estimates, by their definitions -------------------------------------------------------------


def wilson(k, n):
    z = statistics.NormalDist().inv_cdf(0.975)
    p = k / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
    return (0.0 if k == 0 else low), (1.0 if k == n else high)


def student(freedom):
    """Return the 97.5 % point of Student's t: Simpson's rule on its density, solved by Newton's."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def density(t):
        return scale * (1 + t * t / freedom) ** (-(freedom + 1) / 2)

    def below(t, steps=200):
        step = t / steps
        inner = sum((4 if i % 2 else 2) * density(i * step) for i in range(1, steps))
        return 0.5 + step / 3 * (density(0) + inner + density(t))

    t = 2.0
    for _ in range(60):
        better = t + (0.975 - below(t)) / density(t)
        if abs(better - t) < 1e-12 * t:
            break
        t = better
    return t


_STUDENT: dict[int, float] = {}


def t_of(freedom):
    if freedom not in _STUDENT:
        _STUDENT[freedom] = student(freedom)
    return _STUDENT[freedom]


def _variance(pairs, ratio, n):
    m = len(pairs)
    return m / (m - 1) * sum((y - ratio * x) ** 2 for y, x in pairs) / n**2


def share(pairs):
    """Return the columns of a share of (y, x) of each cluster."""
    pairs = [(y, x) for y, x in pairs if x]
    k, n, m = sum(y for y, _ in pairs), sum(x for _, x in pairs), len(pairs)
    p = k / n
    if n == m or (max(y for y, _ in pairs) == 1 and len({x for _, x in pairs}) == 1):
        low, high = (end * m / n for end in wilson(k, m))
    elif k in (0, n) or m == 1:
        low, high = wilson(p * m, m)
        low, high = (0.0 if k == 0 else low), (1.0 if k == n else high)
    else:
        deff = _variance(pairs, p, n) / (p * (1 - p) / (n - 1))
        if m < 30:
            deff = max(1.0, deff)
        size = n / deff * (statistics.NormalDist().inv_cdf(0.975) / t_of(m - 1)) ** 2
        low, high = wilson(p * size, size)
    return {"k": k, "n": n, "p": p, "low": low, "high": high}


def mean(pairs, least=None):
    pairs = [(y, x) for y, x in pairs if x]
    n, m = sum(x for _, x in pairs), len(pairs)
    ratio = sum(y for y, _ in pairs) / n
    if m < 2:
        return {"n": n, "mean": ratio, "low": None, "high": None}
    half = t_of(m - 1) * math.sqrt(_variance(pairs, ratio, n))
    low = ratio - half
    if least is not None and low < least:
        low = least
    return {"n": n, "mean": ratio, "low": low, "high": ratio + half}
