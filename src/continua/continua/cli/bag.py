"""`continua bag`: what is in a recorded run, what it has shown, and how to mend it."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from continua.io.bag_reader import bag_information, is_finished, open_bag, repair_bag
from continua.io.summary import Statistics, Summary, error_rows, summarise

bag = typer.Typer(
    add_completion=False, name='bag', help='Recorded runs: content, summary, repair.', no_args_is_help=True
)

Folder = Annotated[Path, typer.Argument(help='Folder of the bag, with its metadata.yaml.', metavar='BAG')]
AsJson = Annotated[bool, typer.Option('--json', help='Print JSON instead of a table.')]


@bag.command()
def info(folder: Folder, as_json: AsJson = False) -> None:
    """Topics, counts, and under which circumstances the bag was recorded."""
    custom_data = bag_information(folder)['custom_data']
    with open_bag(folder) as reader:
        topics = {c.topic: {'type': c.msgtype, 'count': c.msgcount} for c in reader.connections}
        duration = reader.duration * 1e-9 if reader.message_count else 0.0
    if as_json:
        content = {'finished': is_finished(folder), 'duration_s': duration}
        typer.echo(json.dumps({**content, 'topics': topics, 'custom_data': custom_data}, indent=2))
        return
    table = Table('topic', 'type', box=None, pad_edge=False)
    table.add_column('messages', justify='right')
    for name, topic in sorted(topics.items()):
        table.add_row(name, topic['type'], str(topic['count']))
    state = 'finished' if is_finished(folder) else 'not finished: continua bag repair gives it an index'
    lines = [f'{folder}: {duration:.1f} s, {state}', *(f'{key}: {custom_data[key]}' for key in custom_data)]
    typer.echo('\n'.join(lines))
    Console().print(table)


@bag.command()
def summary(
    folder: Folder,
    out: Annotated[
        Path | None, typer.Option(help='Existing folder to write summary.json and report.html to.')
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Errors of the estimate, rates, latencies, losses."""
    if out is None:
        result = summarise(folder)
    else:
        from continua.io.report import write_results  # matplotlib takes a second to import

        result = write_results(folder, out)
    if as_json:
        typer.echo(result.to_json())
    else:
        print_summary(result)


@bag.command()
def repair(folder: Folder) -> None:
    """Give the bag of a killed recorder its index, so that every tool opens it. In place."""
    typer.echo(f'{folder}: {repair_bag(folder)} messages')


def print_summary(summary: Summary) -> None:
    """The summary as tables on standard output."""
    errors = _table('estimation error in mm')
    errors.add_column('')
    for column in ('mean', 'median', '95 %', 'max'):
        errors.add_column(column, justify='right')
    for label, statistics in error_rows(summary):
        errors.add_row(label, *_cells(statistics))
    traffic = _table('traffic')
    traffic.add_column('topic')
    for column in ('rate/Hz', 'latency/ms', '99 %/ms', 'lost', 'dropped'):
        traffic.add_column(column, justify='right')
    for name, topic in summary.topics.items():
        latency = topic.latency_ms
        traffic.add_row(
            name,
            '-' if topic.rate_hz is None else f'{topic.rate_hz:.1f}',
            '-' if latency is None else f'{latency.median:.1f}',
            '-' if latency is None else f'{latency.p99:.1f}',
            str(topic.lost),
            str(topic.dropped),
        )
    Console().print(errors, '', traffic, sep='\n')
    for problem in summary.problems:
        typer.echo(f'note: {problem}')


def _table(title: str) -> Table:
    return Table(title=title, title_justify='left', title_style='bold', box=None, pad_edge=False)


def _cells(statistics: Statistics | None) -> tuple[str, ...]:
    if statistics is None:
        return ('-',) * 4
    s = statistics
    return tuple(f'{value:.2f}' for value in (s.mean, s.median, s.p95, s.max))
