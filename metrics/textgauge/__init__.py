"""textgauge: the yardstick for generated text.

strings (list, Arrow column, pandas, datasets column)
  -> columns     Arrow text columns, every element checked
  -> text        token keys, one vocabulary for both sides
  -> counts      clipped n-gram matches, LCS lengths: integers per segment
  -> scores      formulas over those integers, for a corpus or for every segment
`measures` runs the pipeline: `Bleu` and `Rouge` take batches, `bleu` and `rouge` one call,
`compare` several systems; `matches` says where texts agree. `resampling` turns those integers
into intervals and p-values.
"""

from . import trainer
from .dataset import score_dataset, scorer
from .locations import load, path
from .measures.alignment import matches
from .measures.bleu import Bleu, bleu
from .measures.comparison import compare
from .measures.ngram_model import NgramModel
from .measures.perplexity import Perplexity, perplexity
from .measures.rouge import Rouge, rouge
from .measures.token_f1 import TokenF1, token_f1
from .threads import get_num_threads, set_num_threads
from .version import __version__

__all__ = [
    "Bleu",
    "NgramModel",
    "Perplexity",
    "Rouge",
    "TokenF1",
    "__version__",
    "bleu",
    "compare",
    "get_num_threads",
    "load",
    "matches",
    "path",
    "perplexity",
    "rouge",
    "score_dataset",
    "scorer",
    "set_num_threads",
    "token_f1",
    "trainer",
]
