"""Bulk: columns of many games at once, and one compiled pass that replays and judges them.

The second statement of the rules, on purpose: it shares with `rules/` only the table of what cards do and
the ruleset, and is held to the same answers by differential tests. `schemas/BULK.md` explains the layout.
"""
