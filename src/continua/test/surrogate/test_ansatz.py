import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from continua.surrogate.ansatz import ansatz, ansatz_rate

torch = pytest.importorskip('torch', reason='an extra: requirements/learning.txt')

_ALPHA = arrays(np.float64, (2, 4, 3, 5), elements=st.floats(-20.0, 20.0))


@given(_ALPHA)
def test_nothing_has_moved_at_time_zero(alpha):
    assert np.array_equal(ansatz(alpha, 0.0, np), np.zeros((2, 3)))


@given(_ALPHA, st.floats(0.0, 1.0))
def test_the_rate_is_that_of_automatic_differentiation(alpha, t):
    alpha, time = torch.from_numpy(alpha.copy()), torch.tensor(t, dtype=torch.float64, requires_grad=True)
    rates = [
        torch.autograd.grad(each, time, retain_graph=True)[0] for each in ansatz(alpha, time, torch).flatten()
    ]
    found, expected = ansatz_rate(alpha, time, torch).flatten(), torch.stack(rates)
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10 * (1.0 + expected.abs().max().item()))


def test_the_rate_is_that_of_differences():
    alpha, t, h = np.random.default_rng(0).normal(size=(4, 4, 6, 3)), 0.4, 1e-6
    expected = (ansatz(alpha, t + h, np) - ansatz(alpha, t - h, np)) / (2 * h)
    np.testing.assert_allclose(ansatz_rate(alpha, t, np), expected, atol=1e-8)


def test_one_oscillation_is_a_damped_sine():
    alpha = np.array([2.0, 3.0, 0.5, 0.7]).reshape(1, 4, 1, 1)
    t = np.linspace(0.0, 1.0, 7)
    found = [ansatz(alpha, each, np)[0, 0] for each in t]
    assert found == pytest.approx(2.0 * (np.sin(3.0 * t + 0.5) * np.exp(-0.7 * t) - np.sin(0.5)))
