"""What the bulk kernel finds of a log, held against what the validator says of it."""

import io
from collections import Counter

from ono_replay.bulk.engine import FAULTY, OPEN, STRANGE, WHOLE, Judge
from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.log.chunks import Chunk

KERNEL_CODES = {
    *(301, 302, 303, 304, 305, 306, 307, 308, 309, 310, 311, 312, 313, 314, 315, 316, 317, 318, 319),
    *(401, 402, 403, 404, 405, 406, 407, 408, 409),
}
"""What the kernel must be able to give by itself."""


class Lanes:
    """Compares logs and counts: what was found, the codes given, and how many games were handed over."""

    def __init__(self):
        self.judge = Judge()
        self.found: Counter[int] = Counter()
        self.codes: Counter[int] = Counter()
        self.handed = 0
        self.last = WHOLE
        self.games = 0
        self.events = 0

    def difference(self, data):
        """Say where the two lanes differ on a log, or nothing."""
        reports = {one.line: one for one in validate([io.BytesIO(data)]) if isinstance(one, GameReport)}
        line = 1
        for game in self.judge.judge(Chunk.of(data)).games:
            self.games += 1
            self.events += int(game.events)
            self.found[int(game.found)] += 1
            self.handed += game.found == STRANGE
            self.last = int(game.found)
            said = self._said(game, reports.get(line))
            if said:
                return f"line {line}: {said}"
            line += int(game.lines)
        return ""

    def _said(self, game, report):
        if game.found == STRANGE:
            return ""
        # That an id stands twice is not the kernel's to say.
        found = [one for one in report.diagnostics if one.code != "ONO203"]
        if game.found == FAULTY:
            self.codes[int(game.code)] += 1
            first = found[0] if found else None
            pair = (
                [f"ONO{game.code}", int(game.fault), "invalid"],
                [first and first.code, first and first.seq, report.verdict],
            )
        else:
            verdict = {WHOLE: "valid", OPEN: "unfinished"}[game.found]
            pair = (
                [verdict, int(game.events), int(game.unverified), []],
                [report.verdict, report.events, report.unverified, [one.code for one in found]],
            )
        return "" if pair[0] == pair[1] else "the kernel says {}, the validator {}".format(*pair)
