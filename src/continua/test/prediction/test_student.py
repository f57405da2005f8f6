import numpy as np
import pytest

from continua.prediction import MODELS, make_model, student_model
from continua.repro.ddpinn_student import shipped_student
from continua.repro.robots import paper_robot

DT = 1.0 / 70.0


@pytest.fixture(scope='module')
def model():
    return student_model(paper_robot('pneumatic_arm'), shipped_student())


def test_a_step_is_near_that_of_the_rod(model):
    rod = MODELS['collocation'](paper_robot('pneumatic_arm'))
    u = np.array([[30e3, 10e3, 0.0], [0.0, 40e3, 40e3]])
    x = np.array([rod.equilibrium(each) for each in u])
    parameters = np.tile(rod.parameters, (2, 1))
    ahead, expected = (each.transition(x, u[::-1], parameters, DT) for each in (model, rod))
    moved = np.linalg.norm(rod.position(expected, parameters) - rod.position(x, parameters), axis=1)
    error = np.linalg.norm(model.position(ahead, parameters) - rod.position(expected, parameters), axis=1)
    assert np.all(error < 0.5 * moved)


def test_a_robot_that_it_did_not_learn_from_is_refused():
    arm = paper_robot('pneumatic_arm')
    heavier = (
        *arm.links[:-1],
        arm.links[-1].model_copy(update={'body': arm.links[-1].body.model_copy(update={'mass': 0.2})}),
    )
    with pytest.raises(ValueError, match='train it anew'):
        student_model(arm.model_copy(update={'links': heavier}), shipped_student())


def test_by_name_it_needs_its_weights(model):
    arm = paper_robot('pneumatic_arm')
    by_name = make_model('student', arm, str(shipped_student()))
    x, u, parameters = by_name.x0[None], np.full((1, 3), 20e3), by_name.parameters[None]
    np.testing.assert_array_equal(*(each.transition(x, u, parameters, DT) for each in (by_name, model)))
    with pytest.raises(ValueError, match='weights: expected the file of a one-step network'):
        make_model('student', arm)
