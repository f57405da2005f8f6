#include "board.hpp"

#include <string.h>

namespace tendon {
namespace {

constexpr uint16_t kMinWatchdogMs = 20;
constexpr uint16_t kMaxWatchdogMs = 1000;
constexpr uint16_t kMinStateRate = 1;

template <typename T>
T clamp(T value, T low, T high) {
  return value < low ? low : (value > high ? high : value);
}

int64_t magnitude(int64_t value) { return value < 0 ? -value : value; }

// 1000 N, 1 m, 1 m/s: further than any reading, near enough that differences fit into int32.
int32_t bounded(int32_t reading) { return clamp<int32_t>(reading, -1000000000, 1000000000); }

}  // namespace

Board::Board(const BoardSettings& settings, Transmit transmit, void* context)
    : settings_(settings), transmit_(transmit), context_(context) {
  memset(&sensors_, 0, sizeof(sensors_));
  memset(&config_, 0, sizeof(config_));
  memset(tension_zero_, 0, sizeof(tension_zero_));
  memset(displacement_zero_, 0, sizeof(displacement_zero_));
  memset(target_, 0, sizeof(target_));
  memset(fault_, 0, sizeof(fault_));
  memset(latched_, 0, sizeof(latched_));
  memset(apart_us_, 0, sizeof(apart_us_));
  go_slack();
}

// ---------------------------------------------------------------------------------- from the host

void Board::receive(const uint8_t* data, size_t n, uint64_t now_us) {
  for (size_t i = 0; i < n; ++i) {
    if (decoder_.push(data[i])) handle(decoder_.frame(), now_us);
  }
}

void Board::handle(const Frame& frame, uint64_t now_us) {
  AckCode code = kUnknownType;
  switch (frame.type) {
    case kHello:
      return greet(frame);
    case kConfig:
      code = configure(frame);
      if (code == kOk) return;  // CONFIG_EFFECTIVE is the answer
      break;
    case kCommand:
      code = command(frame, now_us);
      if (code == kOk) return;  // STATE repeats the sequence number
      break;
    case kTare:
      code = tare();
      break;
    case kReset:
      reset();
      code = kOk;
      break;
    case kStop:
      stop();
      code = kOk;
      break;
  }
  const Ack ack = {frame.type, frame.sequence, static_cast<uint8_t>(code)};
  uint8_t body[kMaxBody];
  send(kAck, body, pack(ack, body));
}

void Board::greet(const Frame& frame) {
  Hello hello;
  // A new session: the host may have been restarted, so nothing stays energised or configured.
  decoder_.restart_sequence();
  version_fits_ = unpack(frame.body, frame.size, &hello) && hello.major == kProtocolMajor;
  mode_ = kIdle;
  is_enabled_ = is_armed_ = false;
  config_.n = 0;
  go_slack();
  uint8_t body[kMaxBody];
  send(kIdentity, body, pack(settings_.identity, body));
}

AckCode Board::configure(const Frame& frame) {
  Config config;
  if (!version_fits_) return kWrongVersion;
  if (!unpack(frame.body, frame.size, &config)) return kBadLength;
  if (config.n == 0 || config.n > n_channels()) return kOutOfRange;
  for (uint8_t i = 0; i < config.n; ++i) {
    ChannelLimits& limits = config.channel[i];
    if (limits.min_tension < 0 || limits.max_tension <= limits.min_tension || limits.tension_rate <= 0) {
      return kOutOfRange;
    }
    limits.max_tension = clamp<int32_t>(limits.max_tension, 0, settings_.identity.tension_limit);
    limits.min_tension = clamp<int32_t>(limits.min_tension, 0, limits.max_tension);
  }
  config.watchdog_ms = clamp(config.watchdog_ms, kMinWatchdogMs, kMaxWatchdogMs);
  config.state_rate = clamp(config.state_rate, kMinStateRate, settings_.identity.max_state_rate);
  config_ = config;
  is_enabled_ = is_armed_ = false;
  mode_ = kSlack;
  go_slack();
  uint8_t body[kMaxBody];
  send(kConfigEffective, body, pack(frame.sequence, config_, body));
  return kOk;
}

AckCode Board::command(const Frame& frame, uint64_t now_us) {
  Command command;
  if (config_.n == 0) return kNotConfigured;
  if (!unpack(frame.body, frame.size, &command)) return kBadLength;
  if (command.n != config_.n) return kBadLength;
  if (!command.enable) is_armed_ = true;
  is_enabled_ = command.enable;
  memcpy(target_, command.tension, sizeof(target_[0]) * command.n);
  command_sequence_ = frame.sequence;
  commanded_us_ = now_us;
  return kOk;
}

AckCode Board::tare() {
  if (mode_ == kEnergised) return kBusy;
  memcpy(tension_zero_, sensors_.tension, sizeof(tension_zero_));
  memcpy(displacement_zero_, sensors_.displacement, sizeof(displacement_zero_));
  return kOk;
}

void Board::reset() {
  is_stopped_ = is_enabled_ = is_armed_ = false;
  memset(latched_, 0, sizeof(latched_));
  memset(apart_us_, 0, sizeof(apart_us_));
}

void Board::stop() {
  is_stopped_ = true;
  is_armed_ = false;
  go_slack();
}

// ---------------------------------------------------------------------------------- from the robot

void Board::measure(const Sensors& sensors, uint64_t now_us) {
  for (uint8_t i = 0; i < kMaxChannels; ++i) {
    sensors_.tension[i] = bounded(sensors.tension[i]);
    sensors_.displacement[i] = bounded(sensors.displacement[i]);
    sensors_.velocity[i] = bounded(sensors.velocity[i]);
  }
  sensors_.supply_mv = sensors.supply_mv;
  has_sensors_ = true;
  measured_us_ = now_us;
}

void Board::step(uint64_t now_us) {
  const uint64_t dt_us = has_stepped_ ? now_us - stepped_us_ : 0;
  has_stepped_ = true;
  stepped_us_ = now_us;
  if (config_.n == 0) return;
  check(now_us);
  drive(dt_us);
  if (now_us >= next_state_us_) {
    const uint64_t period = 1000000U / config_.state_rate;
    next_state_us_ = (now_us - next_state_us_ < period ? next_state_us_ : now_us) + period;
    send_state(now_us);
  }
}

// Faults of now, what they latch, and the mode that follows.
void Board::check(uint64_t now_us) {
  const bool is_stale = !has_sensors_ || now_us - measured_us_ > settings_.sensor_timeout_us;
  const bool is_late = is_enabled_ && now_us - commanded_us_ > 1000ULL * config_.watchdog_ms;
  const bool is_brown_out = has_sensors_ && sensors_.supply_mv < settings_.min_supply_mv;
  bool is_doubtful = is_stale || is_late || is_brown_out;
  bool is_latched = is_stopped_;
  for (uint8_t i = 0; i < config_.n; ++i) {
    const int32_t raw = sensors_.tension[i];
    const bool is_out_of_range =
        has_sensors_ && (raw < settings_.min_reading || raw > settings_.max_reading);
    const int64_t limit = config_.channel[i].max_tension;
    // A fifth above the limit is load from outside or a runaway drive, not overshoot of the controller.
    const bool is_overloaded = has_sensors_ && tension(i) > limit + limit / 5;
    uint16_t fault = 0;
    if (is_stale || is_out_of_range) fault |= kFaultSensor;
    if (is_overloaded) fault |= kFaultOverload;
    if (is_late) fault |= kFaultWatchdog;
    if (is_brown_out) fault |= kFaultSupply;
    if (mode_ == kEnergised) {
      if (is_out_of_range) latched_[i] |= kFaultSensor;
      if (is_overloaded) latched_[i] |= kFaultOverload;
      if (is_brown_out) latched_[i] |= kFaultSupply;
    }
    is_doubtful = is_doubtful || is_out_of_range || is_overloaded;
    is_latched = is_latched || latched_[i] != 0;
    fault_[i] = static_cast<uint16_t>(fault | latched_[i] | (is_stopped_ ? kFaultEmergencyStop : 0));
  }
  if (is_latched) is_armed_ = false;
  if (is_stopped_) {
    mode_ = kStopped;
  } else {
    mode_ = is_enabled_ && is_armed_ && !is_latched && !is_doubtful ? kEnergised : kSlack;
  }
}

// Moves the demand towards the target within the limits of value and rate.
void Board::drive(uint64_t dt_us) {
  if (mode_ != kEnergised) return go_slack();
  // A late loop must not turn into a jump of the demand.
  const uint64_t dt = dt_us < 20000U ? dt_us : 20000U;
  for (uint8_t i = 0; i < config_.n; ++i) {
    const ChannelLimits& limits = config_.channel[i];
    const int32_t wanted = clamp(target_[i], limits.min_tension, limits.max_tension);
    const int32_t most = static_cast<int32_t>(static_cast<int64_t>(limits.tension_rate) * dt / 1000000);
    // Only rising tension is limited in rate: letting go is always allowed.
    demand_[i] = wanted - demand_[i] > most ? demand_[i] + most : wanted;
    is_saturated_[i] = demand_[i] != target_[i];
    // The drive lags, friction holds: only a large and lasting difference says that a tendon is blocked.
    const bool is_apart = magnitude(static_cast<int64_t>(demand_[i]) - tension(i)) > limits.max_tension / 4;
    apart_us_[i] = is_apart ? apart_us_[i] + static_cast<uint32_t>(dt) : 0;
    if (apart_us_[i] > settings_.blocked_after_us) fault_[i] |= kFaultBlocked;
  }
}

void Board::go_slack() {
  memset(demand_, 0, sizeof(demand_));
  memset(is_saturated_, 0, sizeof(is_saturated_));
}

// ---------------------------------------------------------------------------------- to the host

void Board::send(uint8_t type, const uint8_t* body, size_t size) {
  uint8_t out[kMaxFrame];
  transmit_(context_, out, encode_frame(type, sequence_++, body, size, out));
}

void Board::send_state(uint64_t now_us) {
  State state;
  state.time_us = has_sensors_ ? measured_us_ : now_us;
  state.command_sequence = command_sequence_;
  state.mode = mode_;
  state.supply_mv = sensors_.supply_mv;
  state.bad_frames = decoder_.bad_frames();
  state.lost_frames = decoder_.lost_frames();
  state.n = config_.n;
  for (uint8_t i = 0; i < config_.n; ++i) {
    state.channel[i] = {tension(i),  displacement(i), sensors_.velocity[i],
                        demand_[i], fault_[i],       is_saturated_[i]};
  }
  uint8_t body[kMaxBody];
  send(kState, body, pack(state, body));
}

}  // namespace tendon
