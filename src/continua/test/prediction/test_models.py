"""Models for prediction: two of one robot agree, batches are rows, filters and controllers step them."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from continua.arrays import Arrays
from continua.control.costs import InputRateCost, Sum, TaskCost
from continua.control.nempc import Nempc, NempcSettings, Start
from continua.cosserat import CollocationRod
from continua.description import load_robot
from continua.estimation import Ukf, UkfBelief
from continua.prediction import MODELS
from continua.prediction.tip_position import tip_position

ARM = load_robot(Path(__file__).parents[4] / 'config' / 'robots' / 'pneumatic_arm.yaml')
LENGTH = 0.1249
DT = 1.0 / 70.0
PRESSURES = np.array([30e3, 10e3, 0.0])


@pytest.fixture(scope='module', params=sorted(MODELS))
def model(request):
    return MODELS[request.param](ARM)


@pytest.fixture(scope='module')
def collocation():
    return MODELS['collocation'](ARM)


def one(model):
    return model.parameters[None]


def test_at_rest_nothing_moves(model):
    x = model.transition(model.x0[None], np.zeros((1, 3)), one(model), DT)
    assert np.abs((x - model.x0) / model.scale).max() < 1e-5


def test_a_state_without_a_value_spoils_no_other(model):
    x = np.tile(model.x0, (3, 1))
    x[1] = np.nan
    u = np.tile(PRESSURES, (3, 1))
    after = model.transition(x, u, np.repeat(one(model), 3, axis=0), DT)
    assert np.isnan(after[1]).all()
    alone = model.transition(x[:1], u[:1], one(model), DT)
    assert np.abs((after[[0, 2]] - alone) / model.scale).max() < 1e-6


def test_the_models_of_a_robot_agree():
    """At rest under pressure, with six nodes: the tip within 1 % of the length, and a degree."""
    tips, turns = [], []
    for name in ('collocation', 'gvs'):
        model = MODELS[name](ARM)
        x = model.equilibrium(PRESSURES)[None]
        tips.append(model.position(x, one(model))[0])
        turns.append(Rotation.from_quat(model.orientation(x, one(model))[0]))
        assert np.linalg.norm(tips[-1] - model.position(model.x0[None], one(model))[0]) > 0.2 * LENGTH
    assert np.linalg.norm(tips[0] - tips[1]) < 0.01 * LENGTH
    assert (turns[0].inv() * turns[1]).magnitude() < np.deg2rad(1.0)


def test_a_softer_arm_bends_more(collocation):
    x = np.repeat(collocation.x0[None], 2, axis=0)
    parameters = collocation.parameters * np.array([[1.0], [1.2]])
    for _ in range(20):
        x = collocation.transition(x, np.tile(PRESSURES, (2, 1)), parameters, DT)
    start = collocation.position(collocation.x0[None], one(collocation))
    way = np.linalg.norm(collocation.position(x, parameters) - start, axis=1)
    assert way[1] > 1.05 * way[0]


def test_a_filter_follows_the_arm_from_its_tip():
    model = MODELS['gvs'](ARM)
    inputs = PRESSURES * np.linspace(0.0, 1.0, 15)[:, None]
    x = model.motion(inputs, DT)
    readings = model.position(x, np.zeros((len(x), 0)))
    noise = (0.05 * model.scale) ** 2
    prior = UkfBelief(model.x0, model.parameters, np.diag(0.01 * model.scale))
    ukf = Ukf(model.transition, model.position, prior, noise, np.full(3, 1e-8))
    belief = ukf.begin()
    for reading, u in zip(readings, inputs, strict=True):
        belief, info = ukf.step(belief, reading, u, DT)
        assert (info.status, info.lost) == ('corrected', 0)
    tip = model.position(belief.x[None], np.zeros((1, 0)))[0]
    assert np.linalg.norm(tip - readings[-1]) < 1e-3
    assert np.abs((belief.x - x[-1]) / model.scale).max() < 0.1


def test_a_controller_moves_the_tip_towards_its_goal():
    model = MODELS['gvs'](ARM)
    goal = model.position(model.motion(np.tile(PRESSURES, (70, 1)), DT)[-1:], np.zeros((1, 0)))
    few = NempcSettings(particles=12, horizon=4)
    nempc = Nempc(
        model.transition, Sum(TaskCost(model.position, np.full(3, 1e4)), InputRateCost(np.full(3, 1e-12))),
        np.zeros(3), np.full(3, 75e3), few, delay=0,
    )  # fmt: skip
    x, distance = model.x0, []
    for _ in range(12):
        u, status = nempc.step(
            Start(x, model.parameters, np.zeros(3)), np.repeat(goal, nempc.instants, axis=0), DT
        )
        assert status.status == 'ok'
        x = model.transition(x[None], u[None], one(model), DT)[0]
        distance.append(np.linalg.norm(model.position(x[None], one(model))[0] - goal))
    assert distance[-1] < 0.7 * distance[0]


def test_a_motion_that_has_no_value_is_refused(collocation):
    with pytest.raises(ValueError, match='no motion at'):
        collocation.motion(np.full((3, 3), 1e12), DT)


def test_the_linear_model_is_the_limit_of_small_inputs(collocation):
    """Half the pressures, a quarter of the error: over a second, of the tip's way."""
    linear, errors = MODELS['linear'](ARM), []
    for part in (0.04, 0.02):
        pressures = np.tile(part * PRESSURES, (70, 1))
        tips = [
            each.position(each.motion(pressures, DT), np.ones((70, 1)) * each.parameters)
            for each in (linear, collocation)
        ]
        errors.append(np.abs(tips[0] - tips[1]).max())
    assert errors[1] < 0.35 * errors[0]
    assert errors[1] < 0.05 * np.ptp(tips[1], axis=0).max()


def test_the_strains_of_a_shape_make_it(collocation):
    x = collocation.equilibrium(PRESSURES)
    shape = collocation.shape(x, collocation.parameters)
    turn, position = Rotation.from_quat(shape.orientation_xyzw[0]), shape.position[0]
    for k, step in enumerate(np.diff(shape.arc_length)):
        half = turn * Rotation.from_rotvec(0.5 * step * shape.strain[k, :3])
        position = position + step * half.apply(shape.strain[k, 3:])
        turn = turn * Rotation.from_rotvec(step * shape.strain[k, :3])
    np.testing.assert_allclose(position, shape.position[-1], atol=1e-12)
    # From there to the tip it is the rigid cap of 10 mm.
    tip = collocation.position(x[None], one(collocation))[0]
    assert np.linalg.norm(tip - position) == pytest.approx(0.01, rel=1e-9)


@pytest.mark.parametrize('device', ['numpy', 'cpu'])
def test_the_tip_for_costs_is_the_rods_own(collocation, device):
    """On NumPy and PyTorch, for other compliances too, to the second order of the step along the rod."""
    if device == 'cpu':
        pytest.importorskip('torch')
    there, errors = Arrays(device, 'float64'), []
    random = np.random.default_rng(0)
    u = random.uniform(0.0, 60e3, (20, 3))
    parameters = collocation.parameters * random.uniform(0.8, 1.2, (20, 1))
    x = np.array([collocation.equilibrium(each) for each in u])
    for steps in (1, 2):
        found = there.wrap(tip_position(CollocationRod(ARM), there, steps))(x, parameters)
        errors.append(np.linalg.norm(found - collocation.position(x, parameters), axis=1).max())
    assert errors[1] < 0.3 * errors[0] < 0.01 * LENGTH


def test_the_tip_of_the_linear_model_is_near_at_larger_inputs(collocation):
    linear = MODELS['linear'](ARM)
    tips = [m.position(m.equilibrium(PRESSURES)[None], one(m))[0] for m in (linear, collocation)]
    assert np.linalg.norm(tips[0] - tips[1]) < 0.03 * LENGTH
