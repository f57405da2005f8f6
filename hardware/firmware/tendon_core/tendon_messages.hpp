// Bodies of the tendon board's own messages; hardware/tendon_board.md has the byte tables.
// Units on the wire: tension uN, displacement nm, velocity nm/s, rate uN/s; all int32 little endian.
#pragma once

#include <protocol.hpp>

namespace tendon {

struct ChannelLimits {
  int32_t min_tension;
  int32_t max_tension;
  int32_t tension_rate;
};

struct Config {
  board::ConfigHeader header;
  ChannelLimits channel[board::kMaxChannels];
};

struct ChannelState {
  int32_t tension;
  int32_t displacement;
  int32_t velocity;
  int32_t setpoint;
};

// False when the body has another length than it must have.
bool unpack(const uint8_t* body, size_t size, Config* config);

void write(board::Writer* writer, const ChannelLimits& limits);
void write(board::Writer* writer, const ChannelState& state);

}  // namespace tendon
