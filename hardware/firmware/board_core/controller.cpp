#include "controller.hpp"

#include <string.h>

namespace board {
namespace {

constexpr uint16_t kMinWatchdogMs = 20;
constexpr uint16_t kMaxWatchdogMs = 1000;
constexpr uint16_t kMinStateRate = 1;
constexpr uint64_t kLongestStepUs = 20000;  // a late loop must not turn into a jump of the demand

int64_t magnitude(int64_t value) { return value < 0 ? -value : value; }

}  // namespace

Controller::Controller(const Settings& settings, Transmit transmit, void* context)
    : settings_(settings), transmit_(transmit), context_(context) {
  memset(is_saturated_, 0, sizeof(is_saturated_));
  memset(reading_, 0, sizeof(reading_));
  memset(zero_, 0, sizeof(zero_));
  memset(fault_, 0, sizeof(fault_));
  memset(latched_, 0, sizeof(latched_));
  memset(apart_us_, 0, sizeof(apart_us_));
}

// ---------------------------------------------------------------------------------- from the host

void Controller::receive(const uint8_t* data, size_t n, uint64_t now_us) {
  for (size_t i = 0; i < n; ++i) {
    if (decoder_.push(data[i])) handle(decoder_.frame(), now_us);
  }
}

void Controller::handle(const Frame& frame, uint64_t now_us) {
  AckCode code = kUnknownType;
  switch (frame.type) {
    case kHello:
      return greet(frame);
    case kConfig:
      code = take_config(frame);
      if (code == kOk) return;  // CONFIG_EFFECTIVE is the answer
      break;
    case kCommand:
      code = take_command(frame, now_us);
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

void Controller::greet(const Frame& frame) {
  Hello hello;
  // A new session: the host may have been restarted, so nothing stays energised or configured.
  decoder_.restart_sequence();
  version_fits_ = unpack(frame.body, frame.size, &hello) && hello.major == kProtocolMajor;
  mode_ = kIdle;
  is_enabled_ = is_armed_ = false;
  header_.n = 0;
  go_to_rest();
  uint8_t body[kMaxBody];
  const size_t common = pack(settings_.identity, body);
  Writer writer(body + common);
  write_identity(&writer);
  send(kIdentity, body, common + writer.size());
}

AckCode Controller::take_config(const Frame& frame) {
  ConfigHeader header;
  if (!version_fits_) return kWrongVersion;
  const AckCode code = configure(frame, &header);
  if (code != kOk) return code;
  header.watchdog_ms = clamp(header.watchdog_ms, kMinWatchdogMs, kMaxWatchdogMs);
  header.state_rate = clamp(header.state_rate, kMinStateRate, settings_.identity.max_state_rate);
  header_ = header;
  is_enabled_ = is_armed_ = false;
  mode_ = kAtRest;
  go_to_rest();
  uint8_t body[kMaxBody];
  Writer writer(body);
  write(&writer, frame.sequence, header_);
  for (uint8_t i = 0; i < header_.n; ++i) write_config(&writer, i);
  send(kConfigEffective, body, writer.size());
  return kOk;
}

AckCode Controller::take_command(const Frame& frame, uint64_t now_us) {
  Command taken;
  if (header_.n == 0) return kNotConfigured;
  if (!unpack(frame.body, frame.size, &taken)) return kBadLength;
  if (taken.n != header_.n) return kBadLength;
  const AckCode code = command(taken);
  if (code != kOk) return code;
  if (!taken.enable) is_armed_ = true;
  is_enabled_ = taken.enable;
  command_sequence_ = frame.sequence;
  commanded_us_ = now_us;
  return kOk;
}

AckCode Controller::tare() {
  if (mode_ == kEnergised) return kBusy;
  memcpy(zero_, reading_, sizeof(zero_));
  take_zero();
  return kOk;
}

void Controller::reset() {
  is_stopped_ = is_enabled_ = is_armed_ = false;
  memset(latched_, 0, sizeof(latched_));
  memset(apart_us_, 0, sizeof(apart_us_));
}

void Controller::stop() {
  is_stopped_ = true;
  is_armed_ = false;
  go_to_rest();
}

// ---------------------------------------------------------------------------------- from the robot

void Controller::take(const int32_t* reading, uint16_t supply_mv, uint64_t now_us) {
  memcpy(reading_, reading, sizeof(reading_));
  supply_mv_ = supply_mv;
  has_readings_ = true;
  measured_us_ = now_us;
}

void Controller::step(uint64_t now_us) {
  const uint64_t dt_us = has_stepped_ ? now_us - stepped_us_ : 0;
  has_stepped_ = true;
  stepped_us_ = now_us;
  if (header_.n == 0) return;
  check(now_us);
  if (mode_ == kEnergised) {
    drive(dt_us < kLongestStepUs ? dt_us : kLongestStepUs);
  } else {
    go_to_rest();
  }
  if (now_us >= next_state_us_) {
    const uint64_t period = 1000000U / header_.state_rate;
    next_state_us_ = (now_us - next_state_us_ < period ? next_state_us_ : now_us) + period;
    send_state(now_us);
  }
}

// Faults of now, what they latch, and the mode that follows.
void Controller::check(uint64_t now_us) {
  const bool is_stale = !has_readings_ || now_us - measured_us_ > settings_.sensor_timeout_us;
  const bool is_late = is_enabled_ && now_us - commanded_us_ > 1000ULL * header_.watchdog_ms;
  const bool is_brown_out = has_readings_ && supply_mv_ < settings_.min_supply_mv;
  bool is_doubtful = is_stale || is_late || is_brown_out;
  bool is_latched = is_stopped_;
  for (uint8_t i = 0; i < header_.n; ++i) {
    const int32_t raw = reading_[i];
    const bool is_out_of_range =
        has_readings_ && (raw < settings_.min_reading || raw > settings_.max_reading);
    // A fifth above the limit is load from outside or a runaway drive, not overshoot of the controller.
    const int64_t most = limit(i);
    const bool is_overloaded = has_readings_ && reading(i) > most + most / 5;
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
    mode_ = is_enabled_ && is_armed_ && !is_latched && !is_doubtful ? kEnergised : kAtRest;
  }
}

void Controller::follow(uint8_t i, int32_t demand, uint64_t dt_us) {
  const bool is_apart = magnitude(static_cast<int64_t>(demand) - reading(i)) > limit(i) / 4;
  apart_us_[i] = is_apart ? apart_us_[i] + static_cast<uint32_t>(dt_us) : 0;
  if (apart_us_[i] > settings_.blocked_after_us) fault_[i] |= kFaultBlocked;
}

void Controller::go_to_rest() {
  memset(is_saturated_, 0, sizeof(is_saturated_));
  rest();
}

// ---------------------------------------------------------------------------------- to the host

void Controller::send(uint8_t type, const uint8_t* body, size_t size) {
  uint8_t out[kMaxFrame];
  transmit_(context_, out, encode_frame(type, sequence_++, body, size, out));
}

void Controller::send_state(uint64_t now_us) {
  StateHeader state;
  state.time_us = has_readings_ ? measured_us_ : now_us;
  state.command_sequence = command_sequence_;
  state.mode = mode_;
  state.supply_mv = supply_mv_;
  state.bad_frames = decoder_.bad_frames();
  state.lost_frames = decoder_.lost_frames();
  state.n = header_.n;
  uint8_t body[kMaxBody];
  Writer writer(body);
  write(&writer, state);
  for (uint8_t i = 0; i < state.n; ++i) {
    write_state(&writer, i);
    writer.u16(fault_[i]).u8(is_saturated_[i] ? 1 : 0);
  }
  send(kState, body, writer.size());
}

}  // namespace board
