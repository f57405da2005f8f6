// PID with filtered derivative and anti-windup: the same as continua.control.pid, for one channel in float32.
#pragma once

namespace valve {

struct PidGains {
  float proportional;  // 1/Pa
  float integral;      // 1/(Pa s)
  float derivative;    // s/Pa
  float filter_time;   // s
};

class Pid {
 public:
  void reset();

  // Opening in [-1, 1] for a setpoint and a measurement [Pa], dt > 0 [s] after the last step.
  float step(const PidGains& gains, float setpoint, float measured, float dt);

 private:
  float integral_ = 0.0F;
  float slope_ = 0.0F;
  float last_ = 0.0F;
  bool has_last_ = false;
};

}  // namespace valve
