"""Times of a device's clock as times of the host's steady clock.

A sample arrives after a delay that is never negative: host = device + offset + delay. The smallest
host - device seen is therefore the best estimate of the offset. Clocks also drift apart; letting the estimate
rise at the largest drift that is possible keeps it from sticking to an old minimum (the lower envelope of
D. Mills, "Internet time synchronization", IEEE Trans. Communications, 1991, as a leaky minimum).

A clock that was set anew, or a device that restarted, changes the offset at once. One sample that is far off
says nothing: it may be late, or damaged. Where all samples stay far off for a while, the clock has jumped.
"""

__all__ = ['DeviceClock']

_FAR = 0.5  # s
_WHILE = 0.5  # s of the host's clock


class DeviceClock:
    """Maps device times to host times.

    max_drift: s/s, how far apart the two clocks may run; a ceramic resonator has 5e-3, a crystal 1e-4. The
        error after t seconds without a sample of minimal delay is at most max_drift * t.
    jumps: how often the device's clock jumped by more than 0.5 s.
    """

    def __init__(self, max_drift: float = 1e-3) -> None:
        self.jumps = 0
        self._max_drift = max_drift
        self._offset: float | None = None
        self._host_time = 0.0
        self._far_since: float | None = None

    def to_host(self, device_time: float, received: float) -> float:
        """Host time [s] of `device_time` [s] of a sample received at host time `received` [s].

        Never later than `received`.
        """
        offset = received - device_time
        if self._offset is None:
            self._take(offset, received)
        grown = self._offset + self._max_drift * (received - self._host_time)
        if abs(offset - grown) < _FAR:
            self._take(min(offset, grown), received)
        elif self._is_lasting(received):
            self.jumps += 1
            self._take(offset, received)
        return min(device_time + self._offset, received)

    def _take(self, offset: float, received: float) -> None:
        self._offset, self._host_time, self._far_since = offset, received, None

    def _is_lasting(self, received: float) -> bool:
        if self._far_since is None:
            self._far_since = received
        return received - self._far_since > _WHILE
