"""Drivers of real devices: tendon controller, valves, motion capture, cameras."""
