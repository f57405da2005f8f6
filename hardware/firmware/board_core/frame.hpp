// Frames on the wire: COBS([type u8][sequence u16][body][CRC-16 u16]) 0x00, little endian.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace board {

constexpr size_t kMaxPayload = 254;                // one COBS block
constexpr size_t kOverhead = 5;                    // type, sequence, CRC
constexpr size_t kMaxBody = kMaxPayload - kOverhead;
constexpr size_t kMaxFrame = kMaxPayload + 2;      // COBS code byte and delimiter

// CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, no reflection.
uint16_t crc16(const uint8_t* data, size_t n);

struct Frame {
  uint8_t type;
  uint16_t sequence;
  const uint8_t* body;
  size_t size;
};

// Writes a whole frame with its delimiter to out (kMaxFrame bytes); returns its size. size <= kMaxBody.
size_t encode_frame(uint8_t type, uint16_t sequence, const uint8_t* body, size_t size, uint8_t* out);

// Collects bytes in a bounded buffer and hands out whole, checked frames.
class FrameDecoder {
 public:
  // Returns true when this byte completed a good frame, which frame() then holds until the next push().
  bool push(uint8_t byte);
  const Frame& frame() const { return frame_; }

  // Forgets the sequence of the peer: the next frame starts a new session.
  void restart_sequence() { has_sequence_ = false; }

  uint32_t bad_frames() const { return bad_frames_; }    // malformed, wrong CRC or too long
  uint32_t lost_frames() const { return lost_frames_; }  // holes in the peer's sequence numbers

 private:
  bool finish();
  void track(uint16_t sequence);

  uint8_t encoded_[kMaxPayload + 1];
  uint8_t payload_[kMaxPayload + 1];
  size_t n_ = 0;
  bool is_too_long_ = false;
  bool has_sequence_ = false;
  uint16_t last_sequence_ = 0;
  uint32_t bad_frames_ = 0;
  uint32_t lost_frames_ = 0;
  Frame frame_ = {0, 0, nullptr, 0};
};

}  // namespace board
