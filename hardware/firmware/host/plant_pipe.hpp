// The emulated robot behind the board, as records on standard input and output (little endian):
//   in   'S' n  then n rows of float64: new readings; of tendons tension [N], displacement [m], velocity [m/s],
//               of chambers gauge pressure [Pa]
//   in   'P' 0 or 1: unplug or plug the serial port
//   out  'D' n  then n float64: what the drives demand, tension [N] or signal of the valve [-1 ... 1]
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

class PlantPipe {
 public:
  struct Input {
    std::vector<double> readings;  // rows of all channels, empty without a new reading
    bool has_plug = false;
    bool plug = false;
  };

  // columns: numbers in a row of readings.
  explicit PlantPipe(size_t columns) : columns_(columns) {}

  // Reads what is there and keeps the newest of each record. False at the end of the input.
  // Throws std::runtime_error on a record that does not exist.
  bool read(Input* input);

  // Never blocks: a reader that is late misses demands.
  void write(const std::vector<double>& demand) const;

 private:
  size_t columns_;
  std::vector<uint8_t> pending_;
};

// Micro, milli or nano units. What is not a number becomes a reading far outside the range, as from a torn wire.
int32_t to_wire(double value, double scale);
