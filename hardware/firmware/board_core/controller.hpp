// What every board does: answers the host, keeps time and limits, rests when anything is doubtful.
//
// A board layer owns the clock, the sensors and the drives. It calls receive() with bytes from the host, the
// device's measure() with new readings, and step() at a steady rate. A device (tendon::Board, valve::Board)
// derives from Controller and says what its messages hold and what it drives.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "frame.hpp"
#include "protocol.hpp"

namespace board {

template <typename T>
T clamp(T value, T low, T high) {
  return value < low ? low : (value > high ? high : value);
}

// What this board can do, and the thresholds of its own checks; in units of the wire.
struct Settings {
  Identity identity;
  int32_t min_reading;         // a sensor below this is broken or unplugged
  int32_t max_reading;
  uint16_t min_supply_mv;      // brown-out below this
  uint32_t sensor_timeout_us;  // readings older than this count as missing
  uint32_t blocked_after_us;   // measured and demanded value apart for longer than this: blocked
};

class Controller {
 public:
  // transmit(context, data, n) queues bytes to the host; it must not block.
  typedef void (*Transmit)(void* context, const uint8_t* data, size_t n);

  void receive(const uint8_t* data, size_t n, uint64_t now_us);
  void step(uint64_t now_us);
  void stop();  // emergency stop, latched until RESET; also for a button wired to the board

  bool is_energised() const { return mode_ == kEnergised; }
  uint8_t n_channels() const { return settings_.identity.n_channels; }

 protected:
  Controller(const Settings& settings, Transmit transmit, void* context);
  ~Controller() {}

  // Readings of all channels: tension or pressure, far from the ends of int32.
  void take(const int32_t* reading, uint16_t supply_mv, uint64_t now_us);

  // What the device says. configure() leaves everything as it was unless it returns kOk; the header that it
  // fills is limited here. write_*() append to what is there.
  virtual AckCode configure(const Frame& frame, ConfigHeader* header) = 0;
  virtual AckCode command(const Command& command) = 0;
  virtual void drive(uint64_t dt_us) = 0;  // towards the command, while energised
  virtual void rest() = 0;                 // at once
  virtual void take_zero() {}              // present readings of the device beside the channel's
  virtual int32_t limit(uint8_t channel) const = 0;  // highest setpoint in force
  virtual void write_identity(Writer*) const {}
  virtual void write_config(Writer* writer, uint8_t channel) const = 0;
  virtual void write_state(Writer* writer, uint8_t channel) const = 0;

  int32_t reading(uint8_t channel) const { return reading_[channel] - zero_[channel]; }
  const Settings& settings() const { return settings_; }
  uint8_t n() const { return header_.n; }

  // Says that the demand of a channel is or is not reached; the fault comes when that lasts. The drive lags,
  // friction holds: only a large and lasting difference tells.
  void follow(uint8_t channel, int32_t demand, uint64_t dt_us);

  bool is_saturated_[kMaxChannels];  // a limit changed the request

 private:
  void handle(const Frame& frame, uint64_t now_us);
  void greet(const Frame& frame);
  AckCode take_config(const Frame& frame);
  AckCode take_command(const Frame& frame, uint64_t now_us);
  AckCode tare();
  void reset();
  void check(uint64_t now_us);
  void go_to_rest();
  void send(uint8_t type, const uint8_t* body, size_t size);
  void send_state(uint64_t now_us);

  Settings settings_;
  Transmit transmit_;
  void* context_;
  FrameDecoder decoder_;
  uint16_t sequence_ = 0;

  int32_t reading_[kMaxChannels];
  int32_t zero_[kMaxChannels];
  uint16_t supply_mv_ = 0;
  bool has_readings_ = false;
  uint64_t measured_us_ = 0;

  ConfigHeader header_ = {0, 0, 0};
  bool version_fits_ = false;
  Mode mode_ = kIdle;
  bool is_enabled_ = false;  // what the last COMMAND asks for
  bool is_armed_ = false;    // a COMMAND without enable was seen since start, RESET and every latch
  bool is_stopped_ = false;
  uint16_t command_sequence_ = 0;
  uint64_t commanded_us_ = 0;

  uint16_t fault_[kMaxChannels];    // now
  uint16_t latched_[kMaxChannels];  // until RESET
  uint32_t apart_us_[kMaxChannels];

  bool has_stepped_ = false;
  uint64_t stepped_us_ = 0;
  uint64_t next_state_us_ = 0;
};

}  // namespace board
