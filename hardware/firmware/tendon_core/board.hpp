// The tendon controller: answers the host, keeps the limits, goes slack when anything is doubtful.
//
// A board layer owns the clock, the sensors and the drives. It calls receive() with bytes from the host,
// measure() with new readings, step() at a steady rate, and drives the tendons to demand().
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "frame.hpp"
#include "messages.hpp"

namespace tendon {

// What this board can do, and the thresholds of its own checks.
struct BoardSettings {
  Identity identity;
  int32_t min_reading;          // uN, a load cell below this is broken or unplugged
  int32_t max_reading;          // uN
  uint16_t min_supply_mv;       // brown-out below this
  uint32_t sensor_timeout_us;   // readings older than this count as missing
  uint32_t blocked_after_us;    // measured and demanded tension apart for longer than this: blocked
};

struct Sensors {
  int32_t tension[kMaxChannels];       // uN
  int32_t displacement[kMaxChannels];  // nm, positive when tendon leaves the body
  int32_t velocity[kMaxChannels];      // nm/s
  uint16_t supply_mv;
};

class Board {
 public:
  // transmit(context, data, n) queues bytes to the host; it must not block.
  typedef void (*Transmit)(void* context, const uint8_t* data, size_t n);

  Board(const BoardSettings& settings, Transmit transmit, void* context);

  void receive(const uint8_t* data, size_t n, uint64_t now_us);
  void measure(const Sensors& sensors, uint64_t now_us);
  void step(uint64_t now_us);
  void stop();  // emergency stop, latched until RESET; also for a button wired to the board

  // Tension that the drive should hold [uN]; 0 is slack.
  int32_t demand(uint8_t channel) const { return demand_[channel]; }
  bool is_energised() const { return mode_ == kEnergised; }
  uint8_t n_channels() const { return settings_.identity.n_channels; }

 private:
  void handle(const Frame& frame, uint64_t now_us);
  AckCode configure(const Frame& frame);
  AckCode command(const Frame& frame, uint64_t now_us);
  AckCode tare();
  void greet(const Frame& frame);
  void reset();

  void check(uint64_t now_us);
  void drive(uint64_t dt_us);
  void go_slack();
  void send(uint8_t type, const uint8_t* body, size_t size);
  void send_state(uint64_t now_us);

  int32_t tension(uint8_t i) const { return sensors_.tension[i] - tension_zero_[i]; }
  int32_t displacement(uint8_t i) const { return sensors_.displacement[i] - displacement_zero_[i]; }

  BoardSettings settings_;
  Transmit transmit_;
  void* context_;
  FrameDecoder decoder_;
  uint16_t sequence_ = 0;

  Sensors sensors_;
  int32_t tension_zero_[kMaxChannels];
  int32_t displacement_zero_[kMaxChannels];
  bool has_sensors_ = false;
  uint64_t measured_us_ = 0;

  Config config_;
  bool version_fits_ = false;
  Mode mode_ = kIdle;
  bool is_enabled_ = false;  // what the last COMMAND asks for
  bool is_armed_ = false;    // a COMMAND without enable was seen since start, RESET and every latch
  bool is_stopped_ = false;
  uint16_t command_sequence_ = 0;
  uint64_t commanded_us_ = 0;

  int32_t target_[kMaxChannels];   // setpoint as commanded
  int32_t demand_[kMaxChannels];   // setpoint after limits
  bool is_saturated_[kMaxChannels];
  uint16_t fault_[kMaxChannels];   // now
  uint16_t latched_[kMaxChannels]; // until RESET
  uint32_t apart_us_[kMaxChannels];

  bool has_stepped_ = false;
  uint64_t stepped_us_ = 0;
  uint64_t next_state_us_ = 0;
};

}  // namespace tendon
