"""What of a line is at fault: where the marks go."""

from typing import Final

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.check.render.excerpt import Excerpt, excerpt, find_span
from ono_replay.check.scene import Scene

_BESIDES: Final = ("ONO108", "ONO202", "ONO203", "ONO205")
"""What stands beside the one fault of shape or rule of a line, whose key the scene knows."""

KEYS_AT_FAULT: Final[dict[str, tuple[str, ...]]] = {
    "ONO105": ("type",),
    "ONO201": ("type",),
    "ONO202": ("seq",),
    "ONO203": ("game_id",),
    "ONO204": ("type",),
    "ONO205": ("at_ms",),
    "ONO207": ("cards", "type"),
    "ONO208": ("ruleset",),
    "ONO209": ("to",),
    "ONO211": ("position",),
    "ONO301": ("seat",),
    "ONO302": ("card",),
    "ONO303": ("card",),
    "ONO304": ("card",),
    "ONO305": ("card",),
    "ONO306": ("total",),
    "ONO307": ("seat",),
    "ONO308": ("type",),
    "ONO309": ("type",),
    "ONO310": ("card", "cards", "hand", "type"),
    "ONO311": ("card", "cards", "hand", "type"),
    "ONO312": ("type",),
    "ONO313": ("type",),
    "ONO314": ("count",),
    "ONO315": ("type",),
    "ONO316": ("card",),
    "ONO317": ("card",),
    "ONO318": ("card", "cards"),
    "ONO319": ("starter",),
    "ONO401": ("reason",),
    "ONO402": ("hand", "card"),
    "ONO403": ("winner", "winners"),
    "ONO404": ("type",),
    "ONO405": ("type",),
    "ONO406": ("chips",),
    "ONO407": ("points", "scores"),
    "ONO408": ("loser",),
    "ONO409": ("card", "type"),
    "ONO501": ("digest",),
}
"""What of a line is marked, where the scene does not say it: the first of these keys that is there."""


def span_of(found: Diagnostic, scene: Scene) -> tuple[int, int] | None:
    """Return where in the line of a finding the fault begins and ends, in characters from 0; None if not known.

    >>> scene = Scene(line='{"text":"é","seat":7}'.encode())
    >>> span_of(Diagnostic(code="ONO301", name="", severity="error", file=""), scene)
    (19, 20)
    """
    return find_span(scene.line, keys=_keys(found, scene), column=scene.column)[1]


def marked_line(found: Diagnostic, scene: Scene, width: int) -> Excerpt:
    """Return the line of a finding cut to a width, with marks under what is at fault."""
    return excerpt(scene.line, width, keys=_keys(found, scene), column=scene.column)


def _keys(found: Diagnostic, scene: Scene) -> tuple[str, ...]:
    keys = KEYS_AT_FAULT.get(found.code, ())
    if found.code == "ONO108":
        return (str(found.actual),)
    return (scene.key, *keys) if scene.key is not None and found.code not in _BESIDES else keys
