#include "tendon_messages.hpp"

namespace tendon {

bool unpack(const uint8_t* body, size_t size, Config* config) {
  board::Reader reader(body);
  if (!board::unpack_header(&reader, size, 12, &config->header)) return false;
  for (uint8_t i = 0; i < config->header.n; ++i) {
    config->channel[i].min_tension = reader.i32();
    config->channel[i].max_tension = reader.i32();
    config->channel[i].tension_rate = reader.i32();
  }
  return true;
}

void write(board::Writer* writer, const ChannelLimits& limits) {
  writer->i32(limits.min_tension).i32(limits.max_tension).i32(limits.tension_rate);
}

void write(board::Writer* writer, const ChannelState& state) {
  writer->i32(state.tension).i32(state.displacement).i32(state.velocity).i32(state.setpoint);
}

}  // namespace tendon
