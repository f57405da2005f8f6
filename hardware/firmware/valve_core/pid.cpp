#include "pid.hpp"

namespace valve {

void Pid::reset() {
  integral_ = slope_ = 0.0F;
  has_last_ = false;
}

float Pid::step(const PidGains& gains, float setpoint, float measured, float dt) {
  if (has_last_) {
    const float newness = dt / (dt + gains.filter_time);
    slope_ += newness * ((measured - last_) / dt - slope_);
  }
  last_ = measured;
  has_last_ = true;
  const float error = setpoint - measured;
  const float unlimited = gains.proportional * error + integral_ - gains.derivative * slope_;
  const float output = unlimited < -1.0F ? -1.0F : (unlimited > 1.0F ? 1.0F : unlimited);
  // Anti-windup: integrate only while the opening is not at its limit, or when the error leads away from it.
  if (output == unlimited || error * unlimited < 0.0F) integral_ += gains.integral * error * dt;
  return output;
}

}  // namespace valve
