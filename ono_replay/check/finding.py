"""From a fault to a diagnostic."""

from typing import Any

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.diagnostic import Diagnostic, Severity


def diagnostic(
    code: str,
    file: str,
    line: int | None,
    message: str,
    *,
    severity: Severity | None = None,
    help_text: str | None = None,
    **more: Any,
) -> Diagnostic:
    """Return a diagnostic with the name, severity and advice of its code in the catalogue."""
    known = CATALOGUE[code]
    return Diagnostic(
        code=code,
        name=known.name,
        severity=severity or known.severity,
        file=file,
        line=line,
        message=message or known.what.rstrip("."),
        help=help_text or known.fix,
        **more,
    )
