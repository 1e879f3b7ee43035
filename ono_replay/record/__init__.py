"""Record games: a recorder that loses nothing, at the table and from code.

`Recorder` takes one call an event; what it has taken is on disk. `Table` takes the short entries of a table
where nobody sees the hands. A game loop that records itself, cards known and the deck with it:

>>> import random, tempfile
>>> from pathlib import Path
>>> from ono_replay.check.validator import validate
>>> from ono_replay.record import Recorder
>>> from ono_replay.rules.playable import legal_plays
>>>
>>> def play_game(path, players, rng):
...     with Recorder.create(path, "2022", players, dealer=0, mode="batch") as game:
...         deck = [card for card, copies in game.ruleset.deck.items() for _ in range(copies)]
...         rng.shuffle(deck)
...         done(game.start_round(deck=deck))
...         for seat in range(len(players)):
...             done(game.deal(seat, [deck.pop(0) for _ in range(4)]))
...         while game.state.turn is not None:
...             take_turn(game, deck, rng)
...         done(game.end_round())
...         done(game.end_game())
...     return game.state.match.winners
>>>
>>> def take_turn(game, deck, rng):
...     seat = game.state.turn
...     plays = legal_plays(game.state)
...     if not plays:
...         done(game.eliminate(seat, hand=game.state.hands[seat]))
...     elif "discard_four" in plays:
...         done(game.discard_four(seat))
...     else:
...         done(game.play(seat, rng.choice(plays)))
...     while game.state.draws_due:
...         if not deck:
...             deck += game.state.discards
...             rng.shuffle(deck)
...             done(game.reshuffle(deck))
...         done(game.draw(seat, deck.pop(0)))
>>>
>>> def done(refused):
...     if refused is not None:
...         raise ValueError(f"{refused.code}: {refused.message}; legal: {refused.legal}")
>>>
>>> with tempfile.TemporaryDirectory() as folder:
...     log = Path(folder, "game.ono.jsonl")
...     winners = play_game(log, ["Ann", "Bo", "Cy"], random.Random(7))
...     print(len(winners), [(report.verdict, report.errors) for report in validate([log])])
1 [('valid', 0)]
"""

from ono_replay.record.errors import Damaged, JournalError, LogExists, LogHeld, NotWritten
from ono_replay.record.recorder import IsFinished, NoGame, Recorder
from ono_replay.record.refusal import Refusal
from ono_replay.record.table import Table

__all__ = [
    "Damaged",
    "IsFinished",
    "JournalError",
    "LogExists",
    "LogHeld",
    "NoGame",
    "NotWritten",
    "Recorder",
    "Refusal",
    "Table",
]
