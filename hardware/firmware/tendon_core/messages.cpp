#include "messages.hpp"

#include <string.h>

namespace tendon {
namespace {

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

void write(Writer& writer, const Config& config) {
  writer.u16(config.watchdog_ms).u16(config.state_rate).u8(config.n);
  for (uint8_t i = 0; i < config.n; ++i) {
    const ChannelLimits& channel = config.channel[i];
    writer.i32(channel.min_tension).i32(channel.max_tension).i32(channel.tension_rate);
  }
}

}  // namespace

bool unpack(const uint8_t* body, size_t size, Hello* hello) {
  if (size != 2) return false;
  hello->major = body[0];
  hello->minor = body[1];
  return true;
}

bool unpack(const uint8_t* body, size_t size, Config* config) {
  if (size < 5 || body[4] > kMaxChannels || size != 5U + 12U * body[4]) return false;
  Reader reader(body);
  config->watchdog_ms = reader.u16();
  config->state_rate = reader.u16();
  config->n = reader.u8();
  for (uint8_t i = 0; i < config->n; ++i) {
    config->channel[i].min_tension = reader.i32();
    config->channel[i].max_tension = reader.i32();
    config->channel[i].tension_rate = reader.i32();
  }
  return true;
}

bool unpack(const uint8_t* body, size_t size, Command* command) {
  if (size < 2 || body[1] > kMaxChannels || size != 2U + 4U * body[1]) return false;
  Reader reader(body);
  command->enable = (reader.u8() & 1U) != 0;
  command->n = reader.u8();
  for (uint8_t i = 0; i < command->n; ++i) command->tension[i] = reader.i32();
  return true;
}

size_t pack(const Identity& identity, uint8_t* out) {
  Writer writer(out);
  writer.u8(kProtocolMajor).u8(kProtocolMinor).bytes(kFirmwareVersion, sizeof(kFirmwareVersion));
  writer.bytes(identity.serial, kSerialSize);
  writer.u8(identity.n_channels).i32(identity.tension_limit).u16(identity.max_state_rate);
  return writer.size();
}

size_t pack(uint16_t request_sequence, const Config& effective, uint8_t* out) {
  Writer writer(out);
  writer.u16(request_sequence);
  write(writer, effective);
  return writer.size();
}

size_t pack(const State& state, uint8_t* out) {
  Writer writer(out);
  writer.u64(state.time_us).u16(state.command_sequence).u8(state.mode).u16(state.supply_mv);
  writer.u32(state.bad_frames).u32(state.lost_frames).u8(state.n);
  for (uint8_t i = 0; i < state.n; ++i) {
    const ChannelState& channel = state.channel[i];
    writer.i32(channel.tension).i32(channel.displacement).i32(channel.velocity).i32(channel.setpoint);
    writer.u16(channel.fault).u8(channel.is_saturated ? 1 : 0);
  }
  return writer.size();
}

size_t pack(const Ack& ack, uint8_t* out) {
  return Writer(out).u8(ack.type).u16(ack.sequence).u8(ack.code).size();
}

}  // namespace tendon
