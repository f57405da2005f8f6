import numpy as np
import pytest

torch = pytest.importorskip('torch', reason='an extra: requirements/learning.txt')

from continua.surrogate.ansatz import DdPinnNetwork  # noqa: E402, after torch is known to be there
from continua.surrogate.ddpinn import DdPinn, DdPinnSettings, Ranges  # noqa: E402
from continua.surrogate.training import fit  # noqa: E402

DT = 1.0 / 70.0
_SMALL = {'hidden': (16,), 'oscillations': 3, 'epochs': 4, 'points': 400, 'batch': 100, 'rate': 1e-3}


@pytest.fixture(scope='module', params=['plain', 'step'])
def problem(request, rod, found):
    return DdPinn(rod, found, DdPinnSettings(**_SMALL, metric=request.param))


def test_the_loss_of_the_exact_solution_is_rounding(problem, rod, found):
    x, u, c = (each.astype(float) for each in (found.x[:, 5], found.u[:, 5], found.c))
    theta = np.tile(rod.theta, (len(x), 1))
    theta[:, 2] = c
    given = [
        torch.as_tensor(each, dtype=torch.float32) for each in (x, rod.derivative(x, u, theta), u, c[:, None])
    ]
    still = problem.residual(given[0], 0.0 * given[1], *given[2:]).square().mean().item()
    assert problem.residual(*given).square().mean().item() < 1e-6 * still


def test_training_reduces_the_loss(rod, found):
    problem = DdPinn(rod, found, DdPinnSettings(**_SMALL | {'rate': 1e-2}, metric='step', states='motions'))
    before = problem.validation()
    history = fit(problem, 4)
    assert history[-1].validation < 0.9 * before


def test_the_loss_is_that_of_the_rods_residual(problem, rod):
    z, t = problem._points(50, 3)
    n, h = rod.n, 1e-3
    network, given = problem.model({}), problem._middle + problem._half * z.double().numpy()
    x, u, c = given[:, :n], given[:, n:-1], given[:, -1:]

    def states(at):
        rows = zip(x, u, c, at, strict=True)
        return np.array([network(x[None], u[None], c[None], s * DT)[0] for x, u, c, s in rows])

    share = t[:, 0, 0].double().numpy() * (1.0 - 2.0 * h) + h
    rate = (states(share + h) - states(share - h)) / (2.0 * h * DT)
    theta = np.tile(rod.theta, (50, 1))
    theta[:, 2] = c[:, 0]
    rows = rod.residual(states(share), rate, u, theta) @ problem._rows.double().numpy()
    at = torch.as_tensor(share[:, None, None], dtype=torch.float32)
    assert problem.loss(z, at).item() == pytest.approx(np.mean(rows**2), rel=1e-2)


def test_weights_survive_a_file(problem, rod, found, tmp_path):
    network = problem.model({'robot': 'arm'})
    network.save(tmp_path / 'ddpinn.safetensors')
    again = DdPinnNetwork.load(tmp_path / 'ddpinn.safetensors')
    x, u, c = found.x[:, 0], found.u[:, 0], found.c[:, None]
    assert np.array_equal(again(x, u, c, DT), network(x, u, c, DT))
    assert np.array_equal(again(x, u, c, 0.0), x)
    assert again.card['robot'] == 'arm'
    with pytest.raises(ValueError, match='expected dt of 0 to'):
        again(x, u, c, 2 * DT)
    with pytest.raises(ValueError, match='train it anew'):
        again.check(rod)


def test_ranges_hold_the_motions_and_the_limits(rod, found):
    ranges = Ranges.of(rod, found)
    assert np.all(ranges.low < ranges.high)
    assert np.all(ranges.low[: rod.n] <= found.x.min(axis=(0, 1)))
    assert ranges.high[rod.n : rod.n + 3] == pytest.approx([75e3] * 3)


def test_wrong_settings_say_what_is_wrong():
    with pytest.raises(ValueError, match='metric: expected plain or step'):
        DdPinnSettings(metric='other')
    with pytest.raises(ValueError, match='positive widths'):
        DdPinnSettings(hidden=())
