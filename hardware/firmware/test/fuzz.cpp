// Throws random bytes and damaged frames at a board: fuzz COUNT SEED. Built with sanitizers, it fails on any
// undefined behaviour, and when a demand leaves the limits.

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "board.hpp"

namespace {

using Random = std::mt19937;

size_t below(Random& random, size_t n) { return random() % n; }

void ignore(void* frames, const uint8_t*, size_t) { ++*static_cast<unsigned long*>(frames); }

// Gives a random body the length its message must have, so that it is understood.
void make_plausible(Random& random, uint8_t type, std::vector<uint8_t>& body) {
  const auto n = static_cast<uint8_t>(1 + below(random, 4));
  if (type == tendon::kHello) body = {tendon::kProtocolMajor, 0};
  if (type == tendon::kConfig) {
    body.resize(5U + 12U * n);
    body[4] = n;
    for (size_t i = 8; i < body.size(); i += 4) body[i] &= 0x7F;  // no negative limits
  }
  if (type == tendon::kCommand) {
    body.resize(2U + 4U * n);
    body[1] = n;
  }
}

std::vector<uint8_t> frame_of(Random& random, uint16_t sequence) {
  // Mostly commands, so that the tendons are energised at times.
  const size_t pick = below(random, 20);
  const auto type = static_cast<uint8_t>(pick < 10 ? size_t{tendon::kCommand} : pick - 10);
  std::vector<uint8_t> body(below(random, tendon::kMaxBody + 1));
  for (auto& byte : body) byte = static_cast<uint8_t>(random());
  if (below(random, 4)) make_plausible(random, type, body);
  std::vector<uint8_t> frame(tendon::kMaxFrame);
  frame.resize(tendon::encode_frame(type, sequence, body.data(), body.size(), frame.data()));
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const long count = std::atol(argv[1]);
  Random random(static_cast<unsigned>(std::atol(argv[2])));
  tendon::BoardSettings settings{};
  settings.identity.n_channels = 4;
  settings.identity.tension_limit = 100000000;
  settings.identity.max_state_rate = 500;
  settings.max_reading = 200000000;
  settings.sensor_timeout_us = 100000;
  settings.blocked_after_us = 1000000;

  unsigned long answers = 0;
  tendon::Board board(settings, ignore, &answers);
  tendon::FrameDecoder decoder;
  uint64_t now = 0;
  unsigned long good = 0;
  unsigned long energised = 0;
  for (long i = 0; i < count; ++i) {
    auto bytes = frame_of(random, static_cast<uint16_t>(i));
    const size_t kind = below(random, 3);
    if (kind == 0) damage(random, bytes);
    if (kind == 1) {
      for (auto& byte : bytes) byte = static_cast<uint8_t>(random());
    }
    board.receive(bytes.data(), bytes.size(), now);
    for (const uint8_t byte : bytes) good += decoder.push(byte);

    tendon::Sensors sensors{};
    for (int32_t& tension : sensors.tension) tension = static_cast<int32_t>(below(random, 100) ? below(random, 1000) : random());
    for (int32_t& displacement : sensors.displacement) displacement = static_cast<int32_t>(random());
    if (below(random, 2)) board.measure(sensors, now);
    now += below(random, 5000);
    board.step(now);
    energised += board.is_energised();
    for (uint8_t channel = 0; channel < 4; ++channel) {
      if (board.demand(channel) < 0 || board.demand(channel) > settings.identity.tension_limit) return 1;
    }
  }
  std::printf("frames %ld good %lu bad %u lost %u answers %lu energised %lu\n", count, good,
              decoder.bad_frames(), decoder.lost_frames(), answers, energised);
  return 0;
}
