// HX711 amplifiers on one clock line, gain 128, 80 samples a second.
#pragma once

#include "pins.h"

// uN of one count; nominal for a cell of 5 kg with 1 mV/V. Calibration of the board corrects it.
constexpr int32_t kMicroNewtonPerCount = 24;

inline void load_cells_begin() {
  pinMode(kCellClockPin, OUTPUT);
  digitalWrite(kCellClockPin, LOW);
  for (uint8_t i = 0; i < kChannels; ++i) pinMode(kCellDataPin[i], INPUT);
}

// Reads all cells into tension [uN] once all have a sample; false while one has not.
inline bool load_cells_read(int32_t* tension) {
  for (uint8_t i = 0; i < kChannels; ++i) {
    if (digitalRead(kCellDataPin[i]) == HIGH) return false;
  }
  uint32_t bits[kChannels] = {0};
  for (uint8_t bit = 0; bit < 25; ++bit) {  // 24 bits of data; the 25th pulse selects gain 128 again
    // Above 60 us of high clock the amplifier would switch itself off.
    noInterrupts();
    digitalWrite(kCellClockPin, HIGH);
    delayMicroseconds(1);
    digitalWrite(kCellClockPin, LOW);
    interrupts();
    for (uint8_t i = 0; i < kChannels && bit < 24; ++i) {
      bits[i] = (bits[i] << 1) | (digitalRead(kCellDataPin[i]) == HIGH ? 1U : 0U);
    }
  }
  for (uint8_t i = 0; i < kChannels; ++i) {
    const int32_t count = static_cast<int32_t>(bits[i] << 8) >> 8;  // sign of 24 bits
    tension[i] = count * kMicroNewtonPerCount;
  }
  return true;
}
