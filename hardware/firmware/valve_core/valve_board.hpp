// The valve controller: holds the pressures of chambers with 5/3 proportional valves, or sets openings as it is
// told; vents when anything is doubtful.
#pragma once

#include <controller.hpp>

#include "pid.hpp"
#include "valve_messages.hpp"

namespace valve {

struct Sensors {
  int32_t pressure[board::kMaxChannels];  // mPa gauge
  uint16_t supply_mv;
};

class Board : public board::Controller {
 public:
  // control_rate: how often step() is called [Hz].
  Board(const board::Settings& settings, uint16_t control_rate, Transmit transmit, void* context);

  void measure(const Sensors& sensors, uint64_t now_us);

  // Opening of the valve [1e-6], before its dead bands are bridged: -1000000 exhaust ... 1000000 supply.
  int32_t opening(uint8_t channel) const { return opening_[channel]; }

  // What the valve is to be given [1e-6]: the opening with the dead bands bridged.
  int32_t demand(uint8_t channel) const;

 private:
  board::AckCode configure(const board::Frame& frame, board::ConfigHeader* header) override;
  board::AckCode command(const board::Command& command) override;
  void drive(uint64_t dt_us) override;
  void rest() override;
  int32_t limit(uint8_t channel) const override;
  void write_identity(board::Writer* writer) const override;
  void write_config(board::Writer* writer, uint8_t channel) const override;
  void write_state(board::Writer* writer, uint8_t channel) const override;

  void hold(uint8_t channel, uint64_t dt_us);

  uint16_t control_rate_;
  ChannelConfig config_[board::kMaxChannels];
  bool sets_openings_ = false;           // as the newest COMMAND says
  int32_t target_[board::kMaxChannels];  // as commanded
  int32_t setpoint_[board::kMaxChannels];  // pressure after limits
  int32_t opening_[board::kMaxChannels];
  Pid pid_[board::kMaxChannels];
};

}  // namespace valve
