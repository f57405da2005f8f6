"""The rules of this repository, as functions that find what breaks them.

Each module has one subject. A rule takes a `Repository` (or a part of it) and yields a `Violation` with file,
line and what to do for each place that breaks it; the tests run it on this repository, and on a small one
that breaks it.
"""
