// Reading and writing of bodies, little endian. Sizes are checked by whoever calls.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace board {

class Reader {
 public:
  explicit Reader(const uint8_t* data) : at_(data) {}
  uint8_t u8() { return *at_++; }
  uint16_t u16() {
    const uint16_t low = u8();
    return static_cast<uint16_t>(low | (static_cast<uint16_t>(u8()) << 8));
  }
  int32_t i32() {
    const uint32_t low = u16();
    return static_cast<int32_t>(low | (static_cast<uint32_t>(u16()) << 16));
  }

 private:
  const uint8_t* at_;
};

class Writer {
 public:
  explicit Writer(uint8_t* data) : begin_(data), at_(data) {}
  Writer& u8(uint8_t value) {
    *at_++ = value;
    return *this;
  }
  Writer& u16(uint16_t value) {
    return u8(static_cast<uint8_t>(value & 0xFF)).u8(static_cast<uint8_t>(value >> 8));
  }
  Writer& u32(uint32_t value) {
    return u16(static_cast<uint16_t>(value & 0xFFFF)).u16(static_cast<uint16_t>(value >> 16));
  }
  Writer& i32(int32_t value) { return u32(static_cast<uint32_t>(value)); }
  Writer& u64(uint64_t value) {
    return u32(static_cast<uint32_t>(value & 0xFFFFFFFFU)).u32(static_cast<uint32_t>(value >> 32));
  }
  Writer& bytes(const void* data, size_t n) {
    memcpy(at_, data, n);
    at_ += n;
    return *this;
  }
  size_t size() const { return static_cast<size_t>(at_ - begin_); }

 private:
  uint8_t* begin_;
  uint8_t* at_;
};

}  // namespace board
