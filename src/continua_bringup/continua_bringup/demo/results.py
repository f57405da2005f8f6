"""What is left of a demo: summary.json and report.html from its bag, a table, and the exit status."""

import sys
from pathlib import Path

from continua.cli.bag import print_summary
from continua.io.report import write_results
from continua_bringup.demo.experiment import Outcome

__all__ = ['show_results']

_FAILED = 1
_INTERRUPTED = 130  # as of a command that SIGINT ended


def show_results(folder: Path, outcome: Outcome, as_json: bool) -> int:
    """Write and print the results; returns the exit status, 0 when every node lived and there are errors."""
    problems = list(outcome.problems)
    try:
        summary = write_results(folder / 'bag', folder)
    except ValueError as error:
        problems.append(str(error))
    else:
        if as_json:
            print(summary.to_json())
        else:
            print_summary(summary)
            print(f'\nreport: {folder / "report.html"}')
        shown = any(estimate.tip_error_mm for estimate in summary.estimates.values())
        if not shown and not outcome.is_interrupted:
            problems.append('nothing shows how good the estimate was: ' + '; '.join(summary.problems))
    for problem in problems:
        print(f'continua demo: {problem}', file=sys.stderr)
    if outcome.is_interrupted:
        return _INTERRUPTED
    return _FAILED if problems else 0
