// Wiring of the Arduino Mega 2560; hardware/tendon_board.md shows it. One column a channel.
#pragma once

#include <Arduino.h>

#define SERIAL_NUMBER "TB-0001"  // up to 16 characters, unique; calibration files go by it

constexpr uint8_t kChannels = 4;

constexpr uint8_t kCellDataPin[kChannels] = {22, 24, 26, 28};
constexpr uint8_t kCellClockPin = 30;                            // common: all cells are read at once
constexpr uint8_t kStepPin[kChannels] = {37, 36, 35, 34};        // PC0 to PC3: one port write for all
constexpr uint8_t kDirectionPin[kChannels] = {49, 48, 47, 46};   // PL0 to PL3
constexpr uint8_t kEnablePin = 40;                               // low: drivers hold
constexpr uint8_t kEncoderPin[kChannels][2] = {{53, 52}, {51, 50}, {10, 11}, {12, 13}};  // PB0 to PB7
constexpr uint8_t kStopPin = 2;                                  // button, normally closed to ground
constexpr uint8_t kSupplyPin = A15;
