"""Times of a device's clock as times of the host's steady clock.

A sample arrives after a delay that is never negative: host = device + offset + delay. The smallest
host - device seen is therefore the best estimate of the offset. Clocks also drift apart; letting the estimate
rise at the largest drift that is possible keeps it from sticking to an old minimum (the lower envelope of
D. Mills, "Internet time synchronization", IEEE Trans. Communications, 1991, as a leaky minimum).
"""

__all__ = ['DeviceClock']


class DeviceClock:
    """Maps device times to host times.

    max_drift: s/s, how far apart the two clocks may run; a ceramic resonator has 5e-3, a crystal 1e-4. The
        error after t seconds without a sample of minimal delay is at most max_drift * t.
    """

    def __init__(self, max_drift: float = 1e-3) -> None:
        self._max_drift = max_drift
        self._offset: float | None = None
        self._host_time = 0.0

    def to_host(self, device_time: float, received: float) -> float:
        """Host time [s] of `device_time` [s] of a sample received at host time `received` [s].

        Never later than `received`.
        """
        offset = received - device_time
        if self._offset is not None:
            elapsed = received - self._host_time
            offset = min(offset, self._offset + self._max_drift * elapsed)
        self._offset, self._host_time = offset, received
        return device_time + offset
