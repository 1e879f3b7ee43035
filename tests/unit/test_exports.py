"""The public names of the package."""

import ast
from pathlib import Path

import ono_replay


def test_every_name_comes_from_where_the_table_says() -> None:
    for name, module in ono_replay._EXPORTS.items():
        thing = getattr(ono_replay, name)
        assert getattr(thing, "__module__", module) == module, name


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(ono_replay.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == ono_replay._EXPORTS
