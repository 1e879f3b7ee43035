"""JSON Schemas of the log format, generated from the event types and the options of a ruleset.

They say what one line must look like by itself; what a line may say after the lines before it is for the
validator. Many validators of JSON Schema take `1.0` for an integer: the format does not.
"""

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from ono_replay.log.output import check_free, log_writer
from ono_replay.rules.cards import HIDDEN, TOKENS
from ono_replay.rules.events import EVENT_TYPES, GameEvent, Player, Position, Shuffle, Source
from ono_replay.rules.ruleset import CHOICES, OPTIONS, RANGES

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_INTERNAL = re.compile(r" \([A-Z]+\.md[^)]*\)")
_LAST_SEAT = 98
_PILE = {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/card"}}, {"type": "integer", "minimum": 0}]}
_SEAT = {"$ref": "#/$defs/seat"}
_SEAT_OR_NULL = {"anyOf": [_SEAT, {"type": "null"}]}
_PLAYED = {"$ref": "#/$defs/known_card"}
_ABOUT = {
    "seat": {
        "description": "A seat, counted clockwise.",
        "type": "integer",
        "minimum": 0,
        "maximum": _LAST_SEAT,
    },
    "known_card": {"description": "A card that everyone knows.", "enum": list(TOKENS)},
    "card": {"description": 'A card, "?" where the view hides it.', "enum": [*TOKENS, HIDDEN]},
    "integer": {
        "description": "A signed integer of 64 bits, written without `.` and `e`.",
        "type": "integer",
        "minimum": -(2**63),
        "maximum": 2**63 - 1,
    },
}
_NARROWER: dict[tuple[str, str], dict[str, Any]] = {
    ("*", "at_ms"): {"type": "integer", "minimum": 0, "maximum": 2**63 - 1},
    ("*", "irregular"): {"const": True},
    ("*", "seat"): _SEAT,
    ("*", "starter"): _SEAT,
    ("*", "viewer"): _SEAT,
    ("*", "dealer"): _SEAT_OR_NULL,
    ("*", "winner"): _SEAT_OR_NULL,
    ("*", "loser"): _SEAT_OR_NULL,
    ("*", "turn"): _SEAT_OR_NULL,
    ("*", "out"): {"type": "array", "items": _SEAT},
    ("game_start", "version"): {"type": "string", "pattern": r"^1\.(0|[1-9][0-9]*)$"},
    ("game_start", "game_id"): {"type": "string", "minLength": 1, "maxLength": 128},
    ("game_start", "ruleset"): {"$ref": "#/$defs/ruleset"},
    ("game_start", "started_at"): {"type": "string", "format": "date-time"},
    ("game_end", "winners"): {"type": "array", "items": _SEAT, "uniqueItems": True},
    ("game_end", "digest"): {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
    ("play", "card"): _PLAYED,
    ("eliminate", "card"): _PLAYED,
    ("player", "bot"): {"const": True},
    ("position", "draw_pile"): _PILE,
    ("position", "discard_pile"): _PILE,
}
"""What the format asks for beyond the types, by type and key."""


def ruleset_schema() -> dict[str, Any]:
    """Return the schema of `game_start.ruleset`.

    >>> ruleset_schema()["properties"]["max_total"]
    {'type': 'integer', 'minimum': 1, 'maximum': 999}
    """
    properties: dict[str, Any] = {}
    for option in OPTIONS:
        if option in RANGES:
            least, most = RANGES[option]
            properties[option] = {"type": "integer", "minimum": least, "maximum": most}
        elif option in CHOICES:
            properties[option] = {"enum": list(CHOICES[option])}
    properties["deck"] = {
        "type": "object",
        "propertyNames": {"enum": list(TOKENS)},
        "additionalProperties": {"type": "integer", "minimum": 0},
        "minProperties": 1,
    }
    return {
        "description": "The edition, and the options that differ from its defaults.",
        "type": "object",
        "properties": {option: properties[option] for option in OPTIONS},
        "required": ["edition"],
        "additionalProperties": False,
    }


def event_schema() -> dict[str, Any]:
    """Return the schema of one line of a log, with one definition for each event type.

    >>> event_schema()["$defs"]["forfeit_draw"]["required"]
    ['seq', 'type', 'seat']
    """
    _, components = msgspec.json.schema_components((GameEvent,))
    names = {cls.__name__: name for name, cls in EVENT_TYPES.items()}
    names |= {cls.__name__: cls.__name__.lower() for cls in (Player, Source, Shuffle, Position)}
    found = {names[name]: component for name, component in components.items()}
    definitions = {name: _definition(name, found[name], names) for name in names.values()}
    return {
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in EVENT_TYPES],
        "$defs": definitions | {"ruleset": ruleset_schema()} | _ABOUT,
    }


def _definition(name: str, component: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Turn what msgspec makes of a record into the schema of its object."""
    properties: dict[str, Any] = {}
    order = ["seq", "type", *component["properties"]] if name in EVENT_TYPES else component["properties"]
    for key in dict.fromkeys(order):
        if key != "extra":
            narrower = _NARROWER.get((name, key)) or _NARROWER.get(("*", key))
            properties[key] = narrower or _simpler(component["properties"][key], names)
    schema = {
        "description": _INTERNAL.sub("", component["description"].split("\n")[0]),
        "type": "object",
        "properties": properties,
        "required": [key for key in properties if key in component["required"]],
    }
    if name == "game_start":
        schema["if"] = {"properties": {"view": {"const": "seat"}}}
        schema["then"] = {"required": ["viewer"]}
        schema["else"] = {"properties": {"viewer": False}}
    return schema


def _simpler(schema: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Name cards and integers, and take away the null that stands for a key that is left out."""
    if schema.get("type") == "integer":
        return {"$ref": "#/$defs/integer"}
    if HIDDEN in schema.get("enum", ()):
        return {"$ref": "#/$defs/card"}
    if len(schema.get("enum", ())) == 1:
        return {"const": schema["enum"][0]}
    if "$ref" in schema:
        return {"$ref": "#/$defs/" + names[schema["$ref"].rsplit("/", 1)[1]]}
    simpler = {key: value for key, value in schema.items() if key != "default"}
    if "items" in simpler:
        simpler["items"] = _simpler(simpler["items"], names)
    if "anyOf" in simpler:
        choices = [each for each in simpler["anyOf"] if each != {"type": "null"} or "default" not in schema]
        simpler["anyOf"] = [_simpler(each, names) for each in choices]
        if len(choices) == 1:
            return dict(simpler["anyOf"][0])
    return simpler


def schemas() -> dict[str, str]:
    """Return the text of each schema by the name of its file.

    >>> sorted(schemas())
    ['event.schema.json', 'ruleset.schema.json']
    """
    made = {
        "event.schema.json": ("One line of a log of ONO 99, format version 1", event_schema()),
        "ruleset.schema.json": ("The ruleset of a game of ONO 99", ruleset_schema()),
    }
    return {
        name: json.dumps({"$schema": DIALECT, "title": title} | schema, indent=2, ensure_ascii=False) + "\n"
        for name, (title, schema) in made.items()
    }


def write_schemas(folder: str | Path, *, overwrite: bool = False) -> list[Path]:
    """Write the schemas into a folder that is there and return their paths.

    Where a file of one of the names exists nothing is written, unless `overwrite` is given. Raises `log.output.Unwritable`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write_schemas(folder)]
    ['event.schema.json', 'ruleset.schema.json']
    """
    texts = {Path(folder) / name: text for name, text in schemas().items()}
    for path in texts:
        check_free(path, overwrite=overwrite)
    for path, text in texts.items():
        with log_writer(path) as file:
            file.write(text.encode())
    return list(texts)
