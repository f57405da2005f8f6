// The emulated robot behind the board, as records on standard input and output (little endian):
//   in   'S' n  then n times (tension [N], displacement [m], velocity [m/s]) as float64: new readings
//   in   'P' 0 or 1: unplug or plug the serial port
//   out  'D' n  then n times tension demand [N] as float64
#pragma once

#include <cstdint>
#include <vector>

#include "board.hpp"

class PlantPipe {
 public:
  struct Input {
    bool has_sensors = false;
    tendon::Sensors sensors{};
    bool has_plug = false;
    bool plug = false;
  };

  // Reads what is there and keeps the newest of each record. False at the end of the input.
  // Throws std::runtime_error on a record that does not exist.
  bool read(Input* input);

  // Never blocks: a reader that is late misses demands.
  void write(const tendon::Board& board) const;

 private:
  std::vector<uint8_t> pending_;
};
