"""Air in chambers: first-order lag, valves against their differential equation, a robot that they bend."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from continua.control.pid import Pid, PidGains
from continua.description import load_robot
from continua.rod import Rod
from continua.simulation import SensorSettings, SimulatedArm, Valve
from continua.simulation.chambers import Chambers
from continua.simulation.faults import Fault

ROBOT = load_robot(Path(__file__).parents[4] / 'config' / 'robots' / 'pneumatic_arm.yaml')
QUIET = SensorSettings(0.0, 0.0, 0.0, 0.0, 0.0)
LAG = 0.0914
FREE = np.zeros(3, dtype=bool)


def test_held_pressures_follow_the_lag_of_the_robot_file():
    chambers, setpoint = Chambers(ROBOT.chambers, None), np.array([60e3, 30e3, 0.0])
    for _ in range(7):
        chambers.pressure = chambers.after(0.02, setpoint, FREE)
    np.testing.assert_allclose(chambers.pressure, setpoint * (1.0 - np.exp(-0.14 / LAG)), rtol=1e-12)
    assert chambers.opening is None


@pytest.mark.parametrize('opening', [1.0, 0.3, -0.2, -1.0])
def test_a_valve_solves_its_differential_equation(opening):
    valve = Valve(150e3, 0.2, 0.08, 0.1, 0.05)
    supply, exhaust = max((opening - 0.1) / 0.9, 0.0), max((-opening - 0.05) / 0.95, 0.0)

    def rate(_, p):
        return supply / 0.2 * (150e3 - p) - exhaust / 0.08 * p

    expected = solve_ivp(rate, (0.0, 0.1), [40e3], rtol=1e-10).y[0, -1]
    assert valve.pressure(np.array([40e3]), np.array([opening]), 0.1)[0] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize('opening', [0.0, 0.059, -0.039])
def test_nothing_flows_within_the_dead_bands(opening):
    assert Valve().pressure(np.array([40e3]), np.array([opening]), 1.0)[0] == 40e3


@pytest.mark.parametrize('target', [10e3, 40e3, 75e3])
def test_the_default_controller_holds_a_pressure_through_the_default_valve(target):
    valve, pid = Valve(), Pid(PidGains(3e-5, 3e-5, 0.0, 0.01), 1)
    pressure, trace = np.zeros(1), []
    for _ in range(5000):
        pressure = valve.pressure(pressure, pid.step(np.array([target]), pressure, 1e-3), 1e-3)
        trace.append(pressure[0])
    assert abs(trace[-1] - target) < 0.01 * 75e3
    assert max(trace) < target + 0.03 * 75e3


@pytest.mark.parametrize(
    'wrong', [{'fill_time': 0.0}, {'supply_dead_band': 1.0}, {'supply_pressure': np.nan}]
)
def test_wrong_valves_are_refused(wrong):
    with pytest.raises(ValueError, match=f'{next(iter(wrong))} of a valve'):
        Valve(**wrong)


def test_a_pressure_bends_the_arm_away_from_its_chamber_and_venting_brings_it_back():
    arm = SimulatedArm(Rod(ROBOT), QUIET)
    rest = arm.measure().tip_position
    arm.advance(1.0, np.zeros(0), np.array([50e3, 0.0, 0.0]))
    assert np.linalg.norm(arm.measure().tip_position - rest) > 0.01
    np.testing.assert_allclose(arm.measure().pressure, [50e3, 0.0, 0.0], atol=10.0)
    arm.advance(14.0, np.zeros(0))  # its viscosity takes e-fold after e-fold of 1.2 s
    np.testing.assert_allclose(arm.measure().tip_position, rest, atol=1e-4)


def test_a_stuck_valve_keeps_its_pressure_and_a_biased_sensor_lies():
    arm = SimulatedArm(Rod(ROBOT), QUIET)
    names = ROBOT.chamber_names
    arm.advance(0.5, np.zeros(0), np.full(3, 20e3))
    before = arm.chambers.pressure.copy()
    arm.inject(Fault.STICK_VALVE, names[:1], 0.0)
    arm.inject(Fault.BIAS_PRESSURE, names[1:2], 0.0, 5e3)
    arm.advance(0.5, np.zeros(0))
    assert arm.stuck().tolist() == [True, False, False]
    assert arm.chambers.pressure[0] == before[0] and np.all(arm.chambers.pressure[1:] < 200.0)
    assert arm.measure().pressure[1] == pytest.approx(arm.chambers.pressure[1] + 5e3)
    arm.faults.clear()
    assert arm.measure().pressure[1] == pytest.approx(arm.chambers.pressure[1])
    with pytest.raises(ValueError, match='nobody'):
        arm.inject(Fault.STICK_VALVE, ['nobody'], 0.0)


def test_a_valve_that_sticks_open_goes_on_filling():
    arm = SimulatedArm(Rod(ROBOT), QUIET, valve=Valve())
    arm.advance(0.02, np.zeros(0), np.array([0.5, -1.0, -1.0]))
    arm.inject(Fault.STICK_VALVE, [], 0.0)
    before = arm.chambers.pressure[0]
    arm.advance(0.02, np.zeros(0), np.full(3, -1.0))
    assert arm.chambers.opening.tolist() == [0.5, -1.0, -1.0]
    assert arm.chambers.pressure[0] > before
