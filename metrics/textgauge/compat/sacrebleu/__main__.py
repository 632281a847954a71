"""The command line of sacreBLEU over our metrics: its code, run in this package, where `.metrics` are ours."""

from importlib.util import find_spec
from typing import Any, cast

exec(cast(Any, find_spec("sacrebleu.sacrebleu")).loader.get_code("sacrebleu.sacrebleu"))
