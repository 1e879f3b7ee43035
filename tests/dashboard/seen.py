"""Pages that are run without a browser, and what they gave their own components."""

import json

from streamlit.testing.v1 import AppTest


def run_page(name, **address):
    """Run a page of `dashboard.views` with an address; it ends without an exception."""
    app = AppTest.from_string(f"from dashboard.views.{name} import {name}_page\n{name}_page()")
    for key, value in address.items():
        app.query_params[key] = value
    app.run(timeout=60)
    assert not app.exception
    return app


def mounted(app):
    """Return what each component of ours was given."""
    return [
        json.loads(element.proto.mixed.json or element.proto.json) for element in app.get("bidi_component")
    ]


def tables(app):
    """Return the tables of a page, each as its caption and its rows by column."""
    return [
        (
            given["caption"],
            [
                dict(zip([column["title"] for column in given["columns"]], map(text_of, row), strict=True))
                for row in given["rows"]
            ],
        )
        for given in mounted(app)
        if "caption" in given
    ]


def table(app):
    """Return the rows of the only table."""
    ((_, rows),) = tables(app)
    return rows


def links(app):
    """Return where the cells of all tables lead."""
    return [
        cell["to"]
        for given in mounted(app)
        if "caption" in given
        for row in given["rows"]
        for cell in row
        if isinstance(cell, dict) and "to" in cell
    ]


def text_of(cell):
    return cell["t"] if isinstance(cell, dict) else cell
