"""Time of a prediction by networks in place of the collocation rod (adaptive_nempc section IV-C, table V)."""

import timeit
from collections.abc import Callable, Iterator

import numpy as np

from continua.arrays import Arrays
from continua.cosserat import CollocationRod
from continua.repro.cosserat_inputs import DT
from continua.repro.ddpinn_student import shipped_student
from continua.repro.experiment import Experiment, Number, Setting, at_most
from continua.repro.robots import paper_robot
from continua.surrogate.ansatz import DdPinnNetwork
from continua.surrogate.one_step import OneStepNetwork

__all__ = ['DDPINN_SPEED']

_PAPER = {1: 1.23e3, 147: 3.30, 1000: 0.802}  # us of the DD-PINN; 147 and 1000 on a GPU
_HIDDEN, _OSCILLATIONS = 281, 23
_DEVICES = {'numpy': 'NumPy', 'cpu': 'PyTorch', 'cuda': 'PyTorch on the GPU'}
_REPEATS = 10


def _speed(setting: Setting) -> Iterator[Number]:
    random, weights = np.random.default_rng(0), shipped_student()
    rod = CollocationRod(paper_robot('pneumatic_arm'))
    batches, best = (1,) if setting.quick else tuple(_PAPER), np.inf
    states = rod.statics(random.uniform(0.0, 60e3, (max(batches), 3)))
    for device, name in _DEVICES.items():
        try:
            arrays = Arrays(device, 'float32')
        except ValueError as error:
            setting.say(str(error))
            continue
        networks = {
            'one-step network': OneStepNetwork.load(weights, arrays),
            'DD-PINN of the paper': _teacher(arrays, rod, random),
        }
        for batch in batches:
            setting.say(f'{name}, {batch}')
            given = states[:batch], random.uniform(0.0, 60e3, (batch, 3)), np.full((batch, 1), rod.theta[2])
            for network, transition in networks.items():
                each = 1e6 * _shortest(_bound(arrays, transition, given)) / batch
                is_teacher = network.startswith('DD-PINN')
                yield Number(f'{network}, {name}, {batch}', each, 'us', _PAPER[batch] if is_teacher else None)
                if not is_teacher and batch == batches[-1]:
                    best = min(best, each)
    yield at_most(f'one-step network, {batches[-1]}, the faster of the two', best, 5.0, 'us')
    u = random.uniform(0.0, 60e3, (batches[-1], 3))
    each = 1e6 * _shortest(lambda: rod.step(states, u, DT)) / batches[-1]
    yield Number(f'collocation rod, {batches[-1]}', each, 'us', 35.9e3)


def _shortest(call: Callable[[], object]) -> float:
    return min(timeit.repeat(call, number=1, repeat=_REPEATS))


def _bound(arrays: Arrays, transition: Callable, given: tuple[np.ndarray, ...]) -> Callable[[], np.ndarray]:
    """A call with what lies there already, whose result comes back."""
    there = [arrays.put(each) for each in given]

    def call() -> np.ndarray:
        with arrays.inference():
            return arrays.get(transition(*there, DT))

    return call


def _teacher(arrays: Arrays, rod: CollocationRod, random: np.random.Generator) -> DdPinnNetwork:
    """Of the paper's shape; its weights, which do not matter here, are random."""
    inputs = rod.n + len(rod.input_names) + 1
    shapes = (inputs, _HIDDEN), (_HIDDEN, 4 * rod.n * _OSCILLATIONS)
    layers = [(random.normal(size=shape) / shape[0] ** 0.5, np.zeros(shape[1])) for shape in shapes]
    there = tuple((arrays.put(W), arrays.put(b)) for W, b in layers)
    middle, half = arrays.put(np.zeros(inputs)), arrays.put(np.ones(inputs))
    return DdPinnNetwork(there, middle, half, {'dt': DT}, arrays)


DDPINN_SPEED = Experiment(
    'ddpinn-speed',
    'Predictions of a control step of 14.28 ms by networks, 1, 147 and 1000 at once',
    'adaptive NEMPC, IV-C, table V',
    '1.23 ms, 3.30 us and 0.802 us, the last two on a GPU',
    'one-step network under 5 us per prediction on the CPU, 1000 at once',
    _speed,
    seed=0,
)
