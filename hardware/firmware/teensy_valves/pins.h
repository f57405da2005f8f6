// Wiring of the Teensy 4.1; hardware/valve_board.md shows it. One column a channel.
#pragma once

#include <Arduino.h>

#define SERIAL_NUMBER "VB-0001"  // up to 16 characters, unique; calibration files go by it

constexpr uint8_t kChannels = 4;

constexpr uint8_t kSensorPin[kChannels] = {A0, A1, A2, A3};  // 0.25 to 4.25 V divided by two thirds
constexpr uint8_t kValvePin[kChannels] = {2, 3, 4, 5};       // PWM, filtered and amplified to 0 to 10 V
constexpr uint8_t kStopPin = 6;                              // button, normally closed to ground
constexpr uint8_t kSupplyPin = A9;                           // a divider of 1 to 11

// Sensor of 0 to 30 psi gauge: 0.25 V at 0 Pa, 4 V more at 206.8 kPa. Calibration of the board corrects it.
constexpr float kZeroVolt = 0.25F;
constexpr float kMilliPascalPerVolt = 51711000.0F;
constexpr float kDivider = 2.0F / 3.0F;
constexpr float kVoltPerCount = 3.3F / 4095.0F;
