"""Actuators: the wrench they put on the sections, and what their drives measure."""
