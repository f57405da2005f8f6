#include "tendon_board.hpp"

namespace tendon {
namespace {

// 1000 N, 1 m, 1 m/s: further than any reading, near enough that differences fit into int32.
int32_t bounded(int32_t reading) { return board::clamp<int32_t>(reading, -1000000000, 1000000000); }

}  // namespace

Board::Board(const board::Settings& settings, Transmit transmit, void* context)
    : Controller(settings, transmit, context) {
  memset(limits_, 0, sizeof(limits_));
  memset(displacement_, 0, sizeof(displacement_));
  memset(displacement_zero_, 0, sizeof(displacement_zero_));
  memset(velocity_, 0, sizeof(velocity_));
  memset(target_, 0, sizeof(target_));
  rest();
}

void Board::measure(const Sensors& sensors, uint64_t now_us) {
  int32_t tension[board::kMaxChannels];
  for (uint8_t i = 0; i < board::kMaxChannels; ++i) {
    tension[i] = bounded(sensors.tension[i]);
    displacement_[i] = bounded(sensors.displacement[i]);
    velocity_[i] = bounded(sensors.velocity[i]);
  }
  take(tension, sensors.supply_mv, now_us);
}

board::AckCode Board::configure(const board::Frame& frame, board::ConfigHeader* header) {
  Config config;
  if (!unpack(frame.body, frame.size, &config)) return board::kBadLength;
  if (config.header.n == 0 || config.header.n > n_channels()) return board::kOutOfRange;
  for (uint8_t i = 0; i < config.header.n; ++i) {
    ChannelLimits& limits = config.channel[i];
    if (limits.min_tension < 0 || limits.max_tension <= limits.min_tension || limits.tension_rate <= 0) {
      return board::kOutOfRange;
    }
    limits.max_tension = board::clamp<int32_t>(limits.max_tension, 0, settings().identity.limit);
    limits.min_tension = board::clamp<int32_t>(limits.min_tension, 0, limits.max_tension);
  }
  memcpy(limits_, config.channel, sizeof(limits_[0]) * config.header.n);
  *header = config.header;
  return board::kOk;
}

board::AckCode Board::command(const board::Command& command) {
  memcpy(target_, command.value, sizeof(target_[0]) * command.n);
  return board::kOk;
}

// Moves the demand towards the target within the limits of value and rate.
void Board::drive(uint64_t dt_us) {
  for (uint8_t i = 0; i < n(); ++i) {
    const ChannelLimits& limits = limits_[i];
    const int32_t wanted = board::clamp(target_[i], limits.min_tension, limits.max_tension);
    const int32_t most = static_cast<int32_t>(static_cast<int64_t>(limits.tension_rate) *
                                              static_cast<int64_t>(dt_us) / 1000000);
    // Only rising tension is limited in rate: letting go is always allowed.
    demand_[i] = wanted - demand_[i] > most ? demand_[i] + most : wanted;
    is_saturated_[i] = demand_[i] != target_[i];
    follow(i, demand_[i], dt_us);
  }
}

void Board::rest() { memset(demand_, 0, sizeof(demand_)); }

void Board::take_zero() { memcpy(displacement_zero_, displacement_, sizeof(displacement_zero_)); }

void Board::write_config(board::Writer* writer, uint8_t channel) const { write(writer, limits_[channel]); }

void Board::write_state(board::Writer* writer, uint8_t i) const {
  const int32_t displacement = displacement_[i] - displacement_zero_[i];
  write(writer, ChannelState{reading(i), displacement, velocity_[i], demand_[i]});
}

}  // namespace tendon
