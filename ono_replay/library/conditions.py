"""A condition over games, written by anyone: let through only what can do nothing but choose games.

DuckDB's own parser takes the condition apart. Each piece must be one of those listed here: columns of the views,
constants, comparisons, harmless functions, and questions to other views of the library. Files, settings,
table functions, joins and whatever a later DuckDB may bring are refused.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import duckdb
import msgspec

from ono_replay.check.printable import printable
from ono_replay.library.columns import VIEWS

LONGEST: Final = 10_000
"""Characters of a condition."""

MOST_BRACKETS: Final = 500
"""Of thousands that are not closed the parser takes seconds."""

_CLASSES: Final = frozenset(
    {
        "BETWEEN", "CASE", "CAST", "COLLATE", "COLUMN_REF", "COMPARISON", "CONJUNCTION", "CONSTANT", "FUNCTION",
        "OPERATOR", "STAR", "SUBQUERY", "TYPE",
    }
)  # fmt: skip
_NODES: Final = frozenset(
    {"BASE_TABLE", "DISTINCT_MODIFIER", "EMPTY", "ORDER_ASCENDING", "ORDER_DEFAULT", "ORDER_DESCENDING",
     "ORDER_MODIFIER", "SELECT_NODE"}
)  # fmt: skip
_TABLES: Final = frozenset(view.name for view in VIEWS if view.name not in ("quarantine", "sources"))
FUNCTIONS: Final = frozenset(
    {
        # comparing texts; like, ilike, glob and their opposites
        "~~", "!~~", "~~*", "!~~*", "~~~", "like_escape", "not_like_escape", "ilike_escape", "not_ilike_escape",
        "regexp_matches", "regexp_full_match", "starts_with", "^@", "ends_with", "prefix", "suffix", "contains",
        # texts
        "lower", "upper", "trim", "ltrim", "rtrim", "length", "strlen", "substring", "substr", "left", "right",
        "strip_accents", "||", "strftime",
        # numbers
        "+", "-", "*", "/", "//", "%", "abs", "round", "trunc", "floor", "ceil", "ceiling", "greatest", "least", "sign", "mod",
        # times
        "year", "month", "day", "hour", "minute", "dayofweek", "isodow", "weekday", "week", "quarter", "date_part",
        "date_trunc", "epoch", "epoch_ms", "make_date", "date_diff", "datediff", "dayname", "monthname",
        "to_years", "to_months", "to_weeks", "to_days", "to_hours", "to_minutes", "now", "today", "get_current_timestamp",
        # lists, and the JSON of a ruleset
        "list_contains", "list_has", "array_contains", "array_has", "list_has_any", "list_has_all", "len", "list_value",
        "array_length", "list_position", "list_extract", "array_extract", "row", "->", "->>", "json_extract",
        "json_extract_string", "json_exists", "json_array_length",
        # in questions to other views
        "count", "count_star", "sum", "min", "max", "avg", "mean", "median", "any_value", "bool_or", "bool_and",
        "count_if", "countif",
        # absent values
        "ifnull", "nullif", "coalesce", "isnan",
    }
)  # fmt: skip


class BadCondition(ValueError):
    """A condition that is not let through, or that DuckDB does not take; the text is a message for people."""


def chosen_by(condition: str, columns: str = "game_id") -> str:
    """Return the statement that chooses games by a condition over `games`.

    Raises `BadCondition` for what is no condition, or may do more than choose.

    >>> chosen_by("n_players > 2 and edition = '1980'").splitlines()
    ["select game_id from games where (n_players > 2 and edition = '1980'", ')']
    >>> chosen_by("exists (from read_csv('secrets.csv'))")
    Traceback (most recent call last):
    ono_replay.library.conditions.BadCondition: in a condition no table function can be used
    """
    if len(condition) > LONGEST:
        raise BadCondition(f"the condition has {len(condition):,} characters; {LONGEST:,} are the most")
    if not condition.strip():
        raise BadCondition("the condition is empty")
    if condition.count("(") > MOST_BRACKETS:
        raise BadCondition(f"the condition has more than {MOST_BRACKETS} brackets")
    # The line end closes a comment in the condition; what it opens and does not close is a fault of syntax, as is what
    # it closes without having opened it.
    _check(f"select game_id from games where ({condition}\n)")
    _check(f"select game_id from games where {condition}\n")
    return f"select {columns} from games where ({condition}\n)"


def misread(condition: str, error: duckdb.Error) -> BadCondition:
    """Return what to tell of a condition that DuckDB does not take."""
    reason = str(error).partition("\n\nLINE")[0].replace("\n", " ")
    return BadCondition(f"the condition is not understood: {printable(reason)}{_advice(condition, reason)}")


def _advice(condition: str, reason: str) -> str:
    unknown = re.search(r'column "(.+?)" not found', reason)
    if unknown is None:
        return ""
    word = unknown[1]
    if f'"{word}"' in condition:
        return f"; a text stands in single quotes: '{printable(word)}'"
    for view in VIEWS:
        if view.name in _TABLES and word.lower() in view.names and "game_id" in view.names:
            return f"; {word} is a column of {view.name}: game_id in (select game_id from {view.name} where {word} …)"
    return ""


def _check(statement: str) -> None:
    tree = _parse(statement)
    if tree.get("error"):
        raise BadCondition(f"the condition is not understood: {printable(str(tree.get('error_message')))}")
    statements = tree["statements"]
    if len(statements) != 1 or statements[0]["node"]["type"] != "SELECT_NODE":
        raise BadCondition("that is more than a condition")
    node = statements[0]["node"]
    for clause in ("modifiers", "group_expressions", "group_sets", "having", "sample", "qualify"):
        if node.get(clause):
            raise BadCondition("that is more than a condition: something follows it")
    for piece in _pieces(node):
        _check_piece(piece)


def _parse(statement: str) -> Any:
    if "\0" in statement:
        raise BadCondition("the condition holds a NUL character")
    connection = duckdb.connect(":memory:")
    try:
        found = connection.execute("select json_serialize_sql(?::varchar)", [statement]).fetchone()
        return msgspec.json.decode(found[0] if found else "")
    except (duckdb.Error, msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise BadCondition(f"the condition is not understood: {printable(str(error))}") from None
    finally:
        connection.close()


def _pieces(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield every piece of a parsed statement that has a kind."""
    waiting = [tree]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, dict):
            if "class" in piece or "type" in piece:
                yield piece
            waiting.extend(piece.values())
        elif isinstance(piece, list):
            waiting.extend(piece)


def _check_piece(piece: dict[str, Any]) -> None:
    kind = piece.get("class")
    if kind is None:
        kind = piece["type"]
        if isinstance(kind, str) and kind not in _NODES:
            raise BadCondition(f"in a condition no {_plainly(kind)} can be used")
        if kind == "BASE_TABLE":
            _check_table(piece)
        elif kind == "SELECT_NODE" and piece.get("cte_map", {}).get("map"):
            raise BadCondition("in a condition no `with` can be used")
    elif kind not in _CLASSES:
        raise BadCondition(f"in a condition no {_plainly(str(kind))} can be used")
    elif kind == "FUNCTION":
        name = str(piece.get("function_name")).lower()
        if name not in FUNCTIONS or piece.get("schema") or piece.get("catalog"):
            raise BadCondition(f"in a condition the function {printable(name)} can not be used")


def _check_table(piece: dict[str, Any]) -> None:
    name = str(piece.get("table_name")).lower()
    if name not in _TABLES or piece.get("schema_name") or piece.get("catalog_name"):
        known = ", ".join(sorted(_TABLES))
        raise BadCondition(f"in a condition the table {printable(name)} can not be used; there are {known}")


def _plainly(kind: str) -> str:
    return kind.lower().replace("_node", "").replace("_", " ")
