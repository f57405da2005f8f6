"""A simulated robot: lagging drives pull its tendons, air fills its chambers, noisy sensors watch it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from continua.rod import Integrator, Rod, Shape
from continua.rod.actuators import position_drives
from continua.sensing import MarkerModel
from continua.simulation.chambers import Chambers, Valve
from continua.simulation.faults import Fault, FaultBook

__all__ = ['Measurement', 'SensorSettings', 'SimulatedArm']

# What a fault breaks, as the robot description calls it.
_PART = {
    Fault.DROP_MARKERS: 'marker',
    Fault.BLOCK_TENDON: 'tendon',
    Fault.FREEZE: 'tendon',
    Fault.STICK_VALVE: 'chamber',
    Fault.BIAS_PRESSURE: 'chamber',
}


@dataclass(frozen=True)
class SensorSettings:
    """Standard deviations of Gaussian noise on each reading, and how often a marker is not seen."""

    marker_noise: float = 1e-3  # m, each coordinate
    marker_dropout: float = 0.0  # -, probability that a marker is not seen in one reading
    tension_noise: float = 0.02  # N
    displacement_noise: float = 1e-5  # m
    pressure_noise: float = 100.0  # Pa

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (math.isfinite(value) and value >= 0.0):
                raise ValueError(f'{name}: expected a number >= 0, got {value}')
        if self.marker_dropout > 1.0:
            raise ValueError(f'marker_dropout: expected a probability in [0, 1], got {self.marker_dropout}')


@dataclass(frozen=True)
class Measurement:
    """One reading of all sensors; K tendons, P chambers and m markers in the order of the robot file."""

    tension: np.ndarray  # (K,) N
    displacement: np.ndarray  # (K,) m
    velocity: np.ndarray  # (K,) m/s
    pressure: np.ndarray  # (P,) Pa gauge
    marker: np.ndarray  # (m, 3) m in world, 0 where not seen
    marker_valid: np.ndarray  # (m,) bool
    tip_position: np.ndarray  # (3,) m in world
    tip_orientation_xyzw: np.ndarray  # (4,)


class SimulatedArm:
    """The plant: call `advance` with the setpoints of its drives, read `measure`, `shape`, `q` and `qd`.

    Starts at rest in static equilibrium with slack tendons and vented chambers. `time` counts simulated
    seconds.

    chambers: the air in them. idle: names of the inputs and position drives that nothing drives, for only
    tendons and chambers are driven: force drives without effort, position drives that hold 0 or their limit
    next to it.
    """

    def __init__(
        self,
        rod: Rod,
        sensors: SensorSettings | None = None,
        step: float = 5e-3,
        seed: int = 0,
        valve: Valve | None = None,
    ):
        """rod: model of the robot. step: s, longest step of the integrator. valve: of each chamber; None for
        chambers whose pressures follow their setpoints with the lag of the robot file.

        Raises ValueError where step is not positive.
        """
        if not (math.isfinite(step) and step > 0.0):
            raise ValueError(f'step: expected a positive time in s, got {step}')
        robot = rod.robot
        self.time = 0.0
        self.failures = 0
        self.faults = FaultBook()
        self._robot = robot
        self._sensors = sensors or SensorSettings()
        self._step = step
        self._random = np.random.default_rng(seed)
        self._lag = np.array([tendon.time_constant for tendon in robot.tendons])
        self._tension = np.zeros(rod.n_tendons)
        self._tare = np.zeros((2, rod.n_tendons))
        self.chambers = Chambers(robot.chambers, valve)
        self._pressure_tare = np.zeros(len(robot.chambers))
        others = rod.input_names[rod.n_tendons + len(robot.chambers) :]
        self.idle = (*others, *rod.target_names)
        self._no_input = np.zeros(len(others))
        self._hold = np.array([np.clip(0.0, *drive.limits.position) for drive in position_drives(robot)])
        self._take(rod)
        self._integrator.reset(self._rest)

    def change_model(self, rod: Rod, projection: np.ndarray | None = None) -> None:
        """Go on, between two steps, with another model of the same robot in the same state.

        projection (dof, n): gives its coordinates from those of the full model (soft_synergies eq 35); None
        for the full model. What a reduced one cannot take is lost. Time, drives, faults and noise go on.
        """
        q, qd = (self.rod.full_coordinates(each) for each in (self.q, self.qd))
        if projection is not None:
            q, qd = projection @ q, projection @ qd
        self._take(rod)
        self._integrator.reset(q, qd)

    @property
    def q(self) -> np.ndarray:
        """Generalised coordinates (n,)."""
        return self._integrator.q

    @property
    def qd(self) -> np.ndarray:
        """Generalised velocities (n,) 1/s."""
        return self._integrator.qd

    @property
    def tension(self) -> np.ndarray:
        """True tensions (K,) N at the drives."""
        return self._tension.copy()

    @property
    def is_frozen(self) -> bool:
        """Whether the fault FREEZE acts: the robot and its sensors do not answer."""
        return self.faults.acts(Fault.FREEZE, self.time)

    def blocked(self) -> np.ndarray:
        """(K,) bool: tendons whose drives the fault BLOCK_TENDON holds."""
        return np.array(
            [self.faults.acts(Fault.BLOCK_TENDON, self.time, tendon.name) for tendon in self._robot.tendons],
            dtype=bool,
        )

    def stuck(self) -> np.ndarray:
        """(P,) bool: chambers whose valves the fault STICK_VALVE holds."""
        return np.array(
            [self.faults.acts(Fault.STICK_VALVE, self.time, name) for name in self._robot.chamber_names],
            dtype=bool,
        )

    def inject(self, fault: Fault, names: Sequence[str], duration: float, size: float = 0.0) -> None:
        """Break something for `duration` seconds, 0 meaning until cleared. size: Pa, of BIAS_PRESSURE.

        Raises ValueError where a name is no such part of the robot, the duration is negative or the size
        is not finite.
        """
        if not (math.isfinite(duration) and duration >= 0.0):
            raise ValueError(f'duration: expected seconds >= 0, got {duration}')
        if not math.isfinite(size):
            raise ValueError(f'size of the fault: expected a finite number, got {size}')
        part = _PART[fault]
        for name in names:
            getattr(self._robot, part)(name)
        self.faults.inject(fault, names, self.time + duration if duration > 0.0 else math.inf, size)

    def advance(self, duration: float, setpoint: np.ndarray, chamber: np.ndarray | None = None) -> None:
        """Let `duration` seconds pass with tension setpoints (K,) N at the drives.

        chamber: (P,) pressure setpoints in Pa, or openings of valves, see the constructor; None vents.
        Where the equations cannot be solved any more, the arm starts over at rest and `failures` counts it.
        """
        steps = max(1, math.ceil(duration / self._step - 1e-9))
        chamber = self.chambers.rest if chamber is None else chamber
        begin = self.time
        for i in range(steps):
            if not self.is_frozen:
                self._single_step(duration / steps, setpoint, chamber)
            self.time = begin + duration * (i + 1) / steps

    def measure(self) -> Measurement:
        """Read all sensors once; each call draws new noise."""
        sensors, random, K = self._sensors, self._random, self.rod.n_tendons
        q, m = self.q, len(self._robot.markers)
        marker, valid = np.zeros((m, 3)), np.zeros(m, dtype=bool)
        if self._markers is not None:
            marker = self._markers.predict(q) + random.normal(0.0, sensors.marker_noise, (m, 3))
            valid = random.random(m) >= sensors.marker_dropout
            for i, name in enumerate(self._markers.names):
                valid[i] &= not self.faults.acts(Fault.DROP_MARKERS, self.time, name)
            marker[~valid] = 0.0
        tip = self.shape(np.array([self.rod.length]))
        return Measurement(
            tension=self._tension - self._tare[0] + random.normal(0.0, sensors.tension_noise, K),
            displacement=self.rod.tendon_displacement(q)
            - self._tare[1]
            + random.normal(0.0, sensors.displacement_noise, K),
            velocity=self.rod.tendon_displacement_jacobian(q) @ self.qd,
            marker=marker,
            marker_valid=valid,
            tip_position=tip.position[0] + random.normal(0.0, sensors.marker_noise, 3),
            tip_orientation_xyzw=tip.orientation_xyzw[0],
            pressure=self._read_pressure(),
        )

    def _read_pressure(self) -> np.ndarray:
        names = self._robot.chamber_names
        bias = np.array([self.faults.size(Fault.BIAS_PRESSURE, self.time, name) for name in names])
        noise = self._random.normal(0.0, self._sensors.pressure_noise, len(names))
        return self.chambers.pressure - self._pressure_tare + bias + noise

    def tare(self) -> None:
        """Make the present tensions, displacements and pressures read zero."""
        self._tare = np.stack([self._tension, self.rod.tendon_displacement(self.q)])
        self._pressure_tare = self.chambers.pressure.copy()

    def shape(self, arc_length: np.ndarray) -> Shape:
        """True shape at arc lengths (m,) m."""
        return self.rod.shape(self.q, arc_length)

    def _take(self, rod: Rod) -> None:
        self.rod = rod
        self._integrator = Integrator(rod)
        self._markers = MarkerModel(rod) if rod.robot.markers else None
        self._rest = rod.statics(target=self._hold).q

    def _single_step(self, h: float, setpoint: np.ndarray, chamber: np.ndarray) -> None:
        decay = np.exp(-h / np.maximum(self._lag, 1e-9))
        after = setpoint + (self._tension - setpoint) * decay
        after = np.where(self.blocked(), self._tension, after)
        pressure = self.chambers.after(h, chamber, self.stuck())
        u = np.concatenate(
            [0.5 * (self._tension + after), 0.5 * (self.chambers.pressure + pressure), self._no_input]
        )
        if self._integrator.step(h, u, target=self._hold):
            self._tension, self.chambers.pressure = after, pressure
        else:
            self.failures += 1
            self._tension = np.zeros_like(self._tension)
            self.chambers.vent()
            self._integrator.reset(self._rest)
