"""Consistent overhead byte stuffing of short blocks: bytes without any zero, so that 0x00 can end a frame.

Reference: S. Cheshire, M. Baker, "Consistent overhead byte stuffing", IEEE/ACM Trans. Networking, 1999.
"""

__all__ = ['MAX_BLOCK', 'decode', 'encode']

MAX_BLOCK = 254  # bytes; more would need a second code byte, which no frame of ours is long enough for


def encode(data: bytes) -> bytes:
    """Stuff at most 254 bytes; the result is one byte longer and ends without the delimiter."""
    if len(data) > MAX_BLOCK:
        raise ValueError(f'COBS block: expected at most {MAX_BLOCK} bytes, got {len(data)}')
    return b''.join(bytes((len(part) + 1,)) + part for part in data.split(b'\0'))


def decode(encoded: bytes) -> bytes | None:
    """Undo `encode`; None when the input is malformed."""
    if 0 in encoded:
        return None
    parts = []
    at, end = 0, len(encoded)
    while at < end:
        code = encoded[at]
        stop = at + code
        if stop > end:
            return None
        parts.append(encoded[at + 1 : stop])
        if code < 0xFF and stop < end:
            parts.append(b'\0')
        at = stop
    return b''.join(parts)
