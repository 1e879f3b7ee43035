"""ONO3xx: a card, a draw or a discard that the rules do not allow."""

from ono_replay.check.catalogue.code import Code

CODES = (
    Code(
        "ONO301",
        "out-of-turn",
        "error",
        what="A seat acts though it is another's turn.",
        why="Turns go around in the direction of play. Whoever owes two cards after a pair card plays both.",
        example='{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
        '{"seq":5,"type":"draw","seat":0,"card":"9"}\n'
        '# It is the turn of seat 1.\n{"seq":6,"type":"play","seat":0,"card":"9","total":16}',
        fix="Look for a card that was not recorded, or a Reverse or pair card that was overlooked.",
    ),
    Code(
        "ONO302",
        "card-not-in-hand",
        "error",
        what="The card played is not in the player's hand.",
        why="The hand is known from the deal, the draws and the plays before.",
        example='{"seq":2,"type":"deal","seat":0,"cards":["7","ono_99","reverse","0"]}\n'
        '# … seat 0 to play, no 9 drawn yet.\n{"seq":4,"type":"play","seat":0,"card":"9","total":9}',
        fix='Check the card, the seat and the draws before. Where hands are not known, write "?" in a public view.',
    ),
    Code(
        "ONO303",
        "over-the-limit",
        "error",
        what="The card takes the total over the limit.",
        why="A card may be played only if the total after it is at most `max_total`, 98 unless the table plays "
        "otherwise. Who can play nothing is eliminated.",
        example='# The total is 95.\n{"seq":20,"type":"play","seat":1,"card":"7","total":102}',
        fix='If the player was out, write `eliminate` instead. If the table let it stand, add "irregular":true. A '
        "table that loses only over 99 plays with the option `max_total` 99.",
    ),
    Code(
        "ONO304",
        "card-not-playable",
        "error",
        what="An ONO 99 is played.",
        why="An `ono_99` can not be played. Two exceptions: four at once may be discarded (2022), and with the "
        "option `ono_99_on_zero` one a turn may be played while the total ends in zero.",
        example='# The total is 34.\n{"seq":20,"type":"play","seat":1,"card":"ono_99","total":34}',
        fix="Four at once are a `discard_four`. If the table plays ONO 99s on a zero, say so in the ruleset.",
    ),
    Code(
        "ONO305",
        "barred-first-card",
        "error",
        what="A Double Play is the first card of a forced pair.",
        why="Who must play two may not begin with a Double Play; as the second card it is allowed.",
        example='{"seq":10,"type":"play","seat":0,"card":"double_play","total":40}\n'
        '{"seq":11,"type":"draw","seat":0,"card":"9"}\n'
        '{"seq":12,"type":"play","seat":1,"card":"double_play","total":40}',
        fix='Check the order of the two cards. If the table let it stand, add "irregular":true.',
    ),
    Code(
        "ONO306",
        "wrong-total",
        "error",
        what="The total after the card is not what the card makes of the total before.",
        why="Every total is checked by adding up. What follows may go on from either number.",
        example='# The total is 30.\n{"seq":20,"type":"play","seat":1,"card":"7","total":38}',
        fix="Add again: a number card adds its face, -10 takes ten off (and stops at 0 in the 2022 edition), all "
        'others add nothing. If the table went on from the wrong number, add "irregular":true.',
    ),
    Code(
        "ONO307",
        "player-is-out",
        "error",
        what="A seat acts, or is dealt to, that is out of the round or of the match.",
        why="An eliminated player takes no more turns; a player without chips, or who left, gets no more cards.",
        example='{"seq":30,"type":"eliminate","seat":1,"reason":"no_legal_play"}\n'
        '{"seq":31,"type":"play","seat":1,"card":"0","total":98}',
        fix="Check the seat, and whether the elimination before was right.",
    ),
    Code(
        "ONO308",
        "draw-missing",
        "error",
        what="A card that was due has not been drawn when the next thing happens.",
        why="After each card the player draws one. A draw that is lost is written too, as `forfeit_draw`.",
        example='{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
        '# The draw of seat 0 is missing.\n{"seq":5,"type":"play","seat":1,"card":"4","total":11}',
        fix='Add the `draw` (an unknown card is "?"), or `forfeit_draw` where the rules have it.',
    ),
    Code(
        "ONO309",
        "draw-not-due",
        "error",
        what="A card is drawn, or a draw forfeited, that is not due, or by another seat than the one that must.",
        why="One card is drawn for each card played (four after a four-card discard), by who played it.",
        example='{"seq":5,"type":"draw","seat":0,"card":"9"}\n'
        '# Seat 0 has drawn already.\n{"seq":6,"type":"draw","seat":0,"card":"2"}',
        fix="Take the line out, or look for the play that is missing before it.",
    ),
    Code(
        "ONO310",
        "too-many-copies",
        "error",
        what="More copies of a card are in sight than the deck has.",
        why="The cards in known hands, laid-down hands and the discard pile are counted against the deck.",
        example="# A 1980 deck has two Double Plays; both lie on the discard pile.\n"
        '{"seq":40,"type":"play","seat":2,"card":"double_play","total":61}',
        fix="One of the cards was misread, or a reshuffle is not recorded. For a house deck use the option `deck`.",
    ),
    Code(
        "ONO311",
        "card-not-in-deck",
        "error",
        what="The deck of this game has no such card.",
        why="The editions have different cards: Hold and Double Play are of 1980, 0, 1 and Play 2 of 2022.",
        example='# "edition":"2022"\n{"seq":4,"type":"play","seat":0,"card":"hold","total":0}',
        fix="Check the edition in `game_start`. A house deck is given with the option `deck`.",
    ),
    Code(
        "ONO312",
        "forfeit-not-allowed",
        "error",
        what="A draw is forfeited though the rules do not allow that here.",
        why="Only a table with `missed_draw` = forfeit (the 1980 edition) loses draws, and never the one after a "
        "bust card.",
        example='# "edition":"2022"\n{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
        '{"seq":5,"type":"forfeit_draw","seat":0}',
        fix="Write the `draw`. If the table lets draws lapse, set `missed_draw` to forfeit.",
    ),
    Code(
        "ONO313",
        "four-not-held",
        "error",
        what="Four ONO 99s are discarded by a player who does not hold four, or at a table that has no such "
        "discard.",
        why="The discard takes four `ono_99` out of the hand; the option `four_ono_99` says if it is offered.",
        example='{"seq":2,"type":"deal","seat":0,"cards":["ono_99","ono_99","ono_99","0"]}\n'
        '# … seat 0 to play.\n{"seq":4,"type":"discard_four","seat":0}',
        fix="Check the hand. A table that plays this with the 1980 deck sets `four_ono_99` to as_play or "
        "free_action.",
    ),
    Code(
        "ONO314",
        "reshuffle-wrong",
        "error",
        what="A reshuffle comes at the wrong moment or with the wrong number of cards.",
        why="It comes only when a card must be drawn and the draw pile is empty. The whole discard pile becomes the "
        "new draw pile; hands laid down stay out.",
        example='# 38 cards lie on the discard pile.\n{"seq":60,"type":"reshuffle","count":40}',
        fix="Count the discard pile with the card just played (without it where the ruleset keeps the top card).",
    ),
    Code(
        "ONO315",
        "empty-draw-pile",
        "error",
        what="A card is drawn though the draw pile is empty.",
        why="The discard pile must be reshuffled first, and the log has to say so.",
        example='# The draw pile has one card left.\n{"seq":58,"type":"draw","seat":0,"card":"9"}\n'
        '{"seq":59,"type":"play","seat":1,"card":"2","total":40}\n{"seq":60,"type":"draw","seat":1,"card":"3"}',
        fix="Put a `reshuffle` before the draw.",
    ),
    Code(
        "ONO316",
        "opening-card",
        "error",
        what="The round is opened with a card that is no number card, though the player held one to play.",
        why="This table plays with `opening_card` = number.",
        example='# "opening_card":"number"; seat 0 holds a 7.\n'
        '{"seq":4,"type":"play","seat":0,"card":"reverse","total":0}',
        fix="Check the card. If the table has no such rule, take the option out.",
    ),
    Code(
        "ONO317",
        "below-zero",
        "error",
        what="A −10 takes the total below zero.",
        why="This table plays with `minus_ten_floor` = illegal: a −10 can not be played below 10.",
        example='# "minus_ten_floor":"illegal"; the total is 4.\n'
        '{"seq":20,"type":"play","seat":1,"card":"-10","total":-6}',
        fix="Check the total. Tables that allow it set `minus_ten_floor` to none, or to clamp if it stops at 0.",
    ),
    Code(
        "ONO318",
        "not-the-next-card",
        "error",
        what="The card dealt or drawn is not the next one of the recorded deck.",
        why="A log with a `deck` says the order of all cards; deals and draws must follow it.",
        example='{"seq":1,"type":"round_start",…,"deck":["7","ono_99","reverse","0","10","-10","play_2","4","9",…]}\n'
        '# The first draw is the ninth card, a 9.\n{"seq":5,"type":"draw","seat":0,"card":"2"}',
        fix="Check the deck (top card first) and whether a draw before is missing.",
    ),
    Code(
        "ONO319",
        "wrong-starter",
        "error",
        what="Another player must start this round.",
        why="The first round is started by the player to the dealer's left, a later one as the option "
        "`next_starter` says (by the loser of the round before, unless the table plays otherwise).",
        example="# Two players, the dealer is seat 1: seat 0 starts.\n"
        '{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":1}',
        fix="Correct the dealer or the starter. Where anyone may start, set `next_starter` to any or the dealer to "
        "null.",
    ),
)
