"""A game of a log as a file to hand on: a page, a picture, an animation or a transcript, in one call."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO, Final, Literal, TypeVar, get_args

import msgspec

from ono_replay.export import pictures
from ono_replay.export.html import page_of
from ono_replay.export.payload import NotShowable, Options, build_payload
from ono_replay.export.shared import find_view
from ono_replay.export.svg import Look, picture_of
from ono_replay.export.text import transcript
from ono_replay.log.output import check_free, is_read, log_writer
from ono_replay.replay import NoEvent, Replay, no_game, read_replays

Kind = Literal["html", "svg", "png", "gif", "text"]
Theme = Literal["light", "dark"]
Made = TypeVar("Made")

KIND_OF: Final[dict[str, Kind]] = {
    ".html": "html",
    ".htm": "html",
    ".svg": "svg",
    ".png": "png",
    ".gif": "gif",
    ".txt": "text",
}
"""What the name of a file tells."""
PNG_WIDTHS: Final = (200, 4000)
GIF_WIDTHS: Final = (200, 1600)
GIF_TIMES: Final = (50, 10_000)
"""From, to: pixels, and milliseconds that an event stays."""
_TAKES: Final[dict[Kind, frozenset[str]]] = {
    "html": frozenset({"seq"}),
    "svg": frozenset({"seq", "theme"}),
    "png": frozenset({"seq", "theme", "width"}),
    "gif": frozenset({"first", "last", "theme", "width", "milliseconds"}),
    "text": frozenset(),
}


class CannotExport(ValueError):
    """What was asked for can not be made; the text says why, for people."""


class How(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown of a game, and how; None is what the kind does by itself."""

    seq: int | None = None
    first: int | None = None
    last: int | None = None
    theme: Theme | None = None
    width: int | None = None
    milliseconds: int | None = None


class Exported(msgspec.Struct, frozen=True):
    """What was written."""

    kind: Kind
    game_id: str | None
    one_of_several: bool
    """Whether the log has more games, and this is the first because none was named."""


def export_game(
    source: str | Path | BinaryIO,
    out: str | Path,
    kind: Kind | None = None,
    *,
    game_id: str | None = None,
    seat: int | str | None = None,
    public: bool = False,
    seq: int | None = None,
    first: int | None = None,
    last: int | None = None,
    theme: Theme | None = None,
    width: int | None = None,
    milliseconds: int | None = None,
    overwrite: bool = False,
) -> Exported:
    """Write a game of a log as a page, a picture, an animation or a transcript, and return what was written.

    Without `kind` the name of `out` tells it: `.html`, `.svg`, `.png`, `.gif`, `.txt`; `-` is standard output. The
    game is the first of the log, or the one with an id. With a `seat` (a number or a name) or `public` nothing that this
    view hides is in the file.

    `seq`: the event after which a picture shows the table, else the last; where a page opens, else the first.
    `first`, `last`: the events of a GIF. `theme`: `light` or `dark`, for pictures. `width` in pixels: a PNG has 1200,
    a GIF 800. `milliseconds` that an event of a GIF stays: 900.

    The file appears whole or not at all, and one that exists stays unless `overwrite` is given. Raises
    `CannotExport`, `Unreadable`, `Unwritable`, and `ModuleNotFoundError` for PNG and GIF without the extra `pictures`.

    >>> import tempfile
    >>> from ono_replay.bundle import bundle_path
    >>> log = bundle_path("sample_logs") / "ok" / "2022-online.ono.jsonl"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     done = export_game(log, f"{folder}/end.svg", seat=1, theme="dark")
    ...     done.kind, Path(folder, "end.svg").read_text()[:4]
    ('svg', '<svg')
    """
    name = str(source) if isinstance(source, str | Path) else None
    if public and seat is not None:
        raise CannotExport("either --seat or --public: everyone sees less than one seat does")
    chosen = kind or kind_of(out)
    how = How(seq=seq, first=first, last=last, theme=theme, width=width, milliseconds=milliseconds)
    _check(chosen, how)
    check_free(out, overwrite=overwrite)
    if name is not None and is_read(out, [name]):
        raise CannotExport(f"{out}: is the log itself; name another file to write to")
    try:
        replay, several = _read(source, game_id, seat, public=public)
    except CannotExport as reason:
        raise CannotExport(f"{name or 'the log'}: {reason}") from None
    whole = seat is None and not public
    shown_name = Path(name).name if whole and name not in (None, "-") else None
    made = _make(replay, chosen, how, None if seat is None else _viewer(replay), shown_name)
    with log_writer(out) as file:
        file.write(made)
    return Exported(chosen, replay.game_id, several)


def kind_of(out: str | Path) -> Kind:
    """Return what the name of a file tells to make; raises `CannotExport`.

    >>> kind_of("end.SVG"), kind_of("game.html.gz")
    ('svg', 'html')
    """
    path = Path(str(out).lower())
    kind = KIND_OF.get((path.with_suffix("") if path.suffix in (".gz", ".zst") else path).suffix)
    if kind is None:
        raise CannotExport(f"{out}: the name does not tell what to make: {', '.join(_TAKES)}")
    return kind


def _check(kind: Kind, how: How) -> None:
    """Raise `CannotExport` for what a kind does not take, or not of this size."""
    if kind not in _TAKES:
        raise CannotExport(f"there is no kind {kind!r}: {', '.join(_TAKES)}")
    foreign = sorted(set(msgspec.structs.asdict(how)) - _TAKES[kind])
    for name in foreign:
        if getattr(how, name) is not None:
            takes = ", ".join(sorted(_TAKES[kind])) or "nothing of the kind"
            raise CannotExport(f"{kind} has no {name}; it takes {takes}")
    if how.theme is not None and how.theme not in get_args(Theme):
        raise CannotExport(f"there is no theme {how.theme!r}: light, dark")
    sizes = (("width", how.width, GIF_WIDTHS if kind == "gif" else PNG_WIDTHS),)
    for name, size, (least, most) in (*sizes, ("milliseconds", how.milliseconds, GIF_TIMES)):
        if size is not None and not least <= size <= most:
            raise CannotExport(f"{name} can not be {size}: from {least} to {most}")


def _read(
    source: str | Path | BinaryIO, game_id: str | None, seat: int | str | None, *, public: bool
) -> tuple[Replay, bool]:
    """Return the game, as far as it is to be seen, and whether it is the first of several."""
    try:
        if public or seat is not None:
            replay, games = find_view(source, game_id, None if public else seat)
            return replay, game_id is None and next(games, None) is not None
    except NotShowable as reason:
        raise CannotExport(str(reason)) from None
    except KeyError as reason:
        raise CannotExport(str(reason.args[0])) from None
    replays, others = read_replays(source), list[str | None]()
    for replay in replays:
        if game_id is None or replay.game_id == game_id:
            return replay, game_id is None and next(replays, None) is not None
        others.append(replay.game_id)
    raise CannotExport(no_game(game_id, others))


def _viewer(replay: Replay) -> int | None:
    """Return the seat that a view was made for."""
    return None if replay.start is None else replay.start.viewer


def _make(replay: Replay, kind: Kind, how: How, seat: int | None, name: str | None) -> bytes:
    if kind == "text":
        return "".join(f"{line}\n" for line in _shown(lambda: list(transcript(replay)))).encode()
    if kind == "html":
        if how.seq is not None:
            _place_of(replay, how.seq)
        options = Options(event=how.seq, seat=seat, log=name)
        return page_of(_shown(lambda: build_payload(replay, options))).encode()
    look = Look(seat=seat, theme=how.theme or "light")
    if kind == "gif":
        frames = _pictures(replay, _stretch(replay, how), look)
        return pictures.gif_of(frames, how.width or 800, how.milliseconds or 900)
    (picture,) = _pictures(replay, [_event(replay, how.seq)], look)
    return picture.encode() if kind == "svg" else pictures.png_of(picture, how.width or 1200)


def _shown(make: Callable[[], Made]) -> Made:
    try:
        return make()
    except NotShowable as reason:
        raise CannotExport(f"this game can not be shown: {reason}") from None


def _pictures(replay: Replay, numbers: Sequence[int], look: Look) -> list[str]:
    return _shown(lambda: [picture_of(replay, seq, look) for seq in numbers])


def _place_of(replay: Replay, seq: int) -> int:
    try:
        return replay.place_of(seq)
    except NoEvent as reason:
        raise CannotExport(str(reason)) from None


def _event(replay: Replay, seq: int | None) -> int:
    if seq is None:
        last = replay.events[-1] if replay.events else replay.start
        return 0 if last is None else last.seq
    _place_of(replay, seq)
    return seq


def _stretch(replay: Replay, how: How) -> list[int]:
    """Return the numbers of the events of a GIF."""
    numbers = [event.seq for event in replay.events]
    start = 0 if how.first is None else max(_place_of(replay, how.first), 0)
    end = len(numbers) - 1 if how.last is None else _place_of(replay, how.last)
    stretch = numbers[start : end + 1]
    if not stretch:
        raise CannotExport("there is no event from --from to --to (first, last)")
    if len(stretch) > pictures.MOST_FRAMES:
        raise CannotExport(
            f"a GIF has room for {pictures.MOST_FRAMES} events, this is {len(stretch)}: "
            "choose with --from and --to (first, last)"
        )
    return stretch
