// Tension of one tendon held by the speed of its spool: PI on the load cell, limits on speed and acceleration.
// For board layers whose drive is a motor; a drive that takes a tension directly needs only Board::demand().
#pragma once

#include <stdint.h>

namespace tendon {

struct SpoolSettings {
  float proportional;  // (m/s)/N
  float integral;      // (m/s)/(N s)
  float max_speed;     // m/s
  float max_acceleration;  // m/s^2
  float slack_speed;   // m/s, pays out at this speed while slack and still loaded
  float slack_tension; // N, below this a slack tendon is left alone
};

class Spool {
 public:
  explicit Spool(const SpoolSettings& settings) : settings_(settings) {}

  // Winding speed [m/s] (positive takes tendon in, so that tension grows) for the next dt [s].
  float hold(float demand, float tension, float dt);

  // Pays out until the tendon carries no load; then stands still.
  float release(float tension, float dt);

 private:
  float approach(float wanted, float dt);

  SpoolSettings settings_;
  float integral_ = 0.0F;
  float speed_ = 0.0F;
};

}  // namespace tendon
