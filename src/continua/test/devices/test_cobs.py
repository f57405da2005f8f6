from hypothesis import given
from hypothesis import strategies as st

from continua.devices import cobs


@given(st.binary(max_size=cobs.MAX_BLOCK))
def test_round_trip_without_zeros(data):
    encoded = cobs.encode(data)
    assert 0 not in encoded
    assert len(encoded) == len(data) + 1
    assert cobs.decode(encoded) == data


@given(st.binary(max_size=300))
def test_decode_takes_anything(encoded):
    data = cobs.decode(encoded)
    assert data is None or len(data) <= len(encoded)


def test_published_examples():
    assert cobs.encode(b'') == b'\x01'
    assert cobs.encode(b'\0') == b'\x01\x01'
    assert cobs.encode(b'\x11\x22\x00\x33') == b'\x03\x11\x22\x02\x33'


def test_malformed_blocks_are_refused():
    assert cobs.decode(b'\x05\x11') is None  # shorter than its code says
    assert cobs.decode(b'\x02\x00') is None  # a zero inside
