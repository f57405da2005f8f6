#include "spool.hpp"

namespace tendon {
namespace {

float clamp(float value, float limit) { return value < -limit ? -limit : (value > limit ? limit : value); }

}  // namespace

float Spool::hold(float demand, float tension, float dt) {
  const float error = demand - tension;
  const float proportional = settings_.proportional * error;
  const float unlimited = proportional + integral_;
  const float wanted = clamp(unlimited, settings_.max_speed);
  // Anti-windup: integrate only while the speed is not at its limit, or when the error leads away from it.
  if (wanted == unlimited || error * unlimited < 0.0F) integral_ += settings_.integral * error * dt;
  return approach(wanted, dt);
}

float Spool::release(float tension, float dt) {
  integral_ = 0.0F;
  return approach(tension > settings_.slack_tension ? -settings_.slack_speed : 0.0F, dt);
}

float Spool::approach(float wanted, float dt) {
  speed_ += clamp(wanted - speed_, settings_.max_acceleration * dt);
  return speed_;
}

}  // namespace tendon
