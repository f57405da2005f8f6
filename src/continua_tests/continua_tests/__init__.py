"""Closed-loop, fault and repository-rule tests of the whole stack."""
