#include "frame.hpp"

#include <string.h>

#include "cobs.hpp"

namespace board {

uint16_t crc16(const uint8_t* data, size_t n) {
  uint16_t crc = 0xFFFF;
  for (size_t i = 0; i < n; ++i) {
    crc = static_cast<uint16_t>(crc ^ (static_cast<uint16_t>(data[i]) << 8));
    for (uint8_t bit = 0; bit < 8; ++bit) {
      const bool carry = (crc & 0x8000U) != 0;
      crc = static_cast<uint16_t>(crc << 1);
      if (carry) crc = static_cast<uint16_t>(crc ^ 0x1021U);
    }
  }
  return crc;
}

size_t encode_frame(uint8_t type, uint16_t sequence, const uint8_t* body, size_t size, uint8_t* out) {
  uint8_t payload[kMaxPayload];
  payload[0] = type;
  payload[1] = static_cast<uint8_t>(sequence & 0xFF);
  payload[2] = static_cast<uint8_t>(sequence >> 8);
  if (size > 0) memcpy(payload + 3, body, size);
  const uint16_t crc = crc16(payload, size + 3);
  payload[size + 3] = static_cast<uint8_t>(crc & 0xFF);
  payload[size + 4] = static_cast<uint8_t>(crc >> 8);
  const size_t n = cobs_encode(payload, size + kOverhead, out);
  out[n] = 0;
  return n + 1;
}

bool FrameDecoder::push(uint8_t byte) {
  if (byte != 0) {
    if (n_ < sizeof(encoded_)) {
      encoded_[n_++] = byte;
    } else {
      is_too_long_ = true;
    }
    return false;
  }
  const bool was_empty = n_ == 0;  // two delimiters in a row only separate
  const bool is_good = !was_empty && finish();
  if (!was_empty && !is_good) ++bad_frames_;
  n_ = 0;
  is_too_long_ = false;
  return is_good;
}

bool FrameDecoder::finish() {
  if (is_too_long_) return false;
  const size_t n = cobs_decode(encoded_, n_, payload_);
  if (n < kOverhead) return false;
  const uint16_t received = static_cast<uint16_t>(payload_[n - 2] | (payload_[n - 1] << 8));
  if (crc16(payload_, n - 2) != received) return false;
  frame_.type = payload_[0];
  frame_.sequence = static_cast<uint16_t>(payload_[1] | (payload_[2] << 8));
  frame_.body = payload_ + 3;
  frame_.size = n - kOverhead;
  track(frame_.sequence);
  return true;
}

void FrameDecoder::track(uint16_t sequence) {
  const uint16_t hole = static_cast<uint16_t>(sequence - last_sequence_ - 1);
  // Half of the range or more is a peer that started again, not that many lost frames.
  if (has_sequence_ && hole < 0x8000U) lost_frames_ += hole;
  has_sequence_ = true;
  last_sequence_ = sequence;
}

}  // namespace board
