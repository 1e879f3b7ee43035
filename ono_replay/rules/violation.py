"""What an illegal event breaks: a code of schemas/SPECIFICATION.md section 14 and the data to explain it with."""

from typing import Any

import msgspec


class Violation(msgspec.Struct, frozen=True):
    """The first rule that an event breaks.

    `code` is a code of schemas/SPECIFICATION.md section 14, `detail` tells apart what one code covers, `expected` and
    `actual` are values (never sentences), `legal` the tokens the seat could have played, where that helps.
    """

    code: str
    detail: str = ""
    expected: Any = None
    actual: Any = None
    legal: tuple[str, ...] = ()


class IllegalEvent(ValueError):
    """An event that the rules do not allow; `violation` says why."""

    def __init__(self, violation: Violation) -> None:
        """Keep the violation."""
        super().__init__(violation.code)
        self.violation = violation
