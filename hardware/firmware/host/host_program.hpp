// A board on a PC: the same core behind a pseudo terminal, moved by a simulated robot.
//
//   {tendon,valve}_board_host LINK SERIAL N_CHANNELS STEP_RATE
//
// LINK is where the serial port appears, STEP_RATE [Hz] how often the core steps and writes its demand.
// Ends when standard input ends, so that it never outlives the program that started it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "controller.hpp"

// What the simulated robot and a kind of board say to each other.
class EmulatedDevice {
 public:
  virtual ~EmulatedDevice() = default;
  virtual board::Controller& controller() = 0;
  virtual size_t columns() const = 0;  // numbers that a channel reads
  virtual void measure(const std::vector<double>& readings, uint64_t now_us) = 0;
  virtual std::vector<double> demand() = 0;
};

constexpr uint16_t kSupplyMv = 12000;

using MakeDevice = std::function<std::unique_ptr<EmulatedDevice>(
    const board::Identity& identity, uint16_t rate, board::Controller::Transmit transmit, void* context)>;

// The whole program; returns its exit status.
int run_host_program(int argc, char** argv, const MakeDevice& make);
