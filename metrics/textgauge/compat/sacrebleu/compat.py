"""The functions of sacreBLEU over our metrics: its code, run in this package, where `.metrics` are ours."""

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sacrebleu.compat import *  # noqa: F403
else:
    exec(find_spec("sacrebleu.compat").loader.get_code("sacrebleu.compat"))
