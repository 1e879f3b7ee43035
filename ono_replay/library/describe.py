"""The reference of the views, `schemas/LIBRARY.md`, written from `columns`."""

from ono_replay.library.columns import VIEWS, View

_HEAD = """\
# The views of a library

A library is a folder of recorded games; `ono-replay import LOG… --library DIR` fills it. `ono-replay sql QUERY
--library DIR` and, in Python, `ono_replay.library.store.Library(DIR).connect()` ask it in SQL (DuckDB's) through the
views below. This page is written from `ono_replay/library/columns.py`. A released column never changes its meaning;
new ones may be added, so name the columns you use.

Seats count from 0, rounds from 1. Cards are the tokens of the log, `?` an unknown one; hands are in the order of the
rules, `?` last. `discard_four` stands for the four-card discard where a card is named. What is null says so.
Games that are not `valid` or `unfinished` are in `quarantine` and in no other view.

Which games passed through a total of 98 with a Reverse under a pair?

```sql
select distinct game_id from decisions where total_before = 98 and plays_due = 2 and card = 'reverse'
```
"""


def library_page() -> str:
    """Return the page.

    >>> library_page().splitlines()[0]
    '# The views of a library'
    """
    return "\n".join([_HEAD, *map(_section, VIEWS)])


def _section(view: View) -> str:
    rows = [f"| `{column.name}` | {column.type} | {column.meaning} |" for column in view.columns]
    head = f"## `{view.name}`\n\nOne row is {view.row}. In the order of `{view.order}`.\n"
    return "\n".join([head, "| column | type | |", "| --- | --- | --- |", *rows, ""])
