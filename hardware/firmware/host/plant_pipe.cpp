#include "plant_pipe.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include <unistd.h>

namespace {

constexpr uint16_t kSupplyMv = 12000;

// Micro or nano units. What is not a number becomes a reading far outside the range, as from a torn wire.
int32_t to_wire(double value, double scale) {
  if (std::isnan(value)) return INT32_MIN;
  return static_cast<int32_t>(std::lround(std::fmax(-2e9, std::fmin(2e9, value * scale))));
}

}  // namespace

bool PlantPipe::read(Input* input) {
  uint8_t chunk[4096];
  const ssize_t count = ::read(STDIN_FILENO, chunk, sizeof(chunk));
  if (count <= 0) return false;
  pending_.insert(pending_.end(), chunk, chunk + count);

  size_t at = 0;
  while (pending_.size() - at >= 2) {
    const uint8_t kind = pending_[at];
    const uint8_t argument = pending_[at + 1];
    if (kind == 'P') {
      input->has_plug = true;
      input->plug = argument != 0;
      at += 2;
    } else if (kind == 'S' && argument <= tendon::kMaxChannels) {
      const size_t size = 2 + 24U * argument;
      if (pending_.size() - at < size) break;
      input->has_sensors = true;
      input->sensors.supply_mv = kSupplyMv;
      for (uint8_t i = 0; i < argument; ++i) {
        double value[3];
        std::memcpy(value, pending_.data() + at + 2 + 24U * i, sizeof(value));
        input->sensors.tension[i] = to_wire(value[0], 1e6);
        input->sensors.displacement[i] = to_wire(value[1], 1e9);
        input->sensors.velocity[i] = to_wire(value[2], 1e9);
      }
      at += size;
    } else {
      throw std::runtime_error("unknown record on standard input: kind " + std::to_string(kind) +
                               ", argument " + std::to_string(argument));
    }
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

void PlantPipe::write(const tendon::Board& board) const {
  uint8_t record[2 + 8 * tendon::kMaxChannels];
  record[0] = 'D';
  record[1] = board.n_channels();
  for (uint8_t i = 0; i < board.n_channels(); ++i) {
    const double demand = 1e-6 * board.demand(i);
    std::memcpy(record + 2 + 8U * i, &demand, sizeof(demand));
  }
  // Shorter than PIPE_BUF, so that a record is written whole or not at all.
  if (::write(STDOUT_FILENO, record, 2 + 8U * board.n_channels()) < 0 && errno != EAGAIN) {
    throw std::runtime_error(std::string("cannot write the demand: ") + std::strerror(errno));
  }
}
