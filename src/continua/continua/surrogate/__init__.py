"""Learned stand-ins for the collocation rod; the modules that need torch are imported by name."""
