// Unit tests of framing. Prints each failure; exit code 1 then.

#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "check.hpp"
#include "cobs.hpp"
#include "frame.hpp"

namespace {

void cobs_round_trip() {
  for (size_t n = 0; n <= board::kMaxPayload; ++n) {
    for (unsigned modulus : {1U, 2U, 7U, 300U}) {
      uint8_t data[256], encoded[256], decoded[256];
      for (size_t i = 0; i < n; ++i) data[i] = static_cast<uint8_t>((i + 1) % modulus);
      const size_t size = board::cobs_encode(data, n, encoded);
      CHECK(size == n + 1);
      CHECK(std::memchr(encoded, 0, size) == nullptr);
      CHECK(board::cobs_decode(encoded, size, decoded) == n);
      CHECK(std::memcmp(data, decoded, n) == 0);
    }
  }
}

void crc_has_the_published_check_value() {
  CHECK(board::crc16(reinterpret_cast<const uint8_t*>("123456789"), 9) == 0x29B1);
}

void decoder_counts_damage_and_holes() {
  board::FrameDecoder decoder;
  auto push = [&decoder](uint16_t sequence, bool is_damaged) {
    uint8_t frame[board::kMaxFrame];
    const size_t n = board::encode_frame(1, sequence, nullptr, 0, frame);
    if (is_damaged) frame[2] ^= 0x40;
    bool is_whole = false;
    for (size_t i = 0; i < n; ++i) is_whole = decoder.push(frame[i]);
    return is_whole;
  };
  CHECK(push(65534, false));
  CHECK(!push(65535, true));
  CHECK(push(1, false));  // 65535 was damaged, 0 never came
  CHECK(decoder.bad_frames() == 1);
  CHECK(decoder.lost_frames() == 2);
  for (int i = 0; i < 1000; ++i) CHECK(!decoder.push(7));
  CHECK(!decoder.push(0));
  CHECK(decoder.bad_frames() == 2);
  CHECK(push(2, false));
  CHECK(decoder.lost_frames() == 2);
}

}  // namespace

int main() {
  cobs_round_trip();
  crc_has_the_published_check_value();
  decoder_counts_damage_and_holes();
  return report();
}
