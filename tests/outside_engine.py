"""A small engine that plays as the outside engine `0yech/transcendence` is described, and writes its replays.

It shares no code with the project, so that what both say of a game is said twice. Written from the
description of its replays, with its peculiarities: it looks at all hands after every card and its draw, ends
the game as soon as nobody could play an ordinary card or discard four (also inside a pair), and lets the last
player who played a card win.
"""

import hashlib
import random
from datetime import UTC, datetime, timedelta

START = datetime(2024, 2, 29, 23, 59, 30, tzinfo=UTC)


def ordered_deck():
    kinds = [("NUMBER", face, str(face), 8 if face == 0 else 10 if face == 10 else 6) for face in range(11)]
    kinds += [("ONO99", 99, "ONO99", 10), ("REVERSE", 0, "Reverse", 10), ("MINUS_TEN", -10, "-10", 10)]
    kinds += [("PLAY_TWO", 0, "Play2", 10)]
    return [(kind, value, label, f"{kind}_{label}_{i}") for kind, value, label, n in kinds for i in range(n)]


def shuffled(cards, seed):
    words: list[int] = []
    block = 0
    while len(words) < len(cards):
        digest = hashlib.sha256(f"{seed}:{block}".encode()).digest()
        words += [int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4)]
        block += 1
    cards = list(cards)
    for i, word in zip(range(len(cards) - 1, 0, -1), words, strict=False):
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


class Engine:
    """One game; `play` returns the entry as the peers' file has it.

    `policy` is `random`, or `low` for players who keep the total down: long games, many reshuffles.
    """

    def __init__(self, game_id, players, *, seed=None, policy="random", chance=None):
        self.id = game_id
        self.chance = chance or random.Random(f"{game_id}/{players}/{policy}")
        self.seed = seed or f"{self.chance.getrandbits(256):064x}"
        self.users = [f"user{seat}" for seat in range(players)]
        self.policy = policy
        self.status = ["ACTIVE"] * players
        deck = shuffled(ordered_deck(), self.seed)
        self.hands = [[deck[turn * players + seat] for turn in range(4)] for seat in range(players)]
        self.deck, self.discards, self.reshuffles = deck[4 * players :], [], 0
        self.total, self.direction, self.current, self.pending = 0, 1, 0, 1
        self.last_played = self.winner = None
        self.turn_number = 1
        self.actions = []
        order = [{"userId": user, "seat": seat} for seat, user in enumerate(self.users)]
        self.log("GAME_STARTED", 0, {"seedHash": self.seed_hash, "playerOrder": order}, 0)

    @property
    def seed_hash(self):
        return hashlib.sha256(self.seed.encode()).hexdigest()

    def log(self, kind, seat, payload, turn_number=None):
        time = START + timedelta(seconds=len(self.actions), milliseconds=self.chance.randrange(1000))
        self.actions.append(
            {
                "type": kind,
                "actorUserId": self.users[seat],
                "sequence": len(self.actions),
                "turnNumber": self.turn_number if turn_number is None else turn_number,
                "payload": payload,
                "createdAt": time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z",
            }
        )

    def playable(self, card):
        return card[0] != "ONO99" and (card[0] != "NUMBER" or self.total + card[1] < 99)

    def has_four(self, seat):
        return sum(card[0] == "ONO99" for card in self.hands[seat]) >= 4

    def active(self):
        return [seat for seat, status in enumerate(self.status) if status == "ACTIVE"]

    def next_active(self, seat):
        seat = (seat + self.direction) % len(self.users)
        while self.status[seat] != "ACTIVE":
            seat = (seat + self.direction) % len(self.users)
        return seat

    def draw(self, seat):
        while len(self.hands[seat]) < 4:
            if not self.deck:
                self.deck = shuffled(self.discards, f"{self.seed}:reshuffle:{self.reshuffles}")
                self.discards = []
                self.reshuffles += 1
            self.hands[seat].append(self.deck.pop(0))

    def play_card(self, seat, slot):
        before = {"total": self.total, "pending": self.pending, "direction": self.direction}
        kind, value, label, card_id = card = self.hands[seat].pop(slot)
        if kind == "NUMBER":
            self.total += value
        elif kind == "MINUS_TEN":
            self.total = max(0, self.total - 10)
        elif kind == "REVERSE" and len(self.active()) > 2:
            self.direction = -self.direction
        self.discards.append(card)
        self.draw(seat)
        if kind == "PLAY_TWO" or (kind == "REVERSE" and before["pending"] == 2):
            self.current, self.pending = self.next_active(seat), 2
        elif before["pending"] == 2:
            self.pending = 1
        else:
            self.current, self.pending = self.next_active(seat), 1
        self.last_played = seat
        payload = {
            "cardId": card_id,
            "slotPlayed": slot + 1,
            "card": {"type": kind, "value": value, "label": label},
            "totalBefore": before["total"],
            "totalAfter": self.total,
            "pendingPlaysBefore": before["pending"],
            "pendingPlaysAfter": self.pending,
            "directionBefore": before["direction"],
            "directionAfter": self.direction,
        }
        self.log("CARD_PLAYED", seat, payload)

    def discard_four(self, seat):
        gone = [card for card in self.hands[seat] if card[0] == "ONO99"][:4]
        self.hands[seat] = [card for card in self.hands[seat] if card not in gone]
        self.discards += gone
        self.draw(seat)
        if self.pending != 2:
            self.current = self.next_active(seat)
        self.pending = 1
        payload = {
            "cardIds": [card[3] for card in gone],
            "totalBefore": self.total,
            "totalAfter": self.total,
        }
        self.log("FOUR_ONO99_DISCARDED", seat, payload)

    def eliminate(self, seat, reason="NO_LEGAL_MOVE"):
        self.status[seat] = "ELIMINATED"
        self.log("PLAYER_ELIMINATED", seat, {"reason": reason, "total": self.total})
        self.current, self.pending = self.next_active(seat), 1

    def step(self):
        seat = self.current
        choices = [slot for slot, card in enumerate(self.hands[seat]) if self.playable(card)]
        if self.has_four(seat):
            self.discard_four(seat)
        elif not choices:
            self.eliminate(seat)
        elif self.policy == "low":
            self.play_card(seat, min(choices, key=lambda slot: self.price(self.hands[seat][slot])))
        else:
            self.play_card(seat, self.chance.choice(choices))
        self.turn_number += 1
        active = self.active()
        if len(active) == 1:
            self.finish(active[0])
        elif self.last_played is not None and not any(
            self.has_four(one) or any(map(self.playable, self.hands[one])) for one in active
        ):
            self.finish(self.last_played)

    def price(self, card):
        if card[0] == "MINUS_TEN":
            return 0 if self.total >= 10 else 60
        return card[1] or (1 if self.total else 50)

    def finish(self, winner):
        self.status[winner] = "WINNER"
        self.winner = winner
        self.log("GAME_FINISHED", winner, {"winnerId": self.users[winner]}, 0)

    def play(self, most_actions=5000):
        while self.winner is None and len(self.actions) < most_actions:
            self.step()
        return self.entry()

    def entry(self):
        replay = {
            "id": self.id,
            "lobbyId": f"L-{self.id}",
            "status": "IN_PROGRESS" if self.winner is None else "FINISHED",
            "seedHash": self.seed_hash,
            "total": self.total,
            "winnerId": None if self.winner is None else self.users[self.winner],
            "players": [
                {"userId": user, "seat": seat, "username": user.upper(), "avatarUrl": None}
                for seat, user in enumerate(self.users)
            ],
            "actions": self.actions,
        }
        final = [
            [user, self.status[seat], [card[2] for card in self.hands[seat]]]
            for seat, user in enumerate(self.users)
        ]
        return {"seedPrivate": self.seed, "replay": replay, "final": final}
