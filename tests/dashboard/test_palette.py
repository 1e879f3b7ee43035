"""The colours stand in one place, and what can't read it there says the same."""

import re
from pathlib import Path

from dashboard import serve
from dashboard.charts import INK
from ono_replay.export.html import viewer_source

GROUNDS = {
    "backgroundColor": "paper",
    "secondaryBackgroundColor": "panel",
    "textColor": "ink",
    "primaryColor": "accent",
    "borderColor": "line",
}


def test_the_theme_of_the_pages_is_the_palette():
    light, dark = (
        dict(re.findall(r"--([\w-]+): ([^;]+);", part))
        for part in viewer_source("palette.css").split("[data-theme=", 1)
    )
    assert light.keys() == dark.keys()
    for colours, theme in ((light, serve.LIGHT), (dark, serve.DARK)):
        assert theme == {name: colours[ours] for name, ours in GROUNDS.items()}
    assert {"light": light["ink"], "dark": dark["ink"]} == INK
    for style in (
        viewer_source("viewer.css"),
        Path(serve.HERE, "components", "pad.css").read_text(encoding="utf-8"),
    ):
        assert not set(re.findall(r"--([\w-]+):", style)) & set(light)
