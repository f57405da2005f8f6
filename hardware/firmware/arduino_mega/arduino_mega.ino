// The tendon controller on an Arduino Mega 2560: stepper spools, HX711 load cells, quadrature encoders.
// Wiring, protocol and safety: hardware/tendon_board.md. Building and flashing: hardware/README.md.

#include <avr/wdt.h>
#include <spool.hpp>
#include <tendon_board.hpp>

#include "encoders.h"
#include "load_cells.h"
#include "pins.h"
#include "steppers.h"

namespace {

constexpr uint32_t kBaudRate = 1000000;
constexpr uint32_t kStepPeriodUs = 4000;  // 250 Hz; the load cells deliver at 80 Hz

void transmit(void*, const uint8_t* data, size_t n) { Serial.write(data, n); }

board::Settings board_settings() {
  board::Settings settings{};
  memcpy(settings.identity.serial, SERIAL_NUMBER, strlen(SERIAL_NUMBER));
  settings.identity.n_channels = kChannels;
  settings.identity.limit = 40000000;  // 40 N: cells of 5 kg
  settings.identity.max_state_rate = 250;
  settings.min_reading = -5000000;
  settings.max_reading = 50000000;
  settings.min_supply_mv = 10500;
  settings.sensor_timeout_us = 100000;
  settings.blocked_after_us = 1000000;
  return settings;
}

// For 1 kN/m of tendon and frame; hardware/README.md says how to find others.
const tendon::SpoolSettings kSpool = {0.004F, 0.004F, 0.06F, 0.6F, 0.02F, 0.15F};

tendon::Board tendons(board_settings(), transmit, nullptr);
tendon::Spool spools[kChannels] = {tendon::Spool(kSpool), tendon::Spool(kSpool), tendon::Spool(kSpool),
                                   tendon::Spool(kSpool)};
tendon::Sensors sensors;
int32_t last_displacement[kChannels];

// micros() overflows after 71 minutes; the board wants a clock that never does.
uint64_t now_us() {
  static uint32_t last = 0;
  static uint32_t overflows = 0;
  const uint32_t now = micros();
  if (now < last) ++overflows;
  last = now;
  return (static_cast<uint64_t>(overflows) << 32) | now;
}

// True where every load cell has a new reading since the last call.
bool read_sensors(float dt) {
  for (uint8_t i = 0; i < kChannels; ++i) {
    sensors.displacement[i] = encoder_displacement(i);
    const float rate = static_cast<float>(sensors.displacement[i] - last_displacement[i]) / dt;
    // First-order filter of 20 ms: one count of the encoder within 4 ms would be 4 mm/s of noise.
    sensors.velocity[i] += static_cast<int32_t>((rate - sensors.velocity[i]) * (dt / (dt + 0.02F)));
    last_displacement[i] = sensors.displacement[i];
  }
  // A divider of 1 to 11 on a reference of 5 V.
  sensors.supply_mv = static_cast<uint16_t>(analogRead(kSupplyPin) * 55000UL / 1023UL);
  return load_cells_read(sensors.tension);
}

}  // namespace

void setup() {
  Serial.begin(kBaudRate);
  pinMode(kStopPin, INPUT_PULLUP);
  load_cells_begin();
  encoders_begin();
  steppers_begin();
  // A program that hangs is started anew; meanwhile the enable line is pulled up and the drives let go.
  wdt_enable(WDTO_120MS);
}

void loop() {
  static uint64_t next = 0;
  wdt_reset();
  const uint64_t now = now_us();
  while (Serial.available() > 0) {
    const uint8_t byte = static_cast<uint8_t>(Serial.read());
    tendons.receive(&byte, 1, now);
  }
  if (digitalRead(kStopPin) == HIGH) tendons.stop();  // normally closed: a torn wire stops too
  if (now < next) return;
  next = now + kStepPeriodUs;

  const float dt = 1e-6F * kStepPeriodUs;
  if (read_sensors(dt)) tendons.measure(sensors, now);
  tendons.step(now);
  for (uint8_t i = 0; i < kChannels; ++i) {
    const float tension = 1e-6F * sensors.tension[i];
    const float demand = 1e-6F * tendons.demand(i);
    stepper_speed(i, tendons.is_energised() ? spools[i].hold(demand, tension, dt) : spools[i].release(tension, dt));
  }
}
