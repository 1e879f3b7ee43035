"""Pixels: a moment as PNG, a stretch of a game as an animated GIF. Needs the extra `pictures`."""

import io
from collections.abc import Iterable
from typing import Any

from ono_replay.export.svg import PICTURE

MOST_FRAMES = 400


def png_of(svg: str, width: int = PICTURE[0]) -> bytes:
    """Return an SVG picture (`svg.picture_of`) as PNG, drawn with the fonts of this system.

    Raises `ModuleNotFoundError` without the extra `pictures`.
    """
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))


def gif_of(frames: Iterable[str], width: int = 800, milliseconds: int = 900) -> bytes:
    """Return SVG pictures as an animated GIF that loops; the last frame stays three times as long.

    Raises `ValueError` for no frames or for more than `MOST_FRAMES`.
    """
    from PIL import Image

    images: list[Any] = []
    for svg in frames:
        if len(images) == MOST_FRAMES:
            raise ValueError(f"a GIF has room for {MOST_FRAMES} events")
        drawn = Image.open(io.BytesIO(png_of(svg, width))).convert("RGB")
        images.append(drawn.quantize(colors=128, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE))
    if not images:
        raise ValueError("there is no event to show")
    out = io.BytesIO()
    times = [milliseconds] * (len(images) - 1) + [3 * milliseconds]
    images[0].save(
        out, "GIF", save_all=True, append_images=images[1:], duration=times, loop=0, optimize=False
    )
    return out.getvalue()
