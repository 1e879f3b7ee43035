"""Which SQL is a question: one SELECT over the views, that names no file and no setting."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import duckdb

from ono_replay.library.columns import VIEWS

FUNCTIONS = frozenset({"range", "generate_series", "unnest", "repeat", "repeat_row"})
"""Table functions that touch nothing outside."""
_NAMES = frozenset(view.name for view in VIEWS)
_SHOWN = frozenset({"", '"tables"', "tables", "__show_tables_expanded"})
_SCHEMAS = frozenset({("", ""), ("", "main"), ("memory", "main"), ("", "memory")})


class QueryRefused(Exception):
    """A query that is not run, or failed; the text is a message for people."""


def check_question(connection: duckdb.DuckDBPyConnection, sql: str, more: Iterable[str] = ()) -> None:
    """Raise `QueryRefused` for anything but one SELECT over the views and tables named in `more`.

    >>> check_question(duckdb.connect(), "select * from 'games.csv'")
    Traceback (most recent call last):
    ono_replay.library.question.QueryRefused: there is no view games.csv; there are ...
    """
    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        raise QueryRefused(str(error).strip()) from None
    if len(statements) != 1:
        what = "is no query" if not statements else f"are {len(statements)} statements: ask one at a time"
        raise QueryRefused(f"this {what}" if not statements else f"these {what}")
    kind = statements[0].type.name.lower()
    if kind != "select":
        shown = "pivot" if kind == "multi" else kind.replace("_", " ")
        raise QueryRefused(
            f"only questions are answered here (SELECT, FROM, WITH, DESCRIBE, SUMMARIZE), no {shown.upper()}"
        )
    answer = connection.execute("select json_serialize_sql(?)", [sql]).fetchone()
    tree = json.loads(answer[0]) if answer else {"error": True}
    if tree.get("error"):
        raise QueryRefused(str(tree.get("error_message") or "this query can not be read"))
    nodes = list(_nodes(tree))
    names = _NAMES.union(more, (entry["key"] for node in nodes for entry in _ctes(node)))
    for node in nodes:
        _check_node(node, names)


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            yield found
            waiting.extend(found.values())
        elif isinstance(found, list):
            waiting.extend(found)


def _ctes(node: dict[str, Any]) -> list[dict[str, Any]]:
    found = node.get("cte_map")
    return found.get("map", []) if isinstance(found, dict) else []


def _check_node(node: dict[str, Any], names: frozenset[str]) -> None:
    kind = node.get("type")
    if kind == "TABLE_FUNCTION":
        function = (node.get("function") or {}).get("function_name", "")
        if function.lower() not in FUNCTIONS:
            raise QueryRefused(
                f"the function {function} is not available here: a query reads the views and nothing else"
            )
    elif kind in ("BASE_TABLE", "SHOW_REF"):
        name = node.get("table_name", "")
        place = (node.get("catalog_name", ""), node.get("schema_name", ""))
        known = {each.lower() for each in names}
        if kind == "SHOW_REF" and name in _SHOWN:
            return
        if name.lower() not in known or place not in _SCHEMAS:
            there_are = ", ".join(sorted(_NAMES))
            raise QueryRefused(
                f"there is no view {'.'.join(filter(None, (*place, name)))}; there are {there_are}"
            )
