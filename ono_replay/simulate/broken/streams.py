"""Compressed streams made by hand: the same bytes wherever they are made, whatever compressor is installed."""

import zlib

_MOST_STORED = 65_535
_MOST_OF_BLOCK = 1 << 17
_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_ZSTD_HEADER = b"\x28\xb5\x2f\xfd\x00\x50"
"""Magic, a frame without size and checksum, a window of a mebibyte."""


def gzip_stored(content: bytes) -> bytes:
    """Return content as a gzip stream that stores it as it is.

    >>> import gzip
    >>> gzip.decompress(gzip_stored(b"ono"))
    b'ono'
    """
    blocks = [content[at : at + _MOST_STORED] for at in range(0, len(content), _MOST_STORED)] or [b""]
    stream = bytearray(_GZIP_HEADER)
    for place, block in enumerate(blocks):
        stream.append(place == len(blocks) - 1)
        stream += len(block).to_bytes(2, "little") + (len(block) ^ 0xFFFF).to_bytes(2, "little") + block
    return bytes(stream) + zlib.crc32(content).to_bytes(4, "little") + len(content).to_bytes(4, "little")


def zstd_runs(*pieces: tuple[bytes, int]) -> bytes:
    """Return pieces, each a text and how often it stands, as a zstd stream; what repeats is a single byte.

    >>> import zstandard
    >>> zstandard.ZstdDecompressor().decompressobj().decompress(zstd_runs((b"on", 1), (b"o", 3)))
    b'onooo'
    """
    blocks: list[bytes] = []
    for text, times in pieces:
        if times == 1:
            blocks.append((len(text) << 3).to_bytes(3, "little") + text)
        left = times if times > 1 else 0
        while left:
            run = min(left, _MOST_OF_BLOCK)
            blocks.append((run << 3 | 2).to_bytes(3, "little") + text)
            left -= run
    last = blocks[-1]
    blocks[-1] = bytes([last[0] | 1]) + last[1:]
    return _ZSTD_HEADER + b"".join(blocks)
