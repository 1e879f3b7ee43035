"""What renderers for people have in common: the counts in words, and knock-ons folded."""

from collections.abc import Iterable, Iterator

from ono_replay.check.diagnostic import Diagnostic, Summary
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
    found = [
        count_of(number, word)
        for number, word in ((summary.errors, "error"), (summary.warnings, "warning"))
        if number
    ]
    if found:
        parts.append(join_words(found))
    if summary.unverified:
        parts.append(f"{count_of(summary.unverified, 'check')} could not be made (unknown cards)")
    if summary.events:
        parts.append(count_of(summary.events, "event"))
    return ". ".join(parts) + "."


def capitalised(message: str) -> str:
    """Return a message with a capital, unless it begins with a key or a name.

    >>> capitalised("the line breaks off"), capitalised("seq must be an integer")
    ('The line breaks off', 'seq must be an integer')
    """
    word = message.partition(" ")[0]
    return message[:1].upper() + message[1:] if word in _SENTENCE_STARTS else message


def name_knock_ons(number: int) -> str:
    """Return how many findings follow from one, in words.

    >>> name_knock_ons(1), name_knock_ons(3)
    ('1 that follows from it', '3 that follow from it')
    """
    return f"{number:,} that {'follows' if number == 1 else 'follow'} from it"


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
