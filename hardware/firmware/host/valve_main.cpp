// The valve board on a PC; host_program.hpp says how it is called.

#include "host_program.hpp"
#include "plant_pipe.hpp"
#include "valve_board.hpp"

namespace {

board::Settings settings_of(board::Identity identity) {
  board::Settings settings{};
  identity.limit = 500000000;  // 500 kPa: the robot file is the narrower limit
  settings.identity = identity;
  settings.min_reading = -120000000;
  settings.max_reading = 700000000;
  settings.min_supply_mv = 10000;
  settings.sensor_timeout_us = 250000;
  settings.blocked_after_us = 1000000;
  return settings;
}

class EmulatedValves : public EmulatedDevice {
 public:
  EmulatedValves(const board::Identity& identity, uint16_t rate, board::Controller::Transmit transmit,
                 void* context)
      : board_(settings_of(identity), rate, transmit, context) {}

  board::Controller& controller() override { return board_; }
  size_t columns() const override { return 1; }

  void measure(const std::vector<double>& readings, uint64_t now_us) override {
    valve::Sensors sensors{};
    sensors.supply_mv = kSupplyMv;
    for (size_t i = 0; i < readings.size(); ++i) sensors.pressure[i] = to_wire(readings[i], 1e3);
    board_.measure(sensors, now_us);
  }

  std::vector<double> demand() override {
    std::vector<double> signal;
    for (uint8_t i = 0; i < board_.n_channels(); ++i) signal.push_back(1e-6 * board_.demand(i));
    return signal;
  }

 private:
  valve::Board board_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_host_program(argc, argv, [](const auto& identity, uint16_t rate, auto transmit, void* context) {
    return std::make_unique<EmulatedValves>(identity, rate, transmit, context);
  });
}
