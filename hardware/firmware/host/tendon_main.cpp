// The tendon board on a PC; host_program.hpp says how it is called.

#include "host_program.hpp"
#include "plant_pipe.hpp"
#include "tendon_board.hpp"

namespace {

board::Settings settings_of(board::Identity identity) {
  board::Settings settings{};
  identity.limit = 500000000;  // 500 N: the robot file is the narrower limit
  settings.identity = identity;
  settings.min_reading = -20000000;
  settings.max_reading = 700000000;
  settings.min_supply_mv = 10000;
  settings.sensor_timeout_us = 250000;
  settings.blocked_after_us = 1000000;
  return settings;
}

class EmulatedTendons : public EmulatedDevice {
 public:
  EmulatedTendons(const board::Identity& identity, board::Controller::Transmit transmit, void* context)
      : board_(settings_of(identity), transmit, context) {}

  board::Controller& controller() override { return board_; }
  size_t columns() const override { return 3; }

  void measure(const std::vector<double>& readings, uint64_t now_us) override {
    tendon::Sensors sensors{};
    sensors.supply_mv = kSupplyMv;
    for (size_t i = 0; 3 * i < readings.size(); ++i) {
      sensors.tension[i] = to_wire(readings[3 * i], 1e6);
      sensors.displacement[i] = to_wire(readings[3 * i + 1], 1e9);
      sensors.velocity[i] = to_wire(readings[3 * i + 2], 1e9);
    }
    board_.measure(sensors, now_us);
  }

  std::vector<double> demand() override {
    std::vector<double> tension;
    for (uint8_t i = 0; i < board_.n_channels(); ++i) tension.push_back(1e-6 * board_.demand(i));
    return tension;
  }

 private:
  tendon::Board board_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_host_program(argc, argv, [](const auto& identity, uint16_t, auto transmit, void* context) {
    return std::make_unique<EmulatedTendons>(identity, transmit, context);
  });
}
