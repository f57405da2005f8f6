"""Identification as a service to other nodes: the action `identify`."""
