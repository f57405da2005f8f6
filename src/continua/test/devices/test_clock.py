import numpy as np
import pytest

from continua.devices.clock import DeviceClock


@pytest.mark.parametrize('drift', [-5e-4, 0.0, 5e-4])
def test_error_stays_small_under_drift_and_delay(drift):
    rng = np.random.default_rng(3)
    host = np.arange(0.0, 600.0, 0.01)
    device = (1.0 + drift) * host - 123.4
    # A floor of 0.2 ms that every sample has, mostly small delays above it, sometimes a long one.
    delay = 2e-4 + rng.exponential(5e-4, host.size) + 0.05 * (rng.random(host.size) < 0.02)
    clock = DeviceClock(max_drift=1e-3)
    mapped = np.array([clock.to_host(d, h) for d, h in zip(device, host + delay, strict=True)])
    error = (mapped - host)[100:]
    assert error.min() > 0.0  # a measurement is never placed before it was made
    assert error.max() < 1e-3


def test_never_after_reception():
    clock = DeviceClock()
    rng = np.random.default_rng(4)
    for device in np.cumsum(rng.uniform(0.0, 0.02, 1000)):
        received = device + 10.0 + rng.uniform(-0.5, 0.5)
        assert clock.to_host(device, received) <= received


def test_spacing_of_samples_is_kept_when_they_arrive_in_a_burst():
    clock = DeviceClock(max_drift=0.0)
    clock.to_host(0.0, 5.0)
    mapped = [clock.to_host(device, 5.1) for device in (0.02, 0.04, 0.06)]
    np.testing.assert_allclose(mapped, [5.02, 5.04, 5.06], atol=1e-12)
