"""ONO2xx: the events do not make up a game."""

from ono_replay.check.catalogue.code import Code

CODES = (
    Code(
        "ONO201",
        "no-game-start",
        "error",
        what="An event stands before the first `game_start` of the file: it belongs to no game.",
        why="Only `game_start` tells the players and the rules that an event is judged by.",
        example='# The first line of the file:\n{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":0}',
        fix="Begin the file with the game's `game_start`. If the file was split, put its parts together again.",
    ),
    Code(
        "ONO202",
        "seq-broken",
        "error",
        what="`seq` does not go up by one: a line is missing, is there twice, or two lines are swapped.",
        why="The numbers show that nothing is lost and in which order things happened.",
        example='{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
        '# 5 is missing.\n{"seq":6,"type":"play","seat":1,"card":"4","total":11}',
        fix="Put the missing line back, or take out the one that is there twice. Events are numbered 0, 1, 2, …, "
        "undone ones too.",
    ),
    Code(
        "ONO203",
        "duplicate-game-id",
        "warning",
        what="Another game of this run has the same `game_id`.",
        why="Games are told apart by their id: in a library the two would be taken for one.",
        example='{"seq":0,"type":"game_start",…,"game_id":"kitchen-7",…}\n'
        '# and further on, or in another file:\n{"seq":0,"type":"game_start",…,"game_id":"kitchen-7",…}',
        fix="Give each game an id of its own. If it is the same game twice, leave one copy out.",
    ),
    Code(
        "ONO204",
        "unexpected-event",
        "error",
        what="An event of this type can not stand here.",
        why="The format fixes the order: `game_start`, then rounds of `round_start`, deals, turns and `round_end`, "
        "then `game_end`.",
        example='{"seq":40,"type":"game_end","winners":[0],"reason":"completed"}\n'
        "# After the end only `comment` and `undo` may stand.\n"
        '{"seq":41,"type":"play","seat":1,"card":"4","total":11}',
        fix="Look at the line before: something is missing there, or this line is one too many.",
    ),
    Code(
        "ONO205",
        "time-backwards",
        "warning",
        what="`at_ms` is lower than on a line before.",
        why="It counts milliseconds since the game began and can not go back. The order of events is that of "
        "`seq`, so the game itself is not in doubt, but times are.",
        example='{"seq":4,"type":"play","seat":0,"card":"7","total":7,"at_ms":61000}\n'
        '{"seq":5,"type":"draw","seat":0,"card":"9","at_ms":1200}',
        fix="Measure with a clock that is never set back (a monotonic clock) and count from the game's start.",
    ),
    Code(
        "ONO206",
        "no-such-seat",
        "error",
        what="The game has no such seat.",
        why="Seats are numbered from 0 in the order of `players`: with three players 0, 1 and 2.",
        example='# A game of two players, seats 0 and 1.\n{"seq":4,"type":"play","seat":2,"card":"7","total":7}',
        fix="Count seats from 0, not from 1.",
    ),
    Code(
        "ONO207",
        "deal-wrong",
        "error",
        what="The deal is not right: a seat is missing, is dealt to twice, or gets other than four cards.",
        why="A round begins with one deal of four cards for each player still in the match, before the first card "
        "is played.",
        example='{"seq":2,"type":"deal","seat":0,"cards":["7","ono_99","reverse","0"]}\n'
        '# The deal to seat 1 is missing.\n{"seq":3,"type":"play","seat":0,"card":"7","total":7}',
        fix='Write one `deal` a seat. Unknown cards are dealt as "?": ["?","?","?","?"].',
    ),
    Code(
        "ONO208",
        "bad-ruleset",
        "error",
        what="The ruleset can not be played by: an unknown edition or option, an impossible value, or a number of "
        "players that the edition has no place for.",
        why="Every check stands on the ruleset; with a wrong one nothing could be trusted.",
        example='{"seq":0,"type":"game_start",…,"ruleset":{"edition":"2023"},…}',
        fix='Name "1980" or "2022" and the options that your table plays differently.',
    ),
    Code(
        "ONO209",
        "undo-to-nowhere",
        "error",
        what="`undo` goes back to an event that this game does not have before it.",
        why="`to` is the `seq` of the last event that stays; it must be one of this game, above the undo.",
        example='{"seq":5,"type":"draw","seat":0,"card":"9"}\n{"seq":6,"type":"undo","to":6}',
        fix="Point `to` at an earlier event of the same game.",
    ),
    Code(
        "ONO210",
        "hidden-card-in-full-view",
        "error",
        what='A card is hidden ("?") though the log says that its view is full.',
        why="A full log promises every card, and programs rely on that.",
        example='# "view":"full"\n{"seq":5,"type":"draw","seat":0,"card":"?"}',
        fix='Write the card, or say "view":"public" (or "seat" with a viewer) in `game_start`.',
    ),
    Code(
        "ONO211",
        "bad-position",
        "error",
        what="The position that the round starts from is not possible.",
        why="It must fit the ruleset: a hand for each player, no more copies of a card than the deck has, and "
        "someone to act.",
        example='{"seq":1,"type":"round_start",…,"position":{"total":50,"direction":1,"turn":2,…}}\n'
        "# A game of two players: there is no seat 2 to act.",
        fix="Correct the position. Piles whose cards are not known can be given as a count.",
    ),
)
