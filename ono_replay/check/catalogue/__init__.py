"""The one table of all codes, with a page for each; codes are never reused."""

import difflib
from types import MappingProxyType
from typing import Final

from ono_replay.check.catalogue import ends, lines, order, play
from ono_replay.check.catalogue.code import Code

__all__ = ["CATALOGUE", "Code", "code_named", "codes_like"]

CATALOGUE: Final = MappingProxyType(
    {code.code: code for code in (*lines.CODES, *order.CODES, *play.CODES, *ends.CODES)}
)
"""All codes by code, ascending."""

_BY_NAME: Final = {code.name: code for code in CATALOGUE.values()}


def code_named(text: str) -> Code:
    """Return the code that a text means: a code, its number or its name, in any case.

    Raises `KeyError` with the text where there is none.

    >>> code_named("ono301").name, code_named("301").name, code_named("Out-of-turn").code
    ('out-of-turn', 'out-of-turn', 'ONO301')
    """
    asked = text.strip().lower().replace("_", "-").replace(" ", "-")
    code = _BY_NAME.get(asked) or CATALOGUE.get("ONO" + asked.removeprefix("ono").removeprefix("-"))
    if code is None:
        raise KeyError(text)
    return code


def codes_like(text: str) -> list[Code]:
    """Return the codes that a text that is none may have meant, the likeliest first.

    >>> [code.code for code in codes_like("out-of-trun")]
    ['ONO301']
    """
    asked = text.strip().lower().replace("_", "-").replace(" ", "-")[:60]
    names = difflib.get_close_matches(asked, _BY_NAME, n=3, cutoff=0.6)
    if names:
        return [_BY_NAME[name] for name in names]
    parts = [code for name, code in _BY_NAME.items() if len(asked) > 2 and asked in name]
    if parts:
        return parts[:3]
    return [CATALOGUE[code] for code in difflib.get_close_matches(asked.upper(), CATALOGUE, n=3, cutoff=0.8)]
