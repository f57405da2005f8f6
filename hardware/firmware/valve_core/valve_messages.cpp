#include "valve_messages.hpp"

namespace valve {

bool unpack(const uint8_t* body, size_t size, Config* config) {
  board::Reader reader(body);
  if (!board::unpack_header(&reader, size, 30, &config->header)) return false;
  for (uint8_t i = 0; i < config->header.n; ++i) {
    ChannelConfig& channel = config->channel[i];
    channel.min_pressure = reader.i32();
    channel.max_pressure = reader.i32();
    channel.pressure_rate = reader.i32();
    channel.proportional = reader.i32();
    channel.integral = reader.i32();
    channel.derivative = reader.i32();
    channel.filter_time = reader.u16();
    channel.supply_dead_band = reader.u16();
    channel.exhaust_dead_band = reader.u16();
  }
  return true;
}

void write(board::Writer* writer, const ChannelConfig& config) {
  writer->i32(config.min_pressure).i32(config.max_pressure).i32(config.pressure_rate);
  writer->i32(config.proportional).i32(config.integral).i32(config.derivative);
  writer->u16(config.filter_time).u16(config.supply_dead_band).u16(config.exhaust_dead_band);
}

void write(board::Writer* writer, const ChannelState& state) {
  writer->i32(state.pressure).i32(state.setpoint).i32(state.opening);
}

}  // namespace valve
