// The tendon controller: holds tensions within limits of value and rate, goes slack when anything is doubtful.
#pragma once

#include <controller.hpp>

#include "tendon_messages.hpp"

namespace tendon {

struct Sensors {
  int32_t tension[board::kMaxChannels];       // uN
  int32_t displacement[board::kMaxChannels];  // nm, positive when tendon leaves the body
  int32_t velocity[board::kMaxChannels];      // nm/s
  uint16_t supply_mv;
};

class Board : public board::Controller {
 public:
  Board(const board::Settings& settings, Transmit transmit, void* context);

  void measure(const Sensors& sensors, uint64_t now_us);

  // Tension that the drive should hold [uN]; 0 is slack.
  int32_t demand(uint8_t channel) const { return demand_[channel]; }

 private:
  board::AckCode configure(const board::Frame& frame, board::ConfigHeader* header) override;
  board::AckCode command(const board::Command& command) override;
  void drive(uint64_t dt_us) override;
  void rest() override;
  void take_zero() override;
  int32_t limit(uint8_t channel) const override { return limits_[channel].max_tension; }
  void write_config(board::Writer* writer, uint8_t channel) const override;
  void write_state(board::Writer* writer, uint8_t channel) const override;

  ChannelLimits limits_[board::kMaxChannels];
  int32_t displacement_[board::kMaxChannels];
  int32_t displacement_zero_[board::kMaxChannels];
  int32_t velocity_[board::kMaxChannels];
  int32_t target_[board::kMaxChannels];  // setpoint as commanded
  int32_t demand_[board::kMaxChannels];  // setpoint after limits
};

}  // namespace tendon
