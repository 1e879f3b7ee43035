"""What is told of the rows of an archive, from the process that reads it to the one that asked."""

import msgspec

READER = "ono_replay.bulk.archive_reader"
"""The program that reads archives (`log.parquet.Reader`) and sends frames, as MessagePack."""


TEXTS = "texts"
"""Asks that program for the texts of the games instead."""


class Frame(msgspec.Struct, array_like=True):
    """Some rows; arrays are by row."""

    verdicts: list[str]
    """`valid` or `unfinished`; empty where the validator is to be asked."""
    lines: list[int]
    ids: list[str | None]
    events: list[int]
    unverified: list[int]
    texts: dict[int, bytes]
    """By row, the text of what the validator is to be asked about."""
