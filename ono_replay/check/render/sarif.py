"""SARIF 2.1.0, what code scanning services and editors read."""

from pathlib import Path
from typing import Any, Final, TextIO
from urllib.parse import quote

from ono_replay._version import __version__
from ono_replay.check.catalogue import CATALOGUE, Code
from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.phrases import ended
from ono_replay.check.render.jsontext import summary_object, to_json, write_json
from ono_replay.check.render.marks import span_of
from ono_replay.check.render.summary import capitalised
from ono_replay.check.scene import Scene

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_RULE_INDEX: Final = {code: place for place, code in enumerate(CATALOGUE)}


class SarifRenderer:
    """Writes one SARIF log with one run: a rule for each code, a result for each finding, as games are done."""

    def __init__(self, stream: TextIO) -> None:
        """Write to a stream."""
        self._stream = stream
        self._results = 0
        driver = {
            "name": "ono-replay",
            "version": __version__,
            "rules": [_rule(code) for code in CATALOGUE.values()],
        }
        write_json(
            stream,
            f'{{"$schema":{to_json(SCHEMA)},"version":"2.1.0","runs":[{{"tool":{to_json({"driver": driver})},"results":[',
        )

    def game(self, report: GameReport) -> None:
        """Write the findings of a game."""
        for found in report.diagnostics:
            self._write(found, report.scenes.get(found.line or 0))

    def stray(self, found: Diagnostic) -> None:
        """Write a finding that belongs to no game."""
        self._write(found, None)

    def _write(self, found: Diagnostic, scene: Scene | None) -> None:
        write_json(self._stream, (",\n" if self._results else "\n") + to_json(_result(found, scene)))
        self._results += 1

    def close(self, summary: Summary) -> None:
        """Write the end, with the counts as properties of the run."""
        self._stream.write(
            f'\n],"columnKind":"unicodeCodePoints","properties":{{"summary":{to_json(summary_object(summary))}}}}}]}}\n'
        )


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.code,
        "name": code.name,
        "shortDescription": {"text": code.what},
        "fullDescription": {"text": code.why},
        "help": {"text": f"{code.fix}\n\nExample:\n{code.example}"},
        "defaultConfiguration": {"level": code.severity},
    }


def _result(found: Diagnostic, scene: Scene | None) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(found.file)}}
    if found.line is not None:
        place["region"] = {"startLine": found.line}
        span = None if scene is None else span_of(found, scene)
        if span is not None:
            place["region"] |= {"startColumn": span[0] + 1, "endColumn": span[1] + 1}
    location: dict[str, Any] = {"physicalLocation": place}
    if found.game_id is not None:
        location["logicalLocations"] = [{"name": found.game_id, "kind": "game"}]
    return {
        "ruleId": found.code,
        "ruleIndex": _RULE_INDEX[found.code],
        "level": found.severity,
        "message": {"text": _text(found)},
        "locations": [location],
        "properties": {
            "game_id": found.game_id,
            "seq": found.seq,
            "seat": found.seat,
            "expected": found.expected,
            "actual": found.actual,
            "legal": found.legal,
            "knock_on": found.knock_on,
        },
    }


def _text(found: Diagnostic) -> str:
    message = capitalised(found.message)
    return f"{ended(message)} {found.help}" if found.help else message


def _uri(file: str) -> str:
    path = Path(file)
    if path.is_absolute():
        return path.as_uri()
    return quote(path.as_posix().encode("utf-8", "surrogateescape"))
