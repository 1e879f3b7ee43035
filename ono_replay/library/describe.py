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

```python
from ono_replay.library.store import Library

connection = Library("games").connect()  # a DuckDB connection with the views
connection.sql("select card, sum(plays) from card_use group by all").df()  # or .to_arrow_table(), .fetchall()
```

The Python connection is your own and not limited. `ono-replay sql` answers one SELECT at a time, in a process that
reads the views and nothing else and is stopped when it takes too long (`--timeout`) or too much (`--max-memory`).

## What is let in

| the game | what becomes of it |
| --- | --- |
| `valid` | taken in |
| `unfinished` | taken in; `games.verdict` says so |
| `invalid`, and lines that belong to no game | `quarantine`, with the report and every byte |
| there already, as it is, shorter, or with fewer cards shown | told, nothing changes |
| there in a shorter version, or with fewer cards shown | takes its place |
| there, and this is its finished log mended (`amend`: `meta.amends` has the other's digest) | takes its place |
| another game under the same id | `quarantine`; `--id-prefix` keeps sources apart |

A version is longer if it begins with the lines that are there, or with the events of them that stand. Undone events are
counted (`games.n_voided`) and not kept; what comes out again is the finished log, byte for byte.

## The folder

`library.json` names the parts that make up the library and is only ever replaced whole; `parts/` has their Parquet
files, one a view, written once; `retired/` remembers earlier states while somebody reads them; `lock` is held by the one
process that writes. Whatever a killed process leaves is cleared away by the next. Copy a library while nothing is
imported; delete the whole folder to be rid of it. It can be made again from the logs at any time.

## An example

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
    head = f"## `{view.name}`\n\nOne row is {view.row}. A file has them in the order of `{view.order}`; `order by` gives it to an answer.\n"
    return "\n".join([head, "| column | type | |", "| --- | --- | --- |", *rows, ""])
