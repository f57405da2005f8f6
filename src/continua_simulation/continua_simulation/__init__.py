"""The simulated robot that stands in for hardware, and emulated devices for the drivers."""
