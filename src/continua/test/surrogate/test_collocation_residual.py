"""The torch form of the model against CasADi's, and its gradients against the model's matrices."""

from pathlib import Path

import numpy as np
import pytest

from continua.cosserat import CollocationRod
from continua.cosserat.symbolic import implicit_form
from continua.description import load_robot

torch = pytest.importorskip('torch', reason='an extra: requirements/learning.txt')

ROBOTS = next(p for p in Path(__file__).parents if (p / 'config/robots').is_dir()) / 'config/robots'


@pytest.fixture(scope='module', params=[2, 6])
def case(request):
    from continua.surrogate.collocation_residual import CollocationResidual

    rod = CollocationRod(load_robot(ROBOTS / 'pneumatic_arm.yaml'), nodes=request.param)
    rng = np.random.default_rng(0)
    x, xd = rng.normal(size=(2, 20, rod.n)) * rod.scale * np.reshape([0.2, 3.0], (2, 1, 1))
    given = x, xd, rng.uniform(0.0, 75e3, (20, 3)), rod.theta * rng.uniform(0.8, 1.25, (20, 5))
    return rod, CollocationResidual(rod, torch.float64), given


def test_values_are_those_of_casadi(case):
    rod, residual, given = case
    expected = implicit_form(rod)(*(each.T for each in given)).full().T
    found = residual(*map(torch.as_tensor, given)).numpy()
    assert np.abs(found - expected).max() < 1e-10


def test_default_parameters_are_the_robots(case):
    rod, residual, (x, xd, u, _) = case
    found = residual(*map(torch.as_tensor, (x, xd, u))).numpy()
    assert np.abs(found - rod.residual(x, xd, u)).max() < 1e-10


def test_gradients_are_the_models_matrices(case):
    rod, residual, given = case
    x, xd, u, theta = (torch.as_tensor(each[:1]) for each in given)
    found = torch.autograd.functional.jacobian(lambda a, b: residual(a, b, u, theta)[0], (x, xd))
    for ours, theirs in zip(rod.matrices(*(each[0] for each in given)), found, strict=True):
        assert np.abs(ours - theirs[:, 0].numpy()).max() < 1e-10 * np.abs(ours).max()
