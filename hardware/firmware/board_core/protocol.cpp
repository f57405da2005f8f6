#include "protocol.hpp"

namespace board {

bool unpack(const uint8_t* body, size_t size, Hello* hello) {
  if (size != 2) return false;
  hello->major = body[0];
  hello->minor = body[1];
  return true;
}

bool unpack(const uint8_t* body, size_t size, Command* command) {
  if (size < 2 || body[1] > kMaxChannels || size != 2U + 4U * body[1]) return false;
  Reader reader(body);
  command->flags = reader.u8();
  command->enable = (command->flags & 1U) != 0;
  command->n = reader.u8();
  for (uint8_t i = 0; i < command->n; ++i) command->value[i] = reader.i32();
  return true;
}

bool unpack_header(Reader* reader, size_t size, size_t row, ConfigHeader* config) {
  if (size < 5) return false;
  config->watchdog_ms = reader->u16();
  config->state_rate = reader->u16();
  config->n = reader->u8();
  return config->n <= kMaxChannels && size == 5U + row * config->n;
}

size_t pack(const Identity& identity, uint8_t* out) {
  Writer writer(out);
  writer.u8(kProtocolMajor).u8(kProtocolMinor).bytes(kFirmwareVersion, sizeof(kFirmwareVersion));
  writer.bytes(identity.serial, kSerialSize);
  writer.u8(identity.n_channels).i32(identity.limit).u16(identity.max_state_rate);
  return writer.size();
}

size_t pack(const Ack& ack, uint8_t* out) {
  return Writer(out).u8(ack.type).u16(ack.sequence).u8(ack.code).size();
}

void write(Writer* writer, uint16_t request_sequence, const ConfigHeader& effective) {
  writer->u16(request_sequence);
  writer->u16(effective.watchdog_ms).u16(effective.state_rate).u8(effective.n);
}

void write(Writer* writer, const StateHeader& state) {
  writer->u64(state.time_us).u16(state.command_sequence).u8(state.mode).u16(state.supply_mv);
  writer->u32(state.bad_frames).u32(state.lost_frames).u8(state.n);
}

}  // namespace board
