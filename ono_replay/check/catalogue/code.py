"""What the catalogue tells of one code."""

import msgspec

from ono_replay.check.diagnostic import Severity


class Code(msgspec.Struct, frozen=True):
    """One code of schemas/SPECIFICATION.md section 14 with its page."""

    code: str
    name: str
    severity: Severity
    """The usual one; a fault let stand, and an unknown type of a newer minor version, are warnings."""
    what: str
    """What is wrong, in one or two sentences."""
    why: str
    """Why that is a fault."""
    example: str
    """Lines of a log that show it; a line that begins with `# ` is a remark."""
    fix: str
    """What to do."""
