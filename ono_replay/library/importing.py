"""Import: logs in, a larger library out; nothing lost, nothing twice, whenever it is stopped."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from ono_replay.library.chunks import ChunkedSource
from ono_replay.library.game import Origin
from ono_replay.library.intake import take_chunk
from ono_replay.library.manifest import Writing
from ono_replay.library.parts import PartWriter
from ono_replay.library.rows import rows_of


class ImportSummary(msgspec.Struct):
    """What an import did."""

    files: int = 0
    games: int = 0
    added: int = 0
    quarantined: int = 0


def import_logs(paths: Iterable[str], folder: str | Path, *, prefix: str = "") -> ImportSummary:
    """Import logs into a library, which is made if it is not there."""
    summary = ImportSummary()
    with Writing(Path(folder), create=True) as writing:
        imported = writing.manifest.imports + 1
        draft = writing.new_draft()
        part = PartWriter(draft)
        for path in paths:
            summary.files += 1
            source = ChunkedSource(path)
            for chunk in source:
                taken = take_chunk(chunk, Origin(source.name, source.digest, chunk.line, imported), prefix)
                if taken.game is not None:
                    part.add(rows_of(taken.game))
                    summary.added += 1
                if taken.refused is not None:
                    part.add({"quarantine": [taken.refused.row(imported)]})
                    summary.quarantined += 1
        writing.commit(add={draft: part.close()}, imports=imported)
    return summary
