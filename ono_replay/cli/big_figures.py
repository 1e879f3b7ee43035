"""A number in figures that are read from across the table."""

from typing import Final

_ROWS: Final = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    "-": ("   ", "   ", "###", "   ", "   "),
}


def big_figures(number: int, ink: str = "█") -> list[str]:
    """Return a number as five lines of text; `ink` is what they are drawn with.

    >>> print(*big_figures(-7, "#"), sep="|")
          ######|          ##|######    ##|          ##|          ##
    """
    return [
        "  ".join(
            "".join(ink * 2 if dot == "#" else "  " for dot in _ROWS[sign][row]) for sign in str(number)
        ).rstrip()
        for row in range(5)
    ]
