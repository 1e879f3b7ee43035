"""The views of a library are what the reference says, in every library, also an empty one."""

import pytest

from ono_replay.bundle import bundle_path
from ono_replay.library.columns import VIEWS
from ono_replay.library.describe import library_page
from ono_replay.library.manifest import Writing
from ono_replay.library.store import Library


def test_the_reference_is_of_these_columns(recorded):
    recorded(bundle_path("schemas") / "LIBRARY.md", library_page().encode())


def test_every_column_says_what_it_is():
    names = [f"{view.name}.{column.name}" for view in VIEWS for column in view.columns]
    assert len(names) == len(set(names))
    assert all(column.meaning.strip() for view in VIEWS for column in view.columns)


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_an_empty_library_has_every_view(tmp_path, view):
    Writing(tmp_path / "games", create=True).__exit__()
    connection = Library(tmp_path / "games").connect()
    described = connection.sql(f"describe {view.name}").fetchall()
    assert [(row[0], row[1]) for row in described] == [(column.name, column.type) for column in view.columns]
    assert connection.sql(f"select count(*) from {view.name}").fetchall() == [(0,)]
