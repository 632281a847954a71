"""Texts of Parquet are read as the writer stored them: repeated ones by a dictionary, others plainly."""

import pyarrow as pa
import pyarrow.parquet as pq
from textgauge.files.file import InputFile
from textgauge.files.parquet import _opened
from textgauge.files.rows import NamedColumn

N = 20_000
DIFFERENT, SAME, LONG = [f"text {i} of many" for i in range(N)], ["yes"] * N, ["x" * 100_000, *map(str, range(N - 1))]


def test_a_dictionary_that_was_given_up_is_not_made_anew(tmp_path):
    path = tmp_path / "a.parquet"
    table = pa.table({"different": DIFFERENT, "same": SAME, "long": LONG})
    pq.write_table(table, path, dictionary_pagesize_limit=1 << 14, data_page_size=1 << 14)
    with path.open("rb") as raw:
        file, _ = _opened(raw, table.column_names)
        types = [pa.types.is_dictionary(field.type) for field in file.schema_arrow]
    # A batch of the long text, which stands in the dictionary, might not fit into memory.
    assert types == [False, True, True]
    columns = InputFile(str(path), [NamedColumn(name) for name in table.column_names]).columns()
    assert [column.texts.tolist() for column in columns] == [DIFFERENT, SAME, LONG]
