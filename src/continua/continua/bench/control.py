"""`continua bench control`: predictions, filter and predictive control of the pneumatic arm, beside table V.

Models: the collocation rod and the rod engine on the CPU, and networks with random weights of the shapes of
the paper's DD-PINN and of a one-step network, in NumPy, and in PyTorch where it is installed, on a GPU where
there is one. A step is 1 / 70 s; rows that begin with 'paper' are the paper's own, not measured here.
"""

from collections.abc import Callable, Iterator

import numpy as np

from continua.arrays import DEVICES, Arrays
from continua.bench.figure import Figure
from continua.bench.networks import INPUTS, PARAMETERS, STATES, ansatz_network, one_step_network
from continua.bench.timing import seconds_per_call
from continua.control.costs import InputRateCost, StateCost, Sum
from continua.control.nempc import Nempc, NempcSettings, Start, first_order_lag
from continua.description import parse_robot
from continua.doctor.checkout import checkout
from continua.estimation import Ukf, UkfBelief
from continua.prediction import MODELS, PredictionModel

__all__ = ['available', 'measure_control']

DT = 1.0 / 70.0
PERIOD = 1e3 * DT  # ms
_BATCHES = (1, 147, 1000)
_PARTICLES, _HORIZONS = (100, 300, 1000), (4, 8, 16)


def available() -> dict[str, str]:
    """Devices, and why each is missing, '' where it is not."""
    reasons = {}
    for device in DEVICES:
        try:
            Arrays(device)
            reasons[device] = ''
        except ValueError as error:
            reasons[device] = str(error)
    return reasons


def measure_control(quick: bool = False) -> Iterator[Figure]:
    """Yield everything in about a minute; quick: predictions of one at a time, and one size of everything.

    Raises ValueError where there is no checkout with the arm.
    """
    root = checkout()
    if root is None:
        raise ValueError('continua bench control: expected a checkout, whose arm it measures; got none')
    robot = parse_robot((root / 'config/robots/pneumatic_arm.yaml').read_text())
    batches = _BATCHES[:1] if quick else _BATCHES
    yield Figure('paper: physics model, ode23s in Matlab, 1', 35.9e3, 'us each')
    for name, make in MODELS.items():
        yield from _physics(name, make(robot), batches)
    yield Figure('paper: DD-PINN in Matlab on the CPU, 1', 1.23e3, 'us each')
    yield Figure('paper: DD-PINN in PyTorch on a GPU, 147', 3.30, 'us each')
    yield Figure('paper: DD-PINN in PyTorch on a GPU, 1000', 0.802, 'us each')
    devices = [device for device, reason in available().items() if not reason]
    for device in devices:
        arrays = Arrays(device, 'float32')
        for name, make in (('DD-PINN', ansatz_network), ('one-step network', one_step_network)):
            yield from _predictions(f'{name}, {device}', arrays, make(arrays), batches)
    yield Figure('paper: filter and controller, one-step networks below, at 70 Hz', PERIOD, 'ms')
    for device in devices:
        yield _filter(device)
    for device in devices:
        yield from _controller(device, quick)


def _physics(name: str, model: PredictionModel, batches: tuple[int, ...]) -> Iterator[Figure]:
    """States of a motion under pressures of 0 to 40 kPa."""
    random = np.random.default_rng(0)
    motion = model.motion(np.tile(random.uniform(0.0, 40e3, INPUTS), (40, 1)), DT)
    for batch in batches:
        x = motion[np.arange(batch) % len(motion)]
        u = random.uniform(0.0, 40e3, (batch, INPUTS))
        parameters = np.repeat(model.parameters[None], batch, axis=0)
        call = _bound(model.transition, x, u, parameters)
        yield from _prediction(f'{name}, {model.x0.size} states', batch, call)


def _predictions(name: str, arrays: Arrays, network: Callable, batches: tuple[int, ...]) -> Iterator[Figure]:
    random = np.random.default_rng(0)
    for batch in batches:
        there = (arrays.put(random.normal(size=(batch, n))) for n in (STATES, INPUTS, PARAMETERS))
        call = _bound(network, *there)

        def fetched(call: Callable = call) -> np.ndarray:
            with arrays.inference():
                return arrays.get(call()[-1])

        yield from _prediction(name, batch, fetched)


def _bound(transition: Callable, *arguments: object) -> Callable[[], object]:
    return lambda: transition(*arguments, DT)


def _prediction(name: str, batch: int, call: Callable[[], object]) -> Iterator[Figure]:
    each = seconds_per_call(call) / batch
    yield Figure(f'{name}, {batch}', 1e6 * each, 'us each')
    yield Figure('  predictions', 1.0 / each, '1/s')


def _filter(device: str) -> Figure:
    """72 states and the compliance from the position: 147 sigma points through the one-step network."""
    arrays = Arrays(device, 'float32')
    network = arrays.wrap(one_step_network(arrays))
    prior = UkfBelief(np.zeros(STATES), np.ones(PARAMETERS), 0.1 * np.eye(STATES + PARAMETERS))
    noise = np.full(STATES + PARAMETERS, 1e-3)
    ukf = Ukf(network, lambda x, parameters: x[:, :3], prior, noise, np.full(3, 1e-4))
    belief, _ = ukf.step(ukf.begin(), np.zeros(3), np.zeros(INPUTS), DT)
    cost = seconds_per_call(lambda: ukf.step(belief, np.zeros(3), np.zeros(INPUTS), DT))
    return Figure(f'UKF step, 147 sigma points, {device}', 1e3 * cost, 'ms')


def _controller(device: str, quick: bool) -> Iterator[Figure]:
    """One-step network, costs of eq 39, lagging pressures of eq 32, one step of delay."""
    arrays = Arrays(device, 'float32')
    network = one_step_network(arrays)
    cost = Sum(StateCost(np.ones(STATES), arrays), InputRateCost(np.ones(INPUTS), arrays))
    for particles in _PARTICLES[:1] if quick else _PARTICLES:
        for horizon in _HORIZONS[:1] if quick else _HORIZONS:
            settings = NempcSettings(particles=particles, horizon=horizon)
            lag, limits = first_order_lag(0.0914), (np.zeros(INPUTS), np.ones(INPUTS))
            nempc = Nempc(network, cost, *limits, settings, lag, arrays=arrays)
            start = Start(np.zeros(STATES), np.ones(PARAMETERS), np.zeros(INPUTS))
            goals = np.zeros((nempc.instants, STATES))
            call = _bound(nempc.step, start, goals)
            name = f'NEMPC step, {particles} particles, horizon {horizon}, {device}'
            yield Figure(name, 1e3 * seconds_per_call(call), 'ms')
