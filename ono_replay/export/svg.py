"""A moment of a game as one SVG picture: the table, the hands, the total, what has just happened."""

import math
from itertools import combinations
from typing import Any, Final, Literal

import msgspec

from ono_replay.check.printable import printable
from ono_replay.export.art import BACK, HEIGHT, LOOKS, WIDTH
from ono_replay.export.course import Step
from ono_replay.export.markup import draw, element, text_of
from ono_replay.export.payload import NotShowable
from ono_replay.export.wording import figure, say
from ono_replay.replay import Replay
from ono_replay.rules.cards import Hand
from ono_replay.rules.events import Eliminate, GameEnd, RoundEnd, RoundStart
from ono_replay.rules.state import State

PICTURE: Final = (1200, 800)
"""Width and height of a picture in its own units."""
_FOOT: Final = 74
_MOST_SEATS: Final = 8
_SEVEN: Final = ((0, 1), (-0.84, 0.84), (-1, -0.06), (-0.44, -1), (0.44, -1), (1, -0.06), (0.84, 0.84))
_DANGER_SPAN: Final = 9
_FONT: Final = "system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"
_COLOURS: Final = {
    "light": {
        "paper": "#f4f1e9", "felt": "#e2ebe2", "rim": "#b9c9bd", "panel": "#fffdf8", "ink": "#1b2430",
        "soft": "#56616d", "accent": "#00609a", "on": "#ffffff", "danger": "#b03a00", "gold": "#7a5600",
        "track": "#c9d2cb", "zone": "#d09a80",
    },
    "dark": {
        "paper": "#10151b", "felt": "#1b2c26", "rim": "#33493f", "panel": "#182029", "ink": "#eef2f5",
        "soft": "#a8b4bf", "accent": "#74bdf0", "on": "#0b1a26", "danger": "#ff9c69", "gold": "#f2ca5c",
        "track": "#33443c", "zone": "#8a5a44",
    },
}  # fmt: skip


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """How a picture looks at a game."""

    seat: int | None = None
    """The seat to look from: it sits nearest, and only its hand is shown."""
    hide: bool = False
    """No hand is shown that is not laid down."""
    theme: Literal["light", "dark"] = "light"


def picture_of(replay: Replay, seq: int, look: Look | None = None) -> str:
    """Return the picture of the moment right after an event, as SVG text.

    It is one file without fonts, scripts or links. Raises `KeyError` where no effective event has that
    number, `NotShowable` for a game whose rules can't be read or of more than eight players.
    """
    first, start = replay.first_state, replay.start
    if first is None or start is None:
        raise NotShowable("its game_start can not be read: the players or the rules are not known")
    if first.match.seats > _MOST_SEATS:
        raise NotShowable(f"a picture has room for {_MOST_SEATS} players, this game has {first.match.seats}")
    if seq == start.seq:
        return _Picture(replay, Step(start, first, first), 0, look or Look()).svg()
    place = next((place for place, event in enumerate(replay.events) if event.seq == seq), None)
    if place is None:
        raise KeyError(seq)
    before = replay.states[place - 1] if place else first
    step = Step(replay.events[place], before, replay.states[place])
    return _Picture(replay, step, place + 1, look or Look()).svg()


class _Picture:
    """One picture, put together from the back to the front."""

    def __init__(self, replay: Replay, step: Step, past: int, look: Look) -> None:
        self.replay = replay
        self.step = step
        self.state: State = step.after
        self.look = look
        self.colour = _COLOURS[look.theme]
        self.seats = self.state.match.seats
        self.names = [
            _cut(printable(name).strip(), 18) or f"seat {seat}" for seat, name in enumerate(replay.names)
        ]
        self.laid = _laid_down(replay, past)
        self.left = {e.seat for e in replay.events[:past] if isinstance(e, Eliminate) and e.reason == "left"}
        self.width, self.height = PICTURE[0], PICTURE[1] - _FOOT
        self.ring = 250.0
        self.card = self._card_width()

    def _card_width(self) -> float:
        """Return the largest width of a card with which nothing lies over anything else."""
        return next((float(card) for card in range(90, 30, -2) if not self._crowded(card)), 30.0)

    def _crowded(self, card: float) -> bool:
        x, y, high, hand = self.width / 2, self.height / 2, card * HEIGHT / WIDTH, card * 4 + 18
        away = self.ring / 2 + 40 + card * 0.6
        boxes = [
            (x - self.ring / 2, y - self.ring / 2, x + self.ring / 2, y + self.ring / 2 + 20),
            (x - away - card / 2 - 16, y - high / 2 - 10, x - away + card / 2, y + high / 2 + 20),
            (x + away - card / 2, y - high / 2 - 10, x + away + card / 2 + 16, y + high / 2 + 20),
        ]
        for seat in range(self.seats):
            at_x, at_y = self.middle_of(seat, high, hand)
            half = max(hand, 170) / 2
            boxes.append((at_x - half, at_y - high / 2 - 42, at_x + half, at_y + high / 2 + 32))
        return any(
            one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
            for one, two in combinations(boxes, 2)
        )

    def middle_of(self, seat: int, high: float, hand_width: float) -> tuple[float, float]:
        """Return where the middle of a seat's hand lies."""
        to_x, to_y = self.place(seat)
        x = self.width / 2 + to_x * (self.width / 2 - hand_width / 2 - 34)
        return x, self.height / 2 + to_y * (self.height / 2 - high / 2 - 66)

    def place(self, seat: int) -> tuple[float, float]:
        """Return where a seat stands on a rounded ring from −1 to 1, clockwise, the nearest at the bottom."""
        turn = (seat - (self.look.seat or 0)) % self.seats
        if self.seats == 7:  # on the ring they would crowd at the top
            return _SEVEN[turn]
        angle = math.pi / 2 + turn * 2 * math.pi / self.seats
        return _rounded(math.cos(angle)), _rounded(math.sin(angle))

    def svg(self) -> str:
        wide, high = PICTURE
        frame = {"x": 14, "y": 14, "width": wide - 28, "height": self.height - 18, "rx": 34}
        rim = {"fill": self.colour["felt"], "stroke": self.colour["rim"], "stroke-width": 1.5}
        parts = [
            element("title", {}, text_of(f"{printable(self.replay.game_id or '')}: {self.sentence()}")),
            element("rect", {"width": wide, "height": high, "fill": self.colour["paper"]}),
            element("rect", {**frame, **rim}),
            self.middle(),
            *(self.seat(seat) for seat in range(self.seats)),
            self.foot(),
        ]
        head = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {wide} {high}", "font-family": _FONT}
        return element("svg", {**head, "width": wide, "height": high, "role": "img"}, *parts)

    def sentence(self) -> str:
        said = say(self.step)
        if self.step.event.type in ("draw", "deal") and not self.sees(getattr(self.step.event, "seat", 0)):
            drew = " draws a card" if self.step.event.type == "draw" else " is dealt four cards"
            said = [getattr(self.step.event, "seat", 0), drew]
        return "".join(printable(p) if isinstance(p, str) else self.name(p) for p in said)

    def name(self, seat: int) -> str:
        if not 0 <= seat < self.seats:
            return f"seat {seat}"
        name = self.names[seat]
        return f"{name} (seat {seat})" if self.names.count(name) > 1 else name

    def sees(self, seat: int) -> bool:
        return seat in self.laid or not (self.look.hide or self.look.seat not in (None, seat))

    # --- the middle ---------------------------------------------------------------------------------

    def middle(self) -> str:
        x, y = self.width / 2, self.height / 2
        state, limit = self.state, self.state.ruleset.max_total
        danger = max(0, limit - _DANGER_SPAN)
        hot = state.total >= danger and state.round > 0
        ink = self.colour["danger"] if hot else self.colour["ink"]
        radius = self.ring / 2 - 14
        left = limit - state.total
        room = "at the limit" if not left else f"{left} left" if left > 0 else f"{-left} over {limit}"
        way = "clockwise" if state.direction > 0 else "counter-clockwise"
        parts = [
            _arc(x, y, radius, 0, 1, self.colour["track"]),
            _arc(x, y, radius, danger / limit, 1, self.colour["zone"]),
            _arc(
                x,
                y,
                radius,
                0,
                max(0.0, min(1.0, state.total / limit)),
                self.colour["danger" if hot else "accent"],
            ),
            *self.arrows(x, y, radius + 18),
            self.words(x, y - 54, "Total", 16, self.colour["soft"], weight=400),
            self.words(x, y + 30, figure(state.total), 96, ink, weight=800),
            self.words(x, y + 60, room, 18, ink),
            self.words(x, y + 82, way, 13, self.colour["soft"], weight=400),
            self.piles(x, y),
        ]
        if state.turn is not None and (state.plays_due == 2 or state.second):
            what = "the second card" if state.second else "two cards"
            parts.append(self.pill(x, y + self.ring / 2 + 4, f"{self.name(state.turn)} owes {what}"))
        return "".join(parts)

    def arrows(self, x: float, y: float, radius: float) -> list[str]:
        shape = "M-6-6.500l12 6.500-12 6.500z" if self.state.direction > 0 else "M6-6.500l-12 6.500 12 6.500z"
        turns = [
            element(
                "path",
                {
                    "d": shape,
                    "fill": self.colour["soft"],
                    "transform": f"rotate({t} {x} {y}) translate({x} {y - radius})",
                },
            )
            for t in (-100, -33, 33, 100)
        ]
        if self.state.turn is None:
            return turns
        to_x, to_y = self.place(self.state.turn)
        angle = math.degrees(math.atan2(to_y, to_x)) + 90
        to = f"rotate({angle:.1f} {x} {y}) translate({x} {y - radius - 2})"
        return [
            *turns,
            element("path", {"d": "M0-12l12 20h-24z", "fill": self.colour["accent"], "transform": to}),
        ]

    def piles(self, x: float, y: float) -> str:
        state, card = self.state, self.card
        high = card * HEIGHT / WIDTH
        away = self.ring / 2 + 40 + card * 0.6
        parts = []
        for centre, count, what in (
            (x - away, state.draw_pile, "draw"),
            (x + away, state.discard_pile, "discard"),
        ):
            left, top = centre - card / 2, y - high / 2 - 8
            parts.append(self.words(centre, top + high + 24, str(count), 15, self.colour["soft"], weight=400))
            if not count:
                parts.append(self.gap(left, top))
            elif what == "draw":
                parts.append(self.one_card(BACK, left, top))
            else:
                top_cards = state.discards[-3:] or ("?",)
                for back, token in zip(range(len(top_cards) - 1, -1, -1), top_cards, strict=True):
                    parts.append(self.one_card(token, left - 8 * back, top, turn=-5 * back))
        return "".join(parts)

    # --- seats --------------------------------------------------------------------------------------

    def seat(self, seat: int) -> str:
        state, card = self.state, self.card
        high, hand_width = card * HEIGHT / WIDTH, card * 4 + 18
        x, y = self.middle_of(seat, high, hand_width)
        hand: Hand = state.hands[seat] if seat < len(state.hands) else ()
        out = seat in state.out
        step = (card + 6) if len(hand) <= 4 else (hand_width - card) / (len(hand) - 1)
        left, top = x - hand_width / 2, y - high / 2
        cards = []
        for place, token in enumerate(hand):
            cards.append(self.one_card(token if self.sees(seat) else BACK, left + place * step, top))
        if hand and not out:
            cards += [self.gap(left + place * step, top) for place in range(len(hand), 4)]
        faded = {"opacity": 0.5} if out else {}
        status, colour = self.status(seat)
        return (
            element("g", faded, *cards)
            + self.plate(seat, x, top - 30, out=out)
            + (self.words(x, top + high + 24, status, 15, colour) if status else "")
        )

    def plate(self, seat: int, x: float, y: float, *, out: bool) -> str:
        state = self.state
        acting = state.turn == seat and not state.draws_due
        held = state.match.chips or state.match.scores
        one, many = ("chip", "chips") if state.match.chips else ("point", "points")
        count = held[seat] if held else None
        standing = "" if count is None else f"{count} {one if count == 1 else many}"
        text = self.names[seat] + (f"  ·  {standing}" if standing else "")
        width = max(64.0, 28 + sum(10.5 if ord(sign) < 0x2E80 else 17 for sign in text) * 0.95)
        fill = self.colour["accent"] if acting else "none" if out else self.colour["panel"]
        ink = self.colour["on"] if acting else self.colour["soft"] if out else self.colour["ink"]
        box = {
            "x": round(x - width / 2, 1),
            "y": round(y - 9, 1),
            "width": round(width, 1),
            "height": 30,
            "rx": 15,
        }
        return element(
            "rect", {**box, "fill": fill, "stroke": self.colour["rim"], "stroke-width": 0 if acting else 1.5}
        ) + self.words(x, y + 12, text, 16, ink)

    def status(self, seat: int) -> tuple[str, str]:
        state, event = self.state, self.step.event
        if isinstance(event, GameEnd) and seat in event.winners:
            return "wins the game", self.colour["gold"]
        if isinstance(event, RoundEnd) and event.winner == seat:
            return "wins the round", self.colour["gold"]
        if seat in state.out or seat in state.match.gone:
            return "left" if seat in self.left else "out", self.colour["soft"]
        if state.draws_due and state.drawer == seat:
            return "draws", self.colour["soft"]
        if state.turn != seat or state.draws_due:
            return "", ""
        if state.plays_due == 2:
            return "owes two cards", self.colour["danger"]
        return (
            ("owes the second card", self.colour["danger"])
            if state.second
            else ("to play", self.colour["accent"])
        )

    # --- pieces -------------------------------------------------------------------------------------

    def foot(self) -> str:
        sentence = _cut(self.sentence(), 96)
        state = self.state
        parts = [_cut(printable(self.replay.game_id or ""), 40), f"edition {state.ruleset.edition}"]
        parts += [f"round {state.round}"] if state.round else []
        parts.append(f"event {self.step.event.seq}")
        y = PICTURE[1] - _FOOT + 28
        return self.words(28, y, sentence, 21, self.colour["ink"], anchor="start") + self.words(
            28, y + 27, "  ·  ".join(parts), 15, self.colour["soft"], anchor="start", weight=400
        )

    def words(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        fill: str,
        *,
        weight: int = 600,
        anchor: str = "middle",
    ) -> str:
        where = {"x": round(x, 1), "y": round(y, 1), "text-anchor": anchor}
        return element(
            "text", {**where, "font-size": size, "font-weight": weight, "fill": fill}, text_of(text)
        )

    def pill(self, x: float, y: float, text: str) -> str:
        width = 28 + len(text) * 9.2
        box = {
            "x": round(x - width / 2, 1),
            "y": round(y - 14, 1),
            "width": round(width, 1),
            "height": 28,
            "rx": 14,
        }
        return element("rect", {**box, "fill": self.colour["danger"]}) + self.words(
            x, y + 6, text, 16, self.colour["panel"]
        )

    def one_card(self, token: str, x: float, y: float, *, turn: float = 0) -> str:
        card, high = self.card, self.card * HEIGHT / WIDTH
        box = {"x": round(x, 1), "y": round(y, 1), "width": round(card, 1), "height": round(high, 1)}
        edge = {
            **box,
            "rx": round(card * 0.11, 1),
            "fill": "none",
            "stroke": "#1b2430",
            "stroke-opacity": 0.25,
        }
        fitted = {"transform": f"translate({x:.1f} {y:.1f}) scale({card / WIDTH:.4f})"}
        face = element("g", fitted, draw(LOOKS[token].shapes))
        tilt = {"transform": f"rotate({turn} {x + card / 2:.1f} {y + high / 2:.1f})"} if turn else {}
        return element("g", tilt, face, element("rect", edge))

    def gap(self, x: float, y: float) -> str:
        card = self.card
        box = {
            "x": round(x + 1, 1),
            "y": round(y + 1, 1),
            "width": round(card - 2, 1),
            "height": round(card * 1.4 - 2, 1),
        }
        dash = {"fill": "none", "stroke": self.colour["rim"], "stroke-width": 2, "stroke-dasharray": "6 5"}
        return element("rect", {**box, "rx": round(card * 0.11, 1), **dash})


def _rounded(value: float) -> float:
    return math.copysign(abs(value) ** 0.55, value) if abs(value) > 1e-9 else 0.0


def _laid_down(replay: Replay, past: int) -> frozenset[int]:
    """Return the seats whose hand lies on the table for all to see."""
    laid: set[int] = set()
    for event in replay.events[:past]:
        if isinstance(event, RoundStart):
            laid.clear()
        elif isinstance(event, Eliminate) and event.hand is not None:
            laid.add(event.seat)
    return frozenset(laid)


def _arc(x: float, y: float, radius: float, start: float, end: float, colour: str) -> str:
    """Return a piece of the dial: it runs from lower left over the top to lower right."""
    gap = 36
    sweep = 360 - 2 * gap
    first, last = (math.radians(90 + gap + sweep * share) for share in (start, max(end, start + 0.0001)))
    points = [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in (first, last)]
    large = 1 if (end - start) * sweep > 180 else 0
    d = f"M{points[0][0]:.1f} {points[0][1]:.1f}A{radius:.1f} {radius:.1f} 0 {large} 1 {points[1][0]:.1f} {points[1][1]:.1f}"
    stroke: dict[str, Any] = {"d": d, "fill": "none", "stroke": colour, "stroke-width": 13}
    return element("path", {**stroke, "stroke-linecap": "round" if start == 0 else "butt"})


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
