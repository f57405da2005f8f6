// Consistent overhead byte stuffing: a payload without any zero byte, so that 0x00 can end a frame.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace board {

// Encodes n <= 254 bytes into n + 1 bytes (the delimiter is not added); returns the encoded size.
size_t cobs_encode(const uint8_t* data, size_t n, uint8_t* encoded);

// Decodes n bytes into at most n - 1 bytes; returns the decoded size, 0 when the input is malformed.
size_t cobs_decode(const uint8_t* encoded, size_t n, uint8_t* data);

}  // namespace board
