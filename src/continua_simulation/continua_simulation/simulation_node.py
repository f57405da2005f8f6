"""The simulated robot: shows the same topics and services as the drivers of the real one.

In: tendon/command; for chambers pressure/command, or valve/command where `chamber_input` says so.
Out: tendon/state, pressure/state, markers, tip_pose, and the truth (truth/shape, truth/state).
Services: enable, emergency_stop, reset, tare as the drivers; inject_fault; advance in lock-step.
Time passes in step with the wall clock, `rate_factor` times faster, or only when `advance` is called; in the
last two cases the node publishes /clock and all other nodes run with use_sim_time.
A command that is late or wrong is refused and counted; without one for `watchdog` s the tendons go slack
and the chambers are vented. A pressure a fifth above its limit is a fault that disables the chambers. The
parameters `model` and `rom_file` choose the equations that are solved. They can be set while it runs: the
next step is another model's, from the same state; a file that does not fit the robot is refused.
"""

import time
from dataclasses import replace

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from std_srvs.srv import Trigger

from continua.control.safety import OPENING, PRESSURE, Setpoint
from continua.description import load_robot
from continua.rod import Rod
from continua.simulation import Measurement, SensorSettings, SimulatedArm, Valve
from continua.simulation.faults import Fault
from continua_msgs.msg import MarkerArray3D, PressureState, RodShape, RodState, TendonState
from continua_msgs.srv import InjectFault
from continua_node import convert, qos, robot, safety_services, spin
from continua_node.diagnostics import ERROR, Diagnostics
from continua_node.params import ROBOT_FILE, Parameter, Settings, declare, on_change
from continua_node.pressure_interface import PressureInterface
from continua_node.safety_services import Together
from continua_node.tendon_interface import TendonInterface

PARAMETERS = [
    ROBOT_FILE,
    *(replace(parameter, is_live=True) for parameter in robot.MODEL),
    Parameter('rate', 100.0, 'how often sensors are read and commands applied', 'Hz', range=(1.0, 1000.0)),
    Parameter('truth_rate', 50.0, 'how often the true shape is published', 'Hz', range=(1.0, 1000.0)),
    Parameter('stations', 31, 'sections of the published shape', range=(2, 501)),
    Parameter('step', 5e-3, 'longest step of the integrator', 's', range=(1e-5, 0.1)),
    Parameter('rate_factor', 1.0, 'simulated seconds per second', range=(0.01, 100.0)),
    Parameter('lock_step', False, 'time passes only when the service advance is called'),
    Parameter('autostart', False, 'energise at start, without a call of enable'),
    Parameter('watchdog', 0.1, 'time without a command after which all drives rest', 's', range=(1e-3, 10.0)),
    Parameter(
        'chamber_input',
        'pressure',
        'pressure: held by a controller, with the time constant of the robot file; valve: openings of valves',
        choices=('pressure', 'valve'),
    ),
    Parameter('supply_pressure', 200e3, 'valves: gauge pressure of the supply', 'Pa', range=(1e3, 1e7)),
    Parameter('fill_time', 0.2, 'valves: time constant of filling at full opening', 's', range=(1e-3, 100.0)),
    Parameter('vent_time', 0.1, 'valves: time constant of venting at full opening', 's', range=(1e-3, 100.0)),
    Parameter('supply_dead_band', 0.06, 'valves: opening up to which nothing flows in', range=(0.0, 0.9)),
    Parameter('exhaust_dead_band', 0.04, 'valves: opening up to which nothing flows out', range=(0.0, 0.9)),
    Parameter('pressure_noise', 100.0, 'standard deviation of a measured pressure', 'Pa', range=(0.0, 1e6)),
    Parameter('marker_noise', 1e-3, 'standard deviation of each marker coordinate', 'm', range=(0.0, 1.0)),
    Parameter('marker_dropout', 0.0, 'probability that a marker is not seen', range=(0.0, 1.0)),
    Parameter('tension_noise', 0.02, 'standard deviation of a measured tension', 'N', range=(0.0, 100.0)),
    Parameter('displacement_noise', 1e-5, 'standard deviation of a displacement', 'm', range=(0.0, 1.0)),
    Parameter('seed', 0, 'of all noise', range=(0, 2**31)),
]

_OVERPRESSURE = 1.2  # of the limit
_LONGEST_GAP = 0.1  # s of wall time; a longer pause of the process is not caught up


class SimulationNode(Node):
    """Wires a SimulatedArm to the graph."""

    def __init__(self) -> None:
        super().__init__('simulation')
        settings = declare(self, PARAMETERS)
        self._robot = load_robot(settings.robot_file)
        rod, _ = robot.load_model(self._robot, settings)
        self._stations = np.linspace(0.0, rod.length, settings.stations)
        self._prepare(rod)
        sensors = SensorSettings(
            settings.marker_noise,
            settings.marker_dropout,
            settings.tension_noise,
            settings.displacement_noise,
            settings.pressure_noise,
        )
        self.arm = SimulatedArm(rod, sensors, settings.step, settings.seed, make_valve(settings))
        self._own_time = settings.lock_step or settings.rate_factor != 1.0
        self._rate_factor = settings.rate_factor
        self._period = 1.0 / settings.rate
        self._truth_every = max(1, round(settings.rate / settings.truth_rate))
        self._ticks = 0

        self.diagnostics = Diagnostics(self)
        self.tendons, self.chambers = self._make_drives(settings)
        self.drives = Together([drives for drives in (self.tendons, self.chambers) if drives is not None])
        safety_services.offer(self, self.drives, tare=self._tare)
        self._markers = self.create_publisher(MarkerArray3D, 'markers', qos.SENSOR.offered)
        self._tip = self.create_publisher(PoseStamped, 'tip_pose', qos.SENSOR.offered)
        self._shape = self.create_publisher(RodShape, 'truth/shape', qos.STATE.offered)
        self._state = self.create_publisher(RodState, 'truth/state', qos.STATE.offered)
        self.create_service(InjectFault, 'inject_fault', self._on_inject_fault)
        if self._own_time:
            self._clock_publisher = self.create_publisher(Clock, '/clock', qos.STATE.offered)
        robot.announce(self, self._robot)
        on_change(self, PARAMETERS, self._change_model)

        if settings.autostart:
            self.drives.enable()
        self._last_tick = time.monotonic()
        if settings.lock_step:
            self.create_service(Trigger, 'advance', self._on_advance)
        else:
            self.diagnostics.timer(self._period, self._on_timer, steady=True)
        if self.arm.idle:
            idle = ', '.join(self.arm.idle)
            self.get_logger().warning(
                f'only tendons and chambers are driven: {idle} stay at 0 or the limit next to it'
            )

    def _make_drives(self, settings: Settings) -> tuple[TendonInterface | None, PressureInterface | None]:
        """Topics of tendons and of chambers, of what the robot has; of no tendons where it has neither."""
        tendons, chambers = self._robot.tendons, self._robot.chambers
        common = settings.watchdog, self.diagnostics
        quantity = PRESSURE if settings.chamber_input == 'pressure' else OPENING
        has_tendons = bool(tendons or not chambers)
        return (
            TendonInterface(self, tendons, *common, clock=self._time) if has_tendons else None,
            PressureInterface(self, chambers, *common, quantity, clock=self._time) if chambers else None,
        )

    def _time(self) -> float:
        return self.arm.time

    def _prepare(self, rod: Rod) -> None:
        """Compile and tabulate all that a step needs of a model before its first deadline."""
        arm = SimulatedArm(rod)
        arm.advance(1e-3, np.zeros(rod.n_tendons))
        arm.measure()
        arm.shape(self._stations)
        self._model_id = rod.model_id
        self.get_logger().info(f'{rod.robot.name} is simulated with {rod.dof} degrees of freedom')

    def _change_model(self, settings: Settings) -> None:
        """Between two steps, for callbacks do not overlap; the robot stands still meanwhile."""
        rod, projection = robot.load_model(self._robot, settings)
        self._prepare(rod)
        self.arm.change_model(rod, projection)
        self._last_tick = time.monotonic()

    def _on_timer(self) -> None:
        now = time.monotonic()
        gap = now - self._last_tick
        self._last_tick = now
        if gap > _LONGEST_GAP:
            self.diagnostics.count('time_lost')
        self._step(min(gap, _LONGEST_GAP) * self._rate_factor)

    def _on_advance(self, request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        start = time.perf_counter()
        self._step(self._period)
        self.diagnostics.tick(time.perf_counter() - start)
        response.success, response.message = True, f'simulated time {self.arm.time:.6f} s'
        return response

    def _step(self, duration: float) -> None:
        """One tick: setpoint -> plant -> sensors -> topics."""
        now = self.get_clock().now()  # the plant is brought up to this instant
        tension = self.tendons.setpoint() if self.tendons else None
        chamber = self.chambers.setpoint() if self.chambers else None
        failures = self.arm.failures
        self.arm.advance(
            duration, tension.value if tension else np.zeros(0), chamber.value if chamber else None
        )
        self.diagnostics.count('solver_failures', self.arm.failures - failures)
        stamp = self._publish_clock() if self._own_time else now.to_msg()
        if self.arm.is_frozen:
            self.diagnostics.set_state(ERROR, 'frozen by an injected fault')
            return
        reading = self.arm.measure()
        if tension:
            self._publish_tendons(stamp, tension, reading)
        if chamber:
            self._publish_chambers(stamp, chamber, reading)
        self.diagnostics.set_state(*self.drives.state)
        self._markers.publish(
            convert.markers_to_msg(
                stamp, 'world', self._robot.marker_names, reading.marker, reading.marker_valid
            )
        )
        self._tip.publish(
            convert.pose_to_msg(stamp, 'world', reading.tip_position, reading.tip_orientation_xyzw)
        )
        if self._ticks % self._truth_every == 0:
            self._publish_truth(stamp)
        self._ticks += 1

    def _publish_tendons(self, stamp: Time, setpoint: Setpoint, reading: Measurement) -> None:
        blocked = np.where(self.arm.blocked(), TendonState.FAULT_BLOCKED, 0)
        self.tendons.publish(
            stamp, setpoint, reading.tension, reading.displacement, reading.velocity, blocked
        )

    def _publish_chambers(self, stamp: Time, setpoint: Setpoint, reading: Measurement) -> None:
        stuck = np.where(self.arm.stuck(), PressureState.FAULT_BLOCKED, 0)
        highest = np.array([chamber.limits.pressure[1] for chamber in self._robot.chambers])
        over = np.where(reading.pressure > _OVERPRESSURE * highest, PressureState.FAULT_OVERPRESSURE, 0)
        if over.any():
            self.chambers.disable()
        self.chambers.publish(stamp, setpoint, reading.pressure, self.arm.chambers.opening, stuck | over)

    def _publish_truth(self, stamp: Time) -> None:
        shape = convert.shape_to_msg(self.arm.shape(self._stations), stamp)
        self._shape.publish(shape)
        self._state.publish(
            RodState(
                header=shape.header,
                model_id=self._model_id,
                q=convert.flat(self.arm.q),
                qd=convert.flat(self.arm.qd),
                shape=shape,
            )
        )

    def _publish_clock(self) -> Time:
        """Tell all nodes the simulated time; returns it as a stamp."""
        stamp = convert.to_stamp(self.arm.time)
        self._clock_publisher.publish(Clock(clock=stamp))
        return stamp

    def _on_inject_fault(
        self, request: InjectFault.Request, response: InjectFault.Response
    ) -> InjectFault.Response:
        try:
            if request.fault == InjectFault.Request.FAULT_CLEAR:
                self.arm.faults.clear()
                response.message = 'all faults are cleared'
            else:
                fault = Fault(request.fault)
                self.arm.inject(fault, request.name, request.duration, request.bias)
                response.message = f'{fault.name} acts on {", ".join(request.name) or "all"}'
            response.success = True
        except ValueError as error:
            response.success, response.message = False, str(error)
        return response

    def _tare(self) -> tuple[bool, str]:
        self.arm.tare()
        return True, 'the present tensions, displacements and pressures read zero'


def make_valve(settings: Settings) -> Valve | None:
    """The valves that the settings ask for."""
    if settings.chamber_input == 'pressure':
        return None
    return Valve(
        settings.supply_pressure,
        settings.fill_time,
        settings.vent_time,
        settings.supply_dead_band,
        settings.exhaust_dead_band,
    )


def main() -> int:
    """Entry point of the executable `simulation`."""
    return spin.spin(SimulationNode)
