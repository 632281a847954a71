"""`sacrebleu`, whose BLEU, chrF and TER count in our kernel; everything else is sacreBLEU's own."""

import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .. import importing, rest_of

with importing("sacrebleu"):
    import sacrebleu
    import sacrebleu.significance

__all__ = [
    "BLEU", "CHRF", "TER", "corpus_bleu", "corpus_chrf", "corpus_ter", "raw_corpus_bleu", "sentence_bleu",
    "sentence_chrf", "sentence_ter",
]  # fmt: skip

# Releases whose inner names are those that the classes of ours replace.
_KNOWN = "sacrebleu>=2.4,<2.7"


def imported_here(name: str) -> ModuleType:
    """Import a module of sacreBLEU once more, as a module of this package, where `.metrics` are ours."""
    own, theirs = f"{__name__}.{name}", find_spec(f"sacrebleu.{name}")
    spec: Any = spec_from_file_location(own, None if theirs is None else theirs.origin)
    if spec is None:
        raise ImportError(f"no module sacrebleu.{name}")
    sys.modules[own] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


try:
    from .metrics import BLEU, CHRF, TER

    if TYPE_CHECKING:
        from sacrebleu import compat
    else:
        compat = imported_here("compat")
    corpus_bleu, corpus_chrf, corpus_ter = compat.corpus_bleu, compat.corpus_chrf, compat.corpus_ter
    sentence_bleu, sentence_chrf, sentence_ter = compat.sentence_bleu, compat.sentence_chrf, compat.sentence_ter
    raw_corpus_bleu = compat.raw_corpus_bleu
except (ImportError, AttributeError) as error:
    raise ImportError(
        f"sacrebleu {sacrebleu.__version__} lacks what textgauge.compat.sacrebleu replaces ({error}): "
        f'pip install "{_KNOWN}", or import sacrebleu itself',
        name="sacrebleu",
    ) from error

# The modules of sacreBLEU under our name as well, so that `from textgauge.compat.sacrebleu.significance import ...`
# finds the same objects.
for _name, _module in list(sys.modules.items()):
    if _name.startswith("sacrebleu."):
        sys.modules.setdefault(f"{__name__.removesuffix('sacrebleu')}{_name}", _module)

__getattr__ = rest_of(sacrebleu)
