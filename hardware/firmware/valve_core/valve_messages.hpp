// Bodies of the valve board's own messages; hardware/valve_board.md has the byte tables.
// Units on the wire: pressure mPa gauge, rate mPa/s, opening 1e-6, gains 1e-12 per Pa, per Pa s, s per Pa; int32.
#pragma once

#include <protocol.hpp>

namespace valve {

constexpr uint8_t kFlagOpening = 2;  // of COMMAND: values are openings, not pressures

struct ChannelConfig {
  int32_t min_pressure;
  int32_t max_pressure;
  int32_t pressure_rate;
  int32_t proportional;
  int32_t integral;
  int32_t derivative;
  uint16_t filter_time;        // 0.1 ms
  uint16_t supply_dead_band;   // 1e-4 of the opening
  uint16_t exhaust_dead_band;  // 1e-4
};

struct Config {
  board::ConfigHeader header;
  ChannelConfig channel[board::kMaxChannels];
};

struct ChannelState {
  int32_t pressure;
  int32_t setpoint;
  int32_t opening;
};

// False when the body has another length than it must have.
bool unpack(const uint8_t* body, size_t size, Config* config);

void write(board::Writer* writer, const ChannelConfig& config);
void write(board::Writer* writer, const ChannelState& state);

}  // namespace valve
