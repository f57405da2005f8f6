#include "plant_pipe.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include "protocol.hpp"

int32_t to_wire(double value, double scale) {
  if (std::isnan(value)) return INT32_MIN;
  return static_cast<int32_t>(std::lround(std::fmax(-2e9, std::fmin(2e9, value * scale))));
}

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
    } else if (kind == 'S' && argument >= 1 && argument <= board::kMaxChannels) {
      const size_t n = columns_ * argument;
      if (pending_.size() - at < 2 + sizeof(double) * n) break;
      input->readings.resize(n);
      std::memcpy(input->readings.data(), pending_.data() + at + 2, sizeof(double) * n);
      at += 2 + sizeof(double) * n;
    } else {
      throw std::runtime_error("unknown record on standard input: kind " + std::to_string(kind) +
                               ", argument " + std::to_string(argument));
    }
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

void PlantPipe::write(const std::vector<double>& demand) const {
  uint8_t record[2 + sizeof(double) * board::kMaxChannels];
  record[0] = 'D';
  record[1] = static_cast<uint8_t>(demand.size());
  std::memcpy(record + 2, demand.data(), sizeof(double) * demand.size());
  // Shorter than PIPE_BUF, so that a record is written whole or not at all.
  if (::write(STDOUT_FILENO, record, 2 + sizeof(double) * demand.size()) < 0 && errno != EAGAIN) {
    throw std::runtime_error(std::string("cannot write the demand: ") + std::strerror(errno));
  }
}
