// Unit tests of the tendon board against a clock that only the test moves. Prints each failure; exit code 1 then.

#include <cmath>
#include <cstring>
#include <vector>

#include "check.hpp"
#include "spool.hpp"
#include "tendon_board.hpp"

namespace {

constexpr int32_t kNewton = 1000000;
constexpr uint64_t kStep = 2000;  // us

// A board with two channels, its host and its robot, all in steps of 2 ms.
class Rig {
 public:
  Rig() : board(settings(), &Rig::on_bytes, this) {}

  static board::Settings settings() {
    board::Settings s{};
    std::memcpy(s.identity.serial, "TEST", 4);
    s.identity.n_channels = 2;
    s.identity.limit = 50 * kNewton;
    s.identity.max_state_rate = 500;
    s.min_reading = -5 * kNewton;
    s.max_reading = 100 * kNewton;
    s.min_supply_mv = 10000;
    s.sensor_timeout_us = 50000;
    s.blocked_after_us = 200000;
    return s;
  }

  void send(uint8_t type, const std::vector<uint8_t>& body = {}) {
    uint8_t frame[board::kMaxFrame];
    const size_t n = board::encode_frame(type, sequence++, body.data(), body.size(), frame);
    board.receive(frame, n, now);
  }

  void hello(uint8_t major = 1) { send(board::kHello, {major, 0}); }

  // Limits 0 to 20 N, 100 N/s on both channels.
  void configure(uint16_t watchdog_ms = 100) {
    std::vector<uint8_t> body = {static_cast<uint8_t>(watchdog_ms), static_cast<uint8_t>(watchdog_ms >> 8), 100,
                                 0, 2};
    for (int channel = 0; channel < 2; ++channel) {
      append(body, 0);
      append(body, 20 * kNewton);
      append(body, 100 * kNewton);
    }
    send(board::kConfig, body);
  }

  void command(bool enable, int32_t first, int32_t second) {
    std::vector<uint8_t> body = {enable, 2};
    append(body, first);
    append(body, second);
    send(board::kCommand, body);
  }

  void arm() {
    hello();
    configure();
    command(false, 0, 0);
    step();
  }

  // Steps with the drive following perfectly unless `load` holds a channel at its own tension.
  void step(int n = 1) {
    for (int i = 0; i < n; ++i) {
      now += kStep;
      for (uint8_t c = 0; c < 2; ++c) sensors.tension[c] = is_held ? load[c] : board.demand(c);
      if (has_sensors) board.measure(sensors, now);
      board.step(now);
    }
  }

  // Steps while the host keeps commanding.
  void run(int n, int32_t first, int32_t second) {
    for (int i = 0; i < n; ++i) {
      command(true, first, second);
      step();
    }
  }

  uint16_t fault() const { return static_cast<uint16_t>(state[22 + 16] | (state[22 + 17] << 8)); }
  uint8_t mode() const { return state[10]; }
  bool is_slack() const { return board.demand(0) == 0 && board.demand(1) == 0; }

  tendon::Board board;
  tendon::Sensors sensors{{0}, {0}, {0}, 12000};
  int32_t load[2] = {0, 0};
  bool is_held = false;
  bool has_sensors = true;
  uint64_t now = 0;
  uint16_t sequence = 0;
  std::vector<uint8_t> identity, effective, state, ack;

 private:
  static void append(std::vector<uint8_t>& body, int32_t value) {
    for (int shift = 0; shift < 32; shift += 8) body.push_back(static_cast<uint8_t>(value >> shift));
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

void says_who_it_is() {
  Rig rig;
  rig.hello();
  CHECK(rig.identity.size() == 28);
  CHECK(rig.identity[0] == board::kProtocolMajor);
  CHECK(std::memcmp(rig.identity.data() + 5, "TEST", 5) == 0);
}

void refuses_limits_from_another_protocol() {
  Rig rig;
  rig.hello(2);
  rig.configure();
  CHECK(rig.effective.empty());
  CHECK(rig.ack.size() == 4 && rig.ack[3] == board::kWrongVersion);
}

void refuses_commands_before_limits() {
  Rig rig;
  rig.hello();
  rig.command(true, kNewton, 0);
  CHECK(rig.ack.size() == 4 && rig.ack[3] == board::kNotConfigured);
  rig.step();
  CHECK(rig.is_slack() && rig.state.empty());
}

void answers_what_it_does_not_know() {
  Rig rig;
  rig.send(0x55);
  CHECK(rig.ack.size() == 4 && rig.ack[0] == 0x55 && rig.ack[3] == board::kUnknownType);
  rig.arm();
  rig.send(board::kCommand, {1, 9});
  CHECK(rig.ack[0] == board::kCommand && rig.ack[3] == board::kBadLength);
}

void effective_limits_are_those_of_the_board() {
  Rig rig;
  rig.hello();
  rig.configure(5);
  CHECK(rig.effective.size() == 2 + 5 + 24);
  CHECK(rig.effective[2] == 20 && rig.effective[3] == 0);  // the shortest watchdog
}

void tension_rises_at_the_rate_and_falls_at_once() {
  Rig rig;
  rig.arm();
  rig.run(1, 30 * kNewton, 10 * kNewton);
  CHECK(rig.board.demand(0) == 200000);  // 100 N/s for 2 ms
  rig.run(300, 30 * kNewton, 10 * kNewton);
  CHECK(rig.board.demand(0) == 20 * kNewton);  // not above the limit
  CHECK(rig.board.demand(1) == 10 * kNewton);
  CHECK(rig.state[22 + 18] == 1 && rig.state[22 + 19 + 18] == 0);  // only the first is saturated
  rig.run(1, kNewton, -kNewton);
  CHECK(rig.board.demand(0) == kNewton);
  CHECK(rig.board.demand(1) == 0);
}

void watchdog_slackens_and_a_command_resumes() {
  Rig rig;
  rig.arm();
  rig.run(100, 10 * kNewton, 0);
  CHECK(rig.board.demand(0) == 10 * kNewton);
  rig.step(49);
  CHECK(!rig.is_slack());
  rig.step(7);  // more than 100 ms since the last command
  CHECK(rig.is_slack());
  CHECK(rig.fault() == board::kFaultWatchdog && rig.mode() == board::kAtRest);
  rig.run(10, 10 * kNewton, 0);
  CHECK(rig.board.demand(0) == 10 * 200000);
  CHECK(rig.fault() == 0 && rig.mode() == board::kEnergised);
}

void stop_stays_until_reset_and_a_new_enable() {
  Rig rig;
  rig.arm();
  rig.run(50, 10 * kNewton, 0);
  rig.send(board::kStop);
  CHECK(rig.is_slack());
  rig.run(50, 10 * kNewton, 0);
  CHECK(rig.is_slack() && rig.mode() == board::kStopped);
  CHECK((rig.fault() & board::kFaultEmergencyStop) != 0);
  rig.hello();  // a host that starts again does not clear the latch
  rig.configure();
  rig.command(false, 0, 0);
  rig.run(50, 10 * kNewton, 0);
  CHECK(rig.is_slack() && rig.mode() == board::kStopped);
  rig.send(board::kReset);
  rig.run(50, 10 * kNewton, 0);
  CHECK(rig.is_slack());  // a host that never let go of enable does not energise
  rig.command(false, 0, 0);
  rig.run(50, 10 * kNewton, 0);
  CHECK(rig.board.demand(0) == 10 * kNewton);
}

void readings_that_stop_slacken_until_they_return() {
  Rig rig;
  rig.arm();
  rig.run(50, 10 * kNewton, 0);
  rig.has_sensors = false;
  rig.run(30, 10 * kNewton, 0);
  CHECK(rig.is_slack() && (rig.fault() & board::kFaultSensor) != 0);
  rig.has_sensors = true;
  rig.run(51, 10 * kNewton, 0);
  CHECK(rig.board.demand(0) == 10 * kNewton && rig.fault() == 0);
}

void broken_load_cell_and_overload_stay_until_reset() {
  const struct {
    int32_t load;
    uint16_t fault;
  } cases[] = {{-6 * kNewton, board::kFaultSensor},
               {25 * kNewton, board::kFaultOverload},
               {101 * kNewton, board::kFaultSensor | board::kFaultOverload}};
  for (const auto& c : cases) {
    Rig rig;
    rig.arm();
    rig.run(50, 10 * kNewton, 0);
    rig.is_held = true;
    rig.load[0] = c.load;
    rig.run(10, 10 * kNewton, 0);
    CHECK(rig.is_slack() && rig.fault() == c.fault);
    rig.is_held = false;
    rig.run(10, 10 * kNewton, 0);
    CHECK(rig.is_slack() && rig.fault() == c.fault);
    rig.send(board::kReset);
    rig.command(false, 0, 0);
    rig.run(51, 10 * kNewton, 0);
    CHECK(rig.board.demand(0) == 10 * kNewton && rig.fault() == 0);
  }
}

void low_supply_slackens() {
  Rig rig;
  rig.arm();
  rig.run(50, 10 * kNewton, 0);
  rig.sensors.supply_mv = 9000;
  rig.run(10, 10 * kNewton, 0);
  CHECK(rig.is_slack() && rig.fault() == board::kFaultSupply);
}

void tendon_that_does_not_follow_is_reported() {
  Rig rig;
  rig.arm();
  rig.is_held = true;
  rig.run(100, 10 * kNewton, 0);
  CHECK(rig.fault() == 0);
  rig.run(100, 10 * kNewton, 0);
  CHECK(rig.fault() == board::kFaultBlocked);
  CHECK(rig.board.demand(0) == 10 * kNewton);
}

void tare_only_while_slack() {
  Rig rig;
  rig.arm();
  rig.is_held = true;
  rig.load[0] = 2 * kNewton;
  rig.sensors.displacement[0] = 5000;
  rig.step(10);
  rig.send(board::kTare);
  CHECK(rig.ack[0] == board::kTare && rig.ack[3] == board::kOk);
  rig.step(10);
  for (size_t i = 0; i < 8; ++i) CHECK(rig.state[22 + i] == 0);  // tension and displacement
  rig.run(10, 10 * kNewton, 0);
  rig.send(board::kTare);
  CHECK(rig.ack[3] == board::kBusy);
}

// Tendon of 2 kN/m between spool and robot.
void spool_holds_a_tension_and_releases_it() {
  tendon::Spool spool({0.01F, 0.02F, 0.1F, 2.0F, 0.05F, 0.2F});
  const float dt = 0.002F, stiffness = 2000.0F;
  float wound = 0.0F, last_speed = 0.0F;
  auto turn = [&](float speed) {
    CHECK(std::fabs(speed) <= 0.1F + 1e-6F);
    CHECK(std::fabs(speed - last_speed) <= 2.0F * dt + 1e-6F);
    last_speed = speed;
    wound += speed * dt;
  };
  auto tension = [&]() { return stiffness * std::fmax(wound, 0.0F); };
  for (int i = 0; i < 1500; ++i) turn(spool.hold(10.0F, tension(), dt));
  CHECK(std::fabs(tension() - 10.0F) < 0.1F);
  for (int i = 0; i < 1500; ++i) turn(spool.release(tension(), dt));
  CHECK(tension() < 0.3F);
  CHECK(std::fabs(last_speed) < 1e-6F);
}

}  // namespace

int main() {
  says_who_it_is();
  refuses_limits_from_another_protocol();
  refuses_commands_before_limits();
  answers_what_it_does_not_know();
  effective_limits_are_those_of_the_board();
  tension_rises_at_the_rate_and_falls_at_once();
  watchdog_slackens_and_a_command_resumes();
  stop_stays_until_reset_and_a_new_enable();
  readings_that_stop_slacken_until_they_return();
  broken_load_cell_and_overload_stay_until_reset();
  low_supply_slackens();
  tendon_that_does_not_follow_is_reported();
  tare_only_while_slack();
  spool_holds_a_tension_and_releases_it();
  return report();
}
