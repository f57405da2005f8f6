// Throws random bytes and damaged frames at a board: fuzz {tendon|valve} COUNT SEED. Built with sanitizers, it fails on any
// undefined behaviour, and when a demand leaves the limits.

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tendon_board.hpp"
#include "valve_board.hpp"

namespace {

using Random = std::mt19937;

size_t below(Random& random, size_t n) { return random() % n; }

void ignore(void* frames, const uint8_t*, size_t) { ++*static_cast<unsigned long*>(frames); }

// Gives a random body the length its message must have, so that it is understood.
void make_plausible(Random& random, size_t row, uint8_t type, std::vector<uint8_t>& body) {
  const auto n = static_cast<uint8_t>(1 + below(random, 4));
  if (type == board::kHello) body = {board::kProtocolMajor, 0};
  if (type == board::kConfig) {
    body.resize(5U + row * n);
    body[4] = n;
    for (size_t channel = 0; channel < n; ++channel) {
      uint8_t* const limits = body.data() + 5U + row * channel;
      for (size_t i = 0; i < 4 * (row / 4); i += 4) limits[i + 3] &= 0x7F;  // no negative limits
      for (size_t i = 4 * (row / 4) - 4; i < row && row > 12; i += 2) limits[i + 1] &= 0x0F;  // no large dead bands
    }
  }
  if (type == board::kCommand) {
    body.resize(2U + 4U * n);
    body[1] = n;
  }
}

std::vector<uint8_t> frame_of(Random& random, size_t row, uint16_t sequence) {
  // Mostly commands, so that the tendons are energised at times.
  const size_t pick = below(random, 20);
  const auto type = static_cast<uint8_t>(pick < 10 ? size_t{board::kCommand} : pick - 10);
  std::vector<uint8_t> body(below(random, board::kMaxBody + 1));
  for (auto& byte : body) byte = static_cast<uint8_t>(random());
  if (below(random, 4)) make_plausible(random, row, type, body);
  std::vector<uint8_t> frame(board::kMaxFrame);
  frame.resize(board::encode_frame(type, sequence, body.data(), body.size(), frame.data()));
  return frame;
}

// One to three changes of a good frame: a bit turned over, a byte taken out, a byte put in.
void damage(Random& random, std::vector<uint8_t>& frame) {
  for (size_t n = 1 + below(random, 3); n > 0 && frame.size() > 1; --n) {
    const size_t at = below(random, frame.size() - 1);
    switch (below(random, 3)) {
      case 0:
        frame[at] = static_cast<uint8_t>(frame[at] ^ (1U << below(random, 8)));
        break;
      case 1:
        frame.erase(frame.begin() + static_cast<long>(at));
        break;
      default:
        frame.insert(frame.begin() + static_cast<long>(at), static_cast<uint8_t>(random()));
    }
  }
}

struct Tendons {
  static constexpr size_t kRow = 12;  // bytes of a channel in CONFIG
  explicit Tendons(const board::Settings& settings, void* context) : board(settings, ignore, context) {}

  void measure(Random& random, uint64_t now) {
    tendon::Sensors sensors{};
    for (int32_t& tension : sensors.tension) tension = reading(random);
    for (int32_t& displacement : sensors.displacement) displacement = static_cast<int32_t>(random());
    board.measure(sensors, now);
  }
  bool is_within(const board::Settings& settings, uint8_t i) const {
    return board.demand(i) >= 0 && board.demand(i) <= settings.identity.limit;
  }
  static int32_t reading(Random& random) {
    return static_cast<int32_t>(below(random, 100) ? below(random, 1000) : random());
  }

  tendon::Board board;
};

struct Valves {
  static constexpr size_t kRow = 30;
  explicit Valves(const board::Settings& settings, void* context) : board(settings, 1000, ignore, context) {}

  void measure(Random& random, uint64_t now) {
    valve::Sensors sensors{};
    for (int32_t& pressure : sensors.pressure) pressure = Tendons::reading(random);
    board.measure(sensors, now);
  }
  // Openings within the range, and open to the exhaust whenever the board is not energised.
  bool is_within(const board::Settings&, uint8_t i) const {
    const int32_t demand = board.demand(i);
    return demand >= -1000000 && demand <= 1000000 && (board.is_energised() || demand == -1000000);
  }

  valve::Board board;
};

template <typename Device>
int fuzz(long count, unsigned seed) {
  Random random(seed);
  board::Settings settings{};
  settings.identity.n_channels = 4;
  settings.identity.limit = 100000000;
  settings.identity.max_state_rate = 500;
  settings.max_reading = 200000000;
  settings.sensor_timeout_us = 100000;
  settings.blocked_after_us = 1000000;

  unsigned long answers = 0;
  Device device(settings, &answers);
  board::FrameDecoder decoder;
  uint64_t now = 0;
  unsigned long good = 0;
  unsigned long energised = 0;
  for (long i = 0; i < count; ++i) {
    auto bytes = frame_of(random, Device::kRow, static_cast<uint16_t>(i));
    const size_t kind = below(random, 3);
    if (kind == 0) damage(random, bytes);
    if (kind == 1) {
      for (auto& byte : bytes) byte = static_cast<uint8_t>(random());
    }
    device.board.receive(bytes.data(), bytes.size(), now);
    for (const uint8_t byte : bytes) good += decoder.push(byte);

    if (below(random, 2)) device.measure(random, now);
    now += below(random, 5000);
    device.board.step(now);
    energised += device.board.is_energised();
    for (uint8_t channel = 0; channel < 4; ++channel) {
      if (!device.is_within(settings, channel)) return 1;
    }
  }
  std::printf("frames %ld good %lu bad %u lost %u answers %lu energised %lu\n", count, good,
              decoder.bad_frames(), decoder.lost_frames(), answers, energised);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const long count = std::atol(argv[2]);
  const auto seed = static_cast<unsigned>(std::atol(argv[3]));
  return std::string(argv[1]) == "valve" ? fuzz<Valves>(count, seed) : fuzz<Tendons>(count, seed);
}
