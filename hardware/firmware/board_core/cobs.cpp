#include "cobs.hpp"

namespace board {

size_t cobs_encode(const uint8_t* data, size_t n, uint8_t* encoded) {
  size_t code_at = 0;  // where the distance to the next zero will be written
  size_t end = 1;
  for (size_t i = 0; i < n; ++i) {
    if (data[i] == 0) {
      encoded[code_at] = static_cast<uint8_t>(end - code_at);
      code_at = end++;
    } else {
      encoded[end++] = data[i];
    }
  }
  encoded[code_at] = static_cast<uint8_t>(end - code_at);
  return end;
}

size_t cobs_decode(const uint8_t* encoded, size_t n, uint8_t* data) {
  size_t size = 0;
  size_t at = 0;
  while (at < n) {
    const uint8_t code = encoded[at];
    if (code == 0 || at + code > n) return 0;
    for (size_t i = 1; i < code; ++i) {
      if (encoded[at + i] == 0) return 0;
      data[size++] = encoded[at + i];
    }
    at += code;
    if (at < n && code < 0xFF) data[size++] = 0;
  }
  return size;
}

}  // namespace board
