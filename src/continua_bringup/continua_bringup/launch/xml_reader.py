"""Reads an XML file into elements that know their line; expat, because ElementTree forgets lines."""

from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from .errors import LaunchError

MAX_DEPTH = 64


@dataclass(frozen=True)
class Element:
    """One XML element; `file` and `line` are where it begins."""

    tag: str
    attributes: dict[str, str]
    children: 'list[Element]'
    file: str
    line: int

    def error(self, message: str) -> LaunchError:
        return LaunchError(message, self.file, self.line)


class _Builder:
    """Collects expat's events into one tree."""

    def __init__(self, file: str):
        self.file = file
        self.root: Element | None = None
        self.open: list[Element] = []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = lambda tag: self.open.pop()
        self.parser.CharacterDataHandler = self.text
        self.parser.StartDoctypeDeclHandler = self.doctype

    def error(self, message: str) -> LaunchError:
        return LaunchError(message, self.file, self.parser.CurrentLineNumber)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise self.error(f'elements are nested more than {MAX_DEPTH} deep')
        element = Element(tag, attributes, [], self.file, self.parser.CurrentLineNumber)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def text(self, text: str) -> None:
        if text.strip():
            raise self.error(f'text {text.strip()!r} between elements; values are attributes here')

    def doctype(self, *_: object) -> None:
        raise self.error('a DOCTYPE is not supported: launch files have no entities of their own')


def read(path: str | Path) -> Element:
    """The root element of the file at `path`; LaunchError with the line where it is not XML."""
    file = str(path)
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise LaunchError(f'cannot read launch file {file}: {error.strerror}') from error
    builder = _Builder(file)
    try:
        builder.parser.Parse(content, True)
    except expat.ExpatError as error:
        raise LaunchError(
            f'not well-formed XML: {expat.ErrorString(error.code)}', file, error.lineno
        ) from error
    assert builder.root is not None  # expat refuses a document without an element
    return builder.root
