// Runs the pressure controller on numbers from standard input, for comparison with continua.control.pid:
//   proportional integral derivative filter_time dt, then setpoint and measurement of each step [SI].
// Prints the opening of each step.

#include <iomanip>
#include <iostream>

#include "pid.hpp"

int main() {
  valve::PidGains gains{};
  float dt = 0.0F, setpoint = 0.0F, measured = 0.0F;
  std::cin >> gains.proportional >> gains.integral >> gains.derivative >> gains.filter_time >> dt;
  valve::Pid pid;
  std::cout << std::setprecision(9);
  while (std::cin >> setpoint >> measured) std::cout << pid.step(gains, setpoint, measured, dt) << "\n";
}
