"""Where the files that come with the package lie: in a wheel inside it, in a checkout beside it."""

from pathlib import Path
from typing import Final, Literal, get_args

BundleName = Literal["dashboard", "schemas", "sample_logs"]

BUNDLE_NAMES: Final[tuple[BundleName, ...]] = get_args(BundleName)

_PACKAGE: Final = Path(__file__).resolve().parent


def bundle_path(name: BundleName) -> Path:
    """Return the folder of a bundled part, from an installed wheel as from a checkout.

    Args:
        name: `dashboard`, `schemas` or `sample_logs`.

    Raises:
        FileNotFoundError: the part is not there (a checkout without it, or a damaged install).
        ValueError: no part has this name.

    >>> bundle_path("nothing")
    Traceback (most recent call last):
    ValueError: 'nothing' is not bundled; choose from dashboard, schemas, sample_logs
    """
    if name not in BUNDLE_NAMES:
        raise ValueError(f"{name!r} is not bundled; choose from {', '.join(BUNDLE_NAMES)}")
    checkout = _PACKAGE.parent
    # Only a checkout is looked at: beside an installed package anybody's `dashboard` may lie.
    root = checkout if (checkout / "pyproject.toml").is_file() else _PACKAGE / "_bundle"
    path = root / name
    if not path.is_dir():
        raise FileNotFoundError(f"the bundled folder {name!r} is missing from this install of ono-replay")
    return path
