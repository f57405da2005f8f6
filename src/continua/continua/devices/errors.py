"""What can go wrong with a device."""

__all__ = ['DeviceLost', 'DeviceRefused']


class DeviceLost(ConnectionError):
    """The device cannot be reached or does not answer; it may come back."""


class DeviceRefused(ValueError):
    """The device answers, but it is the wrong one, or it refuses what was asked."""
