// Step and direction signals of all spools from one timer interrupt at 10 kHz, by accumulating fractions of a step.
#pragma once

#include "pins.h"

constexpr float kStepsPerMetre = 50930.0F;  // spool of 10 mm radius, 3200 microsteps a turn
constexpr float kTickRate = 10000.0F;

static volatile int16_t g_step_rate[kChannels];  // steps a tick, 32768 being one step; the sign is the direction
static uint16_t g_step_phase[kChannels];

ISR(TIMER1_COMPA_vect) {
  PORTC &= 0xF0;  // ends the pulses of the last tick
  uint8_t pulses = 0;
  for (uint8_t i = 0; i < kChannels; ++i) {
    const int16_t rate = g_step_rate[i];
    g_step_phase[i] += static_cast<uint16_t>(rate < 0 ? -rate : rate);
    if (g_step_phase[i] >= 0x8000U) {
      g_step_phase[i] -= 0x8000U;
      pulses |= _BV(i);
    }
  }
  PORTC |= pulses;
}

inline void steppers_begin() {
  for (uint8_t i = 0; i < kChannels; ++i) {
    pinMode(kStepPin[i], OUTPUT);
    pinMode(kDirectionPin[i], OUTPUT);
  }
  pinMode(kEnablePin, OUTPUT);
  digitalWrite(kEnablePin, LOW);
  noInterrupts();
  TCCR1A = 0;
  TCCR1B = _BV(WGM12) | _BV(CS11);  // clear on compare, 2 MHz
  OCR1A = 199;
  TIMSK1 |= _BV(OCIE1A);
  interrupts();
}

// Winding speed [m/s], positive takes tendon in.
inline void stepper_speed(uint8_t channel, float speed) {
  const float ticks = constrain(speed * kStepsPerMetre / kTickRate, -0.9F, 0.9F);
  const int16_t rate = static_cast<int16_t>(ticks * 32768.0F);
  noInterrupts();
  digitalWrite(kDirectionPin[channel], rate < 0 ? LOW : HIGH);
  g_step_rate[channel] = rate;
  interrupts();
}
