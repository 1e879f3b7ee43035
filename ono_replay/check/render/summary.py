"""What renderers for people have in common: the counts in words, and knock-ons folded."""

from collections.abc import Iterable, Iterator

from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.phrases import count_of, join_words

_SENTENCE_STARTS = frozenset(("the", "there", "two", "something", "an", "a", "version"))


def summary_line(summary: Summary) -> str:
    """Return the counts of a run in one line.

    >>> summary_line(Summary(files=1, games=2, valid=1, invalid=1, events=90, errors=1))
    '2 games in 1 file: 1 valid, 1 invalid. 1 error. 90 events.'
    """
    games = count_of(summary.games, "game") if summary.games else "No games"
    verdicts = [
        f"{number:,} {verdict}"
        for number, verdict in (
            (summary.valid, "valid"),
            (summary.unfinished, "unfinished"),
            (summary.invalid, "invalid"),
        )
        if number
    ]
    parts = [
        f"{games} in {count_of(summary.files, 'file')}" + (f": {', '.join(verdicts)}" if verdicts else "")
    ]
    found = count_findings(summary)
    if found:
        parts.append(", ".join(found) if summary.knock_ons else join_words(found))
    if summary.unverified:
        parts.append(f"{count_of(summary.unverified, 'check')} could not be made (unknown cards)")
    if summary.events:
        parts.append(count_of(summary.events, "event"))
    return ". ".join(parts) + "."


def count_findings(counts: GameReport | Summary) -> list[str]:
    """Return how many errors, warnings and notes there are, in words; none of what there is none of.

    Errors that only follow from another are told apart: one fault is one error.

    >>> count_findings(Summary(errors=25, knock_ons=24, notes=2))
    ['1 error and 24 that follow from it', '2 notes']
    """
    own = counts.errors - counts.knock_ons
    errors = count_of(counts.errors, "error")
    if own and counts.knock_ons:
        errors = f"{count_of(own, 'error')} and {name_knock_ons(counts.knock_ons, own)}"
    found = [errors] if counts.errors else []
    others = ((counts.warnings, "warning"), (counts.notes, "note"))
    return found + [count_of(number, word) for number, word in others if number]


def capitalised(message: str) -> str:
    """Return a message with a capital, unless it begins with a key or a name.

    >>> capitalised("the line breaks off"), capitalised("seq must be an integer")
    ('The line breaks off', 'seq must be an integer')
    """
    word = message.partition(" ")[0]
    return message[:1].upper() + message[1:] if word in _SENTENCE_STARTS else message


def name_knock_ons(number: int, faults: int = 1) -> str:
    """Return how many findings follow from one or more, in words.

    >>> name_knock_ons(1), name_knock_ons(3, 2)
    ('1 that follows from it', '3 that follow from them')
    """
    return f"{number:,} that {'follows' if number == 1 else 'follow'} from {'it' if faults == 1 else 'them'}"


def count_knock_ons(diagnostics: Iterable[Diagnostic]) -> Iterator[tuple[Diagnostic, int]]:
    """Yield each finding that is no knock-on, with the number of knock-ons up to the next one.

    Knock-ons that stand before any other finding count for the first of them, which is then yielded itself.
    """
    lead: Diagnostic | None = None
    follow = 0
    for found in diagnostics:
        if lead is None:
            lead = found
        elif found.knock_on:
            follow += 1
        else:
            yield lead, follow
            lead, follow = found, 0
    if lead is not None:
        yield lead, follow
