#include "valve_board.hpp"

namespace valve {
namespace {

constexpr int32_t kFull = 1000000;      // opening
constexpr int32_t kRamp = 10000;        // opening up to which a dead band is bridged gradually: no chatter at 0
constexpr int32_t kMostDeadBand = 5000;  // 1e-4
constexpr float kMilli = 1e-3F;
constexpr float kGain = 1e-12F;

// 1 MPa: further than any reading, near enough that differences fit into int32.
int32_t bounded(int32_t reading) { return board::clamp<int32_t>(reading, -1000000000, 1000000000); }

int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

// Signal that opens a valve with this dead band [1e-4] as far as one without; opening > 0.
int32_t bridged(int32_t opening, uint16_t dead_band) {
  const int64_t band = 100LL * dead_band;
  const int64_t ramp = opening < kRamp ? opening : kRamp;
  return static_cast<int32_t>(band * ramp / kRamp + (kFull - band) * opening / kFull);
}

}  // namespace

Board::Board(const board::Settings& settings, uint16_t control_rate, Transmit transmit, void* context)
    : Controller(settings, transmit, context), control_rate_(control_rate) {
  memset(config_, 0, sizeof(config_));
  memset(target_, 0, sizeof(target_));
  rest();
}

void Board::measure(const Sensors& sensors, uint64_t now_us) {
  int32_t pressure[board::kMaxChannels];
  for (uint8_t i = 0; i < board::kMaxChannels; ++i) pressure[i] = bounded(sensors.pressure[i]);
  take(pressure, sensors.supply_mv, now_us);
}

int32_t Board::demand(uint8_t i) const {
  const int32_t opening = opening_[i];
  // Fully open needs no bridge; and without limits yet the dead bands are not known.
  return opening >= 0 ? bridged(opening, config_[i].supply_dead_band)
                      : -bridged(-opening, config_[i].exhaust_dead_band);
}

board::AckCode Board::configure(const board::Frame& frame, board::ConfigHeader* header) {
  Config config;
  if (!unpack(frame.body, frame.size, &config)) return board::kBadLength;
  if (config.header.n == 0 || config.header.n > n_channels()) return board::kOutOfRange;
  const int32_t most = settings().identity.limit;
  for (uint8_t i = 0; i < config.header.n; ++i) {
    ChannelConfig& channel = config.channel[i];
    if (channel.max_pressure <= channel.min_pressure || channel.pressure_rate <= 0 ||
        channel.proportional < 0 || channel.integral < 0 || channel.derivative < 0 ||
        channel.supply_dead_band > kMostDeadBand || channel.exhaust_dead_band > kMostDeadBand) {
      return board::kOutOfRange;
    }
    channel.max_pressure = board::clamp<int32_t>(channel.max_pressure, -most, most);
    channel.min_pressure = board::clamp<int32_t>(channel.min_pressure, -most, channel.max_pressure);
  }
  memcpy(config_, config.channel, sizeof(config_[0]) * config.header.n);
  *header = config.header;
  return board::kOk;
}

board::AckCode Board::command(const board::Command& command) {
  const bool sets_openings = (command.flags & kFlagOpening) != 0;
  if (sets_openings != sets_openings_) rest();  // what was integrated or approached means nothing any more
  sets_openings_ = sets_openings;
  memcpy(target_, command.value, sizeof(target_[0]) * command.n);
  return board::kOk;
}

void Board::drive(uint64_t dt_us) {
  for (uint8_t i = 0; i < n(); ++i) {
    if (sets_openings_) {
      opening_[i] = board::clamp(target_[i], -kFull, kFull);
      is_saturated_[i] = opening_[i] != target_[i];
    } else {
      hold(i, dt_us);
    }
  }
}

// Moves the setpoint towards the target within the limits of value and rate, and the pressure towards it.
void Board::hold(uint8_t i, uint64_t dt_us) {
  const ChannelConfig& config = config_[i];
  const int32_t wanted = board::clamp(target_[i], config.min_pressure, config.max_pressure);
  const int32_t most = static_cast<int32_t>(static_cast<int64_t>(config.pressure_rate) *
                                            static_cast<int64_t>(dt_us) / 1000000);
  // Only what leads away from 0 is limited in rate: letting go is always allowed.
  const int32_t low = (setpoint_[i] < 0 ? setpoint_[i] : 0) - most;
  const int32_t high = larger(setpoint_[i], 0) + most;
  setpoint_[i] = board::clamp(wanted, low, high);
  is_saturated_[i] = setpoint_[i] != target_[i];
  follow(i, setpoint_[i], dt_us);
  if (dt_us == 0) return;
  const PidGains gains = {kGain * static_cast<float>(config.proportional),
                          kGain * static_cast<float>(config.integral),
                          kGain * static_cast<float>(config.derivative),
                          1e-4F * static_cast<float>(config.filter_time)};
  const float opening = pid_[i].step(gains, kMilli * static_cast<float>(setpoint_[i]),
                                     kMilli * static_cast<float>(reading(i)), 1e-6F * static_cast<float>(dt_us));
  opening_[i] = static_cast<int32_t>(opening * static_cast<float>(kFull));
}

void Board::rest() {
  for (uint8_t i = 0; i < board::kMaxChannels; ++i) {
    setpoint_[i] = 0;
    opening_[i] = -kFull;
    pid_[i].reset();
  }
}

int32_t Board::limit(uint8_t i) const { return larger(config_[i].max_pressure, -config_[i].min_pressure); }

void Board::write_identity(board::Writer* writer) const { writer->u16(control_rate_); }

void Board::write_config(board::Writer* writer, uint8_t channel) const { write(writer, config_[channel]); }

void Board::write_state(board::Writer* writer, uint8_t i) const {
  write(writer, ChannelState{reading(i), setpoint_[i], opening_[i]});
}

}  // namespace valve
