// Quadrature encoders on the spools, all on port B, decoded in its pin-change interrupt.
#pragma once

#include "pins.h"

// nm of tendon per count: spool of 10 mm radius, 2400 counts a turn. Positive when tendon leaves the body.
constexpr int32_t kNanometrePerCount = 26180;

static volatile int32_t g_encoder_count[kChannels];
static volatile uint8_t g_encoder_pins;

// Change of the count for (old state, new state) of the two lines; 2 stands for a missed step, which is dropped.
static const int8_t kEncoderChange[16] = {0, -1, 1, 2, 1, 0, 2, -1, -1, 2, 0, 1, 2, 1, -1, 0};

ISR(PCINT0_vect) {
  const uint8_t pins = PINB;
  for (uint8_t i = 0; i < kChannels; ++i) {
    const uint8_t before = (g_encoder_pins >> (2 * i)) & 3U;
    const uint8_t after = (pins >> (2 * i)) & 3U;
    const int8_t change = kEncoderChange[(before << 2) | after];
    if (change != 2) g_encoder_count[i] += change;
  }
  g_encoder_pins = pins;
}

inline void encoders_begin() {
  DDRB = 0x00;
  PORTB = 0xFF;  // pull-ups
  g_encoder_pins = PINB;
  PCMSK0 = 0xFF;
  PCICR |= _BV(PCIE0);
}

inline int32_t encoder_displacement(uint8_t channel) {
  noInterrupts();
  const int32_t count = g_encoder_count[channel];
  interrupts();
  return count * kNanometrePerCount;
}
