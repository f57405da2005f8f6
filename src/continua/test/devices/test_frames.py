import random

import pytest

from continua.devices.frames import MAX_BODY, Frame, FrameDecoder, encode_frame


def test_frames_arrive_whole_however_they_are_cut():
    frames = [Frame(i, 100 + i, bytes(range(i, 2 * i))) for i in range(1, 60)]
    stream = b''.join(encode_frame(*frame) for frame in frames)
    for size in (1, 2, 7, 64, len(stream)):
        decoder = FrameDecoder()
        received = [f for at in range(0, len(stream), size) for f in decoder.feed(stream[at : at + size])]
        assert received == frames
        assert (decoder.bad_frames, decoder.lost_frames) == (0, 0)


def test_longest_body_fits_and_a_longer_one_is_refused():
    body = bytes(MAX_BODY)
    assert FrameDecoder().feed(encode_frame(1, 0, body))[0].body == body
    with pytest.raises(ValueError, match='at most 254 bytes'):
        encode_frame(1, 0, bytes(MAX_BODY + 1))


def test_damage_costs_one_frame_and_is_counted():
    decoder = FrameDecoder()
    first, second, third = (bytearray(encode_frame(3, i, b'abc')) for i in range(3))
    second[3] ^= 0x10
    received = decoder.feed(bytes(first + second + third))
    assert [frame.sequence for frame in received] == [0, 2]
    assert (decoder.bad_frames, decoder.lost_frames) == (1, 1)


def test_endless_noise_needs_no_memory_and_ends_at_the_next_delimiter():
    decoder = FrameDecoder()
    for _ in range(1000):
        assert decoder.feed(b'\x07' * 1000) == []
    assert len(decoder._pending) < 300
    assert decoder.feed(b'\0' + encode_frame(1, 5)) == [Frame(1, 5, b'')]
    assert decoder.bad_frames == 1


def test_a_peer_that_starts_again_is_not_a_loss():
    decoder = FrameDecoder()
    decoder.feed(encode_frame(1, 30000) + encode_frame(1, 0) + encode_frame(1, 65535) + encode_frame(1, 0))
    assert decoder.lost_frames == 0


def test_fuzz_random_and_mutated_frames():
    rng = random.Random(7)
    decoder = FrameDecoder()
    good = ended = 0
    for i in range(100_000):
        frame = bytearray(encode_frame(rng.randrange(256), i, rng.randbytes(rng.randrange(40))))
        kind = rng.randrange(3)
        if kind == 0:
            frame = bytearray(rng.randbytes(rng.randrange(1, 60)))
        elif kind == 1:
            frame[rng.randrange(len(frame))] ^= 1 << rng.randrange(8)
        ended += frame.count(0)
        good += len(decoder.feed(bytes(frame)))
    assert 0 < good <= ended
    # Every delimiter ended a good frame, a bad one, or nothing at all.
    assert 0 < decoder.bad_frames <= ended - good
