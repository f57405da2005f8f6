// The valve controller on a Teensy 4.1: 5/3 proportional valves of 0 to 10 V, analogue pressure sensors; PID at 1 kHz.
// Wiring, protocol and safety: hardware/valve_board.md. Building and flashing: hardware/README.md.

#include <Watchdog_t4.h>
#include <valve_board.hpp>

#include "pins.h"

namespace {

constexpr uint16_t kControlRate = 1000;  // Hz
constexpr uint32_t kStepPeriodUs = 1000000U / kControlRate;
constexpr uint32_t kPwmRate = 36621;     // Hz, the highest with 12 bits

void transmit(void*, const uint8_t* data, size_t n) {
  if (Serial.availableForWrite() >= static_cast<int>(n)) Serial.write(data, n);
}

board::Settings board_settings() {
  board::Settings settings{};
  memcpy(settings.identity.serial, SERIAL_NUMBER, strlen(SERIAL_NUMBER));
  settings.identity.n_channels = kChannels;
  settings.identity.limit = 150000000;  // 150 kPa
  settings.identity.max_state_rate = 500;
  settings.min_reading = -10000000;  // a sensor that is unplugged reads -13 kPa
  settings.max_reading = 205000000;
  settings.min_supply_mv = 20000;
  settings.sensor_timeout_us = 20000;
  settings.blocked_after_us = 1000000;
  return settings;
}

valve::Board valves(board_settings(), kControlRate, transmit, nullptr);
WDT_T4<WDT1> watchdog;

// micros() overflows after 71 minutes; the board wants a clock that never does.
uint64_t now_us() {
  static uint32_t last = 0;
  static uint32_t overflows = 0;
  const uint32_t now = micros();
  if (now < last) ++overflows;
  last = now;
  return (static_cast<uint64_t>(overflows) << 32) | now;
}

valve::Sensors read_sensors() {
  valve::Sensors sensors{};
  for (uint8_t i = 0; i < kChannels; ++i) {
    const float volt = kVoltPerCount * static_cast<float>(analogRead(kSensorPin[i])) / kDivider;
    sensors.pressure[i] = static_cast<int32_t>(kMilliPascalPerVolt * (volt - kZeroVolt));
  }
  sensors.supply_mv = static_cast<uint16_t>(11000.0F * kVoltPerCount * static_cast<float>(analogRead(kSupplyPin)));
  return sensors;
}

// 0 V exhaust, 5 V shut, 10 V supply.
void write_valves() {
  for (uint8_t i = 0; i < kChannels; ++i) {
    analogWrite(kValvePin[i], static_cast<int>((valves.demand(i) + 1000000) * 4095LL / 2000000));
  }
}

}  // namespace

void setup() {
  analogReadResolution(12);
  analogWriteResolution(12);
  for (uint8_t i = 0; i < kChannels; ++i) analogWriteFrequency(kValvePin[i], kPwmRate);
  write_valves();
  pinMode(kStopPin, INPUT_PULLUP);
  Serial.begin(1000000);
  // A program that hangs is started anew; meanwhile the filters fall to 0 V, which is exhaust.
  WDT_timings_t timings;
  timings.timeout = 0.1;  // s
  watchdog.begin(timings);
}

void loop() {
  static uint64_t next = 0;
  watchdog.feed();
  const uint64_t now = now_us();
  while (Serial.available() > 0) {
    const uint8_t byte = static_cast<uint8_t>(Serial.read());
    valves.receive(&byte, 1, now);
  }
  if (digitalRead(kStopPin) == HIGH) valves.stop();  // normally closed: a torn wire stops too
  if (now < next) return;
  next = now + kStepPeriodUs;
  valves.measure(read_sensors(), now);
  valves.step(now);
  write_valves();
}
