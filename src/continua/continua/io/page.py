"""Parts of a page in HTML that needs no other file and no network."""

import base64
import html
import io
from collections.abc import Iterable

from matplotlib.figure import Figure

__all__ = ['image', 'page', 'problems', 'table']

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 62em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; margin-bottom: 0; } h2 { font-size: 1.15em; margin-top: 2em; }
p.origin { color: #666; margin-top: 0.2em; } img { width: 100%; }
ul.problems { background: #fdf2e9; border-left: 4px solid #e67e22; padding: 0.6em 2em; }
table { border-collapse: collapse; width: 100%; font-size: 0.9em; }
th, td { text-align: right; padding: 0.25em 0.6em; border-bottom: 1px solid #e5e5e5; }
th:first-child, td:first-child { text-align: left; } th { color: #555; font-weight: 600; }
td { font-variant-numeric: tabular-nums; }
"""


def page(title: str, origin: str, parts: Iterable[str]) -> str:
    """The whole page: its title, a line on where it comes from, and parts in HTML."""
    title = html.escape(title)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<style>{_STYLE}</style></head><body><h1>{title}</h1><p class="origin">{html.escape(origin)}</p>'
        f'{"".join(parts)}</body></html>\n'
    )


def problems(sentences: Iterable[str]) -> str:
    """Sentences that a reader must not miss; nothing where there are none."""
    items = ''.join(f'<li>{html.escape(sentence)}</li>' for sentence in sentences)
    return f'<ul class="problems">{items}</ul>' if items else ''


def image(figure: Figure, text: str) -> str:
    """A figure, and what it shows for those who cannot see it."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format='png', dpi=130)
    data = base64.b64encode(buffer.getvalue()).decode()
    return f'<img alt="{html.escape(text)}" src="data:image/png;base64,{data}">'


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of texts."""

    def row(tag: str, cells: Iterable[str]) -> str:
        return '<tr>' + ''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells) + '</tr>'

    return f'<table>{row("th", head)}{"".join(row("td", cells) for cells in rows)}</table>'
