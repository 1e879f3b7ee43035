"""ONO4xx and ONO5xx: how players fall, rounds and games end, and the digest."""

from ono_replay.check.catalogue.code import Code

CODES = (
    Code(
        "ONO401",
        "had-a-legal-play",
        "error",
        what="A player is eliminated as unable to play, though a card could be played.",
        why="A player who can play must play. 0, −10, Reverse, Hold and pair cards go at any total (a Double Play "
        "not as the first of two); four ONO 99s in hand can be discarded in the 2022 edition.",
        example="# The total is 98.\n"
        '{"seq":30,"type":"eliminate","seat":1,"reason":"no_legal_play","hand":["4","9","ono_99","reverse"]}',
        fix="If the player gave up or ran out of time, the reason is left or timeout. If the table overlooked it, "
        'add "irregular":true.',
    ),
    Code(
        "ONO402",
        "hand-mismatch",
        "error",
        what="The hand laid down is not the hand that the player held.",
        why="The hand is known from the deal, the draws and the plays before.",
        example='{"seq":2,"type":"deal","seat":0,"cards":["7","ono_99","9","5"]}\n'
        "# … and nothing played since.\n"
        '{"seq":30,"type":"eliminate","seat":0,"reason":"no_legal_play","hand":["7","8","9","5"]}',
        fix="Check the cards laid down and the draws before. `hand` lists all cards held, without the bust card.",
    ),
    Code(
        "ONO403",
        "wrong-winner",
        "error",
        what="The winner of the round or of the game is another.",
        why="The last player left wins a round (nobody, where a chips round ends with several left); a match is "
        "won as its ruleset says. An abandoned game has no winners.",
        example='# Seat 1 is out.\n{"seq":31,"type":"round_end","round":1,"winner":1,"loser":1}',
        fix='Correct `winner` or `winners`. A game that was broken off ends with "winners":[],'
        '"reason":"abandoned".',
    ),
    Code(
        "ONO404",
        "ended-too-early",
        "error",
        what="A round or a game is declared over though it is not.",
        why="A round goes on until one player is left (in a chips match until the first is out), a match until it "
        "is decided.",
        example='# Three players are still in.\n{"seq":31,"type":"round_end","round":1,"winner":0,"loser":null}',
        fix="Look for an `eliminate` that is missing. A game that was broken off ends with reason abandoned.",
    ),
    Code(
        "ONO405",
        "not-ended",
        "error",
        what="Play goes on though the round or the match is over.",
        why="After the elimination that decides a round only its `round_end` can follow, after the round that "
        "decides a match only `game_end`.",
        example='# Two players.\n{"seq":30,"type":"eliminate","seat":1,"reason":"no_legal_play"}\n'
        '{"seq":31,"type":"play","seat":0,"card":"0","total":98}',
        fix="Write the `round_end` or `game_end`. If the last player was not out after all, correct the elimination.",
    ),
    Code(
        "ONO406",
        "wrong-chips",
        "error",
        what="The chips after the round are not right, or there are chips in a match that has none.",
        why="The loser of a round pays one chip; who loses without a chip, or leaves, is out of the match and has "
        "null.",
        example="# Chips were [3,3,3]; seat 2 has lost the round.\n"
        '{"seq":31,"type":"round_end","round":1,"winner":null,"loser":2,"chips":[3,3,3]}',
        fix="Count again: one chip less for the loser, all others as before.",
    ),
    Code(
        "ONO407",
        "wrong-points",
        "error",
        what="Points or scores of a round are not right, or there are some in a match that has none.",
        why="Each player scores the cards left in hand (face value, ono_99 20, other cards 15), 15 for each "
        "forfeited draw, and 25 for having been eliminated. `scores` adds the points to those before.",
        example="# Seat 0 holds 4, 5, double_play and ono_99: 4 + 5 + 15 + 20 = 44.\n"
        '{"seq":31,"type":"round_end","round":1,"winner":0,"loser":1,"points":[34,69],"scores":[34,69]}',
        fix="Add up again. A seat that was out of the match before the round has null.",
    ),
    Code(
        "ONO408",
        "wrong-loser",
        "error",
        what="The loser of the round is another.",
        why="The first player eliminated in a round is its loser, also when others fall later. Without an "
        "elimination it is null.",
        example='{"seq":28,"type":"eliminate","seat":2,"reason":"no_legal_play"}\n'
        '{"seq":30,"type":"eliminate","seat":1,"reason":"no_legal_play"}\n'
        '{"seq":31,"type":"round_end","round":1,"winner":0,"loser":1}',
        fix="Name the seat that fell first.",
    ),
    Code(
        "ONO409",
        "wrong-bust-card",
        "error",
        what="The bust card is wrong: missing, not in the hand, not over the limit, or given where none belongs.",
        why="In a points match a player who can play nothing plays a card that takes the total over the limit, if "
        "the hand has one. No other match, and no player who leaves, has a bust card.",
        example="# A points match; the total is 95.\n"
        '{"seq":30,"type":"eliminate","seat":1,"reason":"no_legal_play","card":"3"}',
        fix="Write the card that was played to go out, or take `card` out.",
    ),
    Code(
        "ONO501",
        "digest-mismatch",
        "error",
        what="The digest at the end is not that of the game's events.",
        why="It is the SHA-256 of all lines before `game_end`: one of them was changed, lost or added since, or the "
        "digest was made of other bytes.",
        example='{"seq":32,"type":"game_end","winners":[0],"reason":"completed","digest":"sha256:0000…"}',
        fix="Take the log from its source again. If you changed it on purpose, leave the digest out.",
    ),
)
