// Unit tests of the valve board against a clock that only the test moves. Prints each failure; exit code 1 then.

#include <cmath>
#include <cstring>
#include <vector>

#include "check.hpp"
#include "valve_board.hpp"

namespace {

constexpr int32_t kKilopascal = 1000000;  // mPa
constexpr int32_t kFull = 1000000;
constexpr uint64_t kStep = 1000;  // us
constexpr size_t kRow = 15;       // of a channel in STATE

// A board with two channels, its host, and two chambers behind valves without dead bands.
class Rig {
 public:
  Rig() : board(settings(), 1000, &Rig::on_bytes, this) {}

  static board::Settings settings() {
    board::Settings s{};
    std::memcpy(s.identity.serial, "TEST", 4);
    s.identity.n_channels = 2;
    s.identity.limit = 200 * kKilopascal;
    s.identity.max_state_rate = 1000;
    s.min_reading = -110 * kKilopascal;
    s.max_reading = 300 * kKilopascal;
    s.min_supply_mv = 10000;
    s.sensor_timeout_us = 50000;
    s.blocked_after_us = 500000;
    return s;
  }

  void send(uint8_t type, const std::vector<uint8_t>& body = {}) {
    uint8_t frame[board::kMaxFrame];
    const size_t n = board::encode_frame(type, sequence++, body.data(), body.size(), frame);
    board.receive(frame, n, now);
  }

  // Limits -10 to 75 kPa, 500 kPa/s on both channels; dead bands in 1e-4.
  void configure(uint16_t supply_dead_band = 0, uint16_t exhaust_dead_band = 0) {
    std::vector<uint8_t> body = {100, 0, 0xE8, 3, 2};
    for (int channel = 0; channel < 2; ++channel) {
      append(body, -10 * kKilopascal, 4);
      append(body, 75 * kKilopascal, 4);
      append(body, 500 * kKilopascal, 4);
      append(body, 30000000, 4);  // full opening at 33 kPa
      append(body, 10000000, 4);
      append(body, 0, 4);
      append(body, 100, 2);
      append(body, supply_dead_band, 2);
      append(body, exhaust_dead_band, 2);
    }
    send(board::kConfig, body);
  }

  void command(bool enable, int32_t first, int32_t second, uint8_t flags = 0) {
    std::vector<uint8_t> body = {static_cast<uint8_t>(flags | (enable ? 1 : 0)), 2};
    append(body, first, 4);
    append(body, second, 4);
    send(board::kCommand, body);
  }

  void arm() {
    send(board::kHello, {1, 0});
    configure();
    command(false, 0, 0);
    step();
  }

  // Steps of the board and of chambers that fill from 150 kPa in 0.2 s and vent in 0.1 s.
  void step(int n = 1) {
    for (int i = 0; i < n; ++i) {
      now += kStep;
      for (uint8_t c = 0; c < 2; ++c) {
        const double opening = 1e-6 * board.demand(c), dt = 1e-6 * kStep;
        if (opening > 0 && !is_stuck) pressure[c] += dt / 0.2 * opening * (150e3 - pressure[c]);
        if (opening < 0 && !is_stuck) pressure[c] += dt / 0.1 * opening * pressure[c];
        sensors.pressure[c] = static_cast<int32_t>(std::lround(1e3 * (pressure[c] + bias)));
      }
      if (has_sensors) board.measure(sensors, now);
      board.step(now);
    }
  }

  // Steps while the host keeps commanding.
  void run(int n, int32_t first, int32_t second, uint8_t flags = 0) {
    for (int i = 0; i < n; ++i) {
      if (i % 10 == 0) command(true, first, second, flags);
      step();
    }
  }

  uint16_t fault() const { return static_cast<uint16_t>(state[22 + 12] | (state[22 + 13] << 8)); }
  bool is_saturated(size_t channel) const { return state[22 + kRow * channel + 14] != 0; }
  uint8_t mode() const { return state[10]; }
  bool is_vented() const { return board.opening(0) == -kFull && board.opening(1) == -kFull; }

  valve::Board board;
  valve::Sensors sensors{{0}, 12000};
  double pressure[2] = {0.0, 0.0};
  double bias = 0.0;
  bool is_stuck = false;
  bool has_sensors = true;
  uint64_t now = 0;
  uint16_t sequence = 0;
  std::vector<uint8_t> identity, effective, state, ack;

 private:
  static void append(std::vector<uint8_t>& body, int32_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) body.push_back(static_cast<uint8_t>(value >> (8 * i)));
  }

  static void on_bytes(void* rig, const uint8_t* data, size_t n) {
    auto& self = *static_cast<Rig*>(rig);
    for (size_t i = 0; i < n; ++i) {
      if (!self.from_board_.push(data[i])) continue;
      const board::Frame& frame = self.from_board_.frame();
      const std::vector<uint8_t> body(frame.body, frame.body + frame.size);
      if (frame.type == board::kIdentity) self.identity = body;
      if (frame.type == board::kConfigEffective) self.effective = body;
      if (frame.type == board::kState) self.state = body;
      if (frame.type == board::kAck) self.ack = body;
    }
  }

  board::FrameDecoder from_board_;
};

void says_who_it_is_and_how_fast_it_controls() {
  Rig rig;
  CHECK(rig.is_vented());
  rig.send(board::kHello, {1, 0});
  CHECK(rig.identity.size() == 30);
  CHECK(rig.identity[28] == 0xE8 && rig.identity[29] == 3);
}

void repeats_limits_and_gains_that_are_in_force() {
  Rig rig;
  rig.send(board::kHello, {1, 0});
  rig.configure(600, 400);
  CHECK(rig.effective.size() == 2 + 5 + 60);
  CHECK(rig.effective[2 + 5 + 26] == (600 & 0xFF) && rig.effective[2 + 5 + 27] == (600 >> 8));
}

void limits_that_make_no_sense_are_refused() {
  Rig rig;
  rig.send(board::kHello, {1, 0});
  rig.configure(5001);
  CHECK(rig.effective.empty());
  CHECK(rig.ack.size() == 4 && rig.ack[3] == board::kOutOfRange);
}

void pressure_is_reached_and_held() {
  Rig rig;
  rig.arm();
  rig.run(1, 60 * kKilopascal, 30 * kKilopascal);
  CHECK(rig.is_saturated(0));  // by the rate
  rig.run(1500, 60 * kKilopascal, 30 * kKilopascal);
  CHECK(std::fabs(rig.pressure[0] - 60e3) < 1e3 && std::fabs(rig.pressure[1] - 30e3) < 1e3);
  CHECK(rig.fault() == 0 && rig.mode() == board::kEnergised);
  rig.run(1500, 100 * kKilopascal, 0);
  CHECK(std::fabs(rig.pressure[0] - 75e3) < 1e3);  // not above the limit
  CHECK(rig.is_saturated(0) && !rig.is_saturated(1));
  CHECK(rig.pressure[1] < 2e3);  // the flow to the exhaust ends with the pressure
}

void openings_are_passed_on_as_they_are() {
  Rig rig;
  rig.arm();
  rig.run(2, 300000, -2000000, valve::kFlagOpening);
  CHECK(rig.board.opening(0) == 300000 && rig.board.opening(1) == -kFull);
  CHECK(!rig.is_saturated(0) && rig.is_saturated(1));
  rig.run(1, 60 * kKilopascal, 0);
  rig.run(1, 200000, 0, valve::kFlagOpening);
  CHECK(rig.board.opening(0) == 200000 && rig.board.opening(1) == 0);
}

void dead_bands_are_bridged_without_a_jump() {
  Rig rig;
  rig.send(board::kHello, {1, 0});
  rig.configure(600, 400);
  rig.command(false, 0, 0);
  rig.step();
  rig.run(1, 500000, -500000, valve::kFlagOpening);
  CHECK(rig.board.demand(0) == 60000 + 470000 && rig.board.demand(1) == -40000 - 480000);
  rig.run(1, 0, kFull, valve::kFlagOpening);
  CHECK(rig.board.demand(0) == 0 && rig.board.demand(1) == kFull);
  int32_t last = 0;
  for (int32_t opening = 0; opening <= 20000; opening += 100) {
    rig.run(1, opening, 0, valve::kFlagOpening);
    CHECK(rig.board.demand(0) >= last && rig.board.demand(0) - last < 1000);
    last = rig.board.demand(0);
  }
}

void watchdog_vents_and_a_command_resumes() {
  Rig rig;
  rig.arm();
  rig.run(1001, 50 * kKilopascal, 0);
  rig.step(99);
  CHECK(!rig.is_vented());
  rig.step(12);
  CHECK(rig.is_vented());
  CHECK(rig.fault() == board::kFaultWatchdog && rig.mode() == board::kAtRest);
  rig.step(1000);
  CHECK(rig.pressure[0] < 100.0);
  rig.run(1000, 50 * kKilopascal, 0);
  CHECK(std::fabs(rig.pressure[0] - 50e3) < 1e3 && rig.fault() == 0);
}

void stop_vents_until_reset_and_a_new_enable() {
  Rig rig;
  rig.arm();
  rig.run(500, 50 * kKilopascal, 0);
  rig.send(board::kStop);
  CHECK(rig.is_vented());
  rig.run(50, 50 * kKilopascal, 0);
  CHECK(rig.is_vented() && rig.mode() == board::kStopped);
  rig.send(board::kReset);
  rig.run(50, 50 * kKilopascal, 0);
  CHECK(rig.is_vented());  // a host that never let go of enable does not energise
  rig.command(false, 0, 0);
  rig.run(50, 50 * kKilopascal, 0);
  CHECK(!rig.is_vented());
}

void overpressure_closes_the_supply_and_vents_until_reset() {
  for (const uint8_t flags : {uint8_t{0}, valve::kFlagOpening}) {
    Rig rig;
    rig.arm();
    rig.run(300, flags ? 0 : 50 * kKilopascal, 0, flags);
    CHECK(rig.fault() == 0);
    rig.bias = 100e3;
    rig.run(1, flags ? 300000 : 50 * kKilopascal, 0, flags);
    CHECK(rig.is_vented() && rig.fault() == board::kFaultOverload);
    rig.bias = 0.0;
    rig.run(50, flags ? 300000 : 50 * kKilopascal, 0, flags);
    CHECK(rig.is_vented() && rig.fault() == board::kFaultOverload);
    rig.send(board::kReset);
    rig.command(false, 0, 0, flags);
    rig.run(10, flags ? 300000 : 50 * kKilopascal, 0, flags);
    CHECK(!rig.is_vented() && rig.fault() == 0);
  }
}

void broken_sensor_silent_sensors_and_low_supply_vent() {
  Rig broken;
  broken.arm();
  broken.run(300, 50 * kKilopascal, 0);
  broken.bias = -200e3;
  broken.run(1, 50 * kKilopascal, 0);
  CHECK(broken.is_vented() && broken.fault() == board::kFaultSensor);

  Rig silent;
  silent.arm();
  silent.run(300, 50 * kKilopascal, 0);
  silent.has_sensors = false;
  silent.run(60, 50 * kKilopascal, 0);
  CHECK(silent.is_vented() && (silent.fault() & board::kFaultSensor) != 0);
  silent.has_sensors = true;
  silent.run(10, 50 * kKilopascal, 0);
  CHECK(!silent.is_vented() && silent.fault() == 0);

  Rig low;
  low.arm();
  low.run(300, 50 * kKilopascal, 0);
  low.sensors.supply_mv = 9000;
  low.run(2, 50 * kKilopascal, 0);
  CHECK(low.is_vented() && low.fault() == board::kFaultSupply);
}

void valve_that_sticks_is_reported_and_the_integral_does_not_wind_up() {
  Rig rig;
  rig.arm();
  rig.is_stuck = true;
  rig.run(2000, 50 * kKilopascal, 0);
  CHECK(rig.fault() == board::kFaultBlocked);
  rig.is_stuck = false;
  double highest = 0.0;
  for (int i = 0; i < 100; ++i) {
    rig.run(10, 50 * kKilopascal, 0);
    highest = std::fmax(highest, rig.pressure[0]);
  }
  CHECK(highest < 60e3);
  CHECK(std::fabs(rig.pressure[0] - 50e3) < 2e3 && rig.fault() == 0);
}

}  // namespace

int main() {
  says_who_it_is_and_how_fast_it_controls();
  repeats_limits_and_gains_that_are_in_force();
  limits_that_make_no_sense_are_refused();
  pressure_is_reached_and_held();
  openings_are_passed_on_as_they_are();
  dead_bands_are_bridged_without_a_jump();
  watchdog_vents_and_a_command_resumes();
  stop_vents_until_reset_and_a_new_enable();
  overpressure_closes_the_supply_and_vents_until_reset();
  broken_sensor_silent_sensors_and_low_supply_vent();
  valve_that_sticks_is_reported_and_the_integral_does_not_wind_up();
  return report();
}
