"""CSV references: interpolation, and errors that name file and line."""

import pytest

from continua.control.reference_csv import CsvReference

NAMES = ['north', 'south']
TABLE = 'time,south,north\n# slowly\n1.0,10.0,0.0\n\n2.0, 20.0, 1.0\n4.0,0.0,1.0\n'


@pytest.fixture
def write(tmp_path):
    def write(text: str):
        path = tmp_path / 'reference.csv'
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    ('interpolation', 't', 'tension'),
    [
        ('linear', 0.0, [0.0, 10.0]),
        ('linear', 1.5, [0.5, 15.0]),
        ('linear', 3.0, [1.0, 10.0]),
        ('linear', 9.0, [1.0, 0.0]),
        ('hold', 0.0, [0.0, 10.0]),
        ('hold', 1.999, [0.0, 10.0]),
        ('hold', 2.0, [1.0, 20.0]),
        ('hold', 9.0, [1.0, 0.0]),
    ],
)
def test_rows_are_joined_or_held(write, interpolation, t, tension):
    assert CsvReference(write(TABLE), NAMES, interpolation)(t).tolist() == tension


def test_it_knows_its_bounds(write):
    reference = CsvReference(write(TABLE), NAMES)
    assert reference.duration == 4.0
    assert reference.low.tolist() == [0.0, 0.0]
    assert reference.high.tolist() == [1.0, 20.0]


@pytest.mark.parametrize(
    ('text', 'line', 'sentence'),
    [
        ('time,north,soth\n', 1, "no input is called 'soth'; did you mean 'south'"),
        ('time,north\n0,1\n', 1, "the header is 'time,north', expected each of 'time,north,south' once"),
        ('time,north,south,south\n', 1, 'once'),
        ('# only words\n', 1, 'the header is'),
        ('time,north,south\n0,1\n', 2, '2 cells, expected 3'),
        ('time,north,south\n0,1,2\n1,x,2\n', 3, "north is 'x', expected a finite number"),
        ('time,north,south\n0,1,nan\n', 2, "south is 'nan', expected a finite number"),
        ('time,north,south\n0,1,2\n\n0,1,2\n', 4, 'time is 0 s, expected'),
        ('time,north,south\n-1,1,2\n', 2, 'time is -1 s, expected'),
    ],
)
def test_wrong_files_are_refused_with_file_and_line(write, text, line, sentence):
    path = write(text)
    with pytest.raises(ValueError) as refusal:
        CsvReference(path, NAMES)
    assert str(refusal.value).startswith(f'{path}:{line}: ')
    assert sentence in str(refusal.value)


def test_a_file_without_rows_is_refused(write):
    with pytest.raises(ValueError, match='no row with numbers'):
        CsvReference(write('time,north,south\n'), NAMES)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r'none\.csv: cannot be read as a CSV file'):
        CsvReference(tmp_path / 'none.csv', NAMES)
    (tmp_path / 'binary.csv').write_bytes(b'\xff\xfe\x00\x80')
    with pytest.raises(ValueError, match=r'binary\.csv: cannot be read'):
        CsvReference(tmp_path / 'binary.csv', NAMES)


def test_an_unknown_interpolation_is_refused(write):
    with pytest.raises(ValueError, match="'cubic', expected one of linear, hold"):
        CsvReference(write(TABLE), NAMES, 'cubic')
