"""Diagnostics shown: for people, for programs and for the services that check changes."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Protocol, TextIO

from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.render.github import GithubRenderer
from ono_replay.check.render.json import JsonRenderer
from ono_replay.check.render.jsonl import JsonLinesRenderer
from ono_replay.check.render.sarif import SarifRenderer
from ono_replay.check.render.text import TextRenderer

__all__ = [
    "FORMATS",
    "GithubRenderer",
    "JsonLinesRenderer",
    "JsonRenderer",
    "Renderer",
    "SarifRenderer",
    "TextRenderer",
]


class Renderer(Protocol):
    """Writes reports to a text stream as they come."""

    def game(self, report: GameReport) -> None:
        """Write a game that is done."""

    def stray(self, found: Diagnostic) -> None:
        """Write or keep a finding that belongs to no game."""

    def close(self, summary: Summary) -> None:
        """Write what is left, with the counts over all; nothing can be written after it."""


FORMATS: Final[Mapping[str, Callable[[TextIO], Renderer]]] = MappingProxyType(
    {
        "text": TextRenderer,
        "json": JsonRenderer,
        "jsonl": JsonLinesRenderer,
        "sarif": SarifRenderer,
        "github": GithubRenderer,
    }
)
"""The formats of `ono-replay validate --format`: each makes a renderer for a stream."""
