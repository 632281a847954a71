"""sacreBLEU's translation edit rate: Snover et al. (2006)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ....measures.ter import Ter
from .base import Metric, Score, Signature


class TERSignature(Signature):
    """The signature of TER."""

    _ABBREVIATIONS: ClassVar[Mapping[str, str]] = {
        **Signature._ABBREVIATIONS, "case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as",
    }  # fmt: skip

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self.info |= {
            "case": "mixed" if args["case_sensitive"] else "lc",
            "tok": args["tokenizer_signature"],
            "norm": args["normalized"],
            "punct": not args["no_punct"],
            "asian": args["asian_support"],
        }


class TERScore(Score):
    """TER and its components.

    Attributes
    ----------
    num_edits : int
    ref_length : float
        The average lengths of the references, summed over the segments.
    """

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(Metric[TERScore]):
    """Translation edit rate.

    Parameters
    ----------
    normalized : bool
        Split off punctuation first.
    no_punct : bool
        Drop punctuation first.
    asian_support : bool
        Apply both to Chinese and Japanese characters as well.
    case_sensitive : bool
    references : sequence of sequences of str, optional
        Read and checked once, for calls of `corpus_score` with None as references.

    Examples
    --------
    >>> TER().corpus_score(["the cat on the mat sat", "a dog"], [["the cat sat on the mat", "a dog"]]).num_edits
    1
    """

    _SIGNATURE_TYPE = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self._measure = Ter(
            normalized=bool(normalized), no_punct=bool(no_punct), asian_support=bool(asian_support),
            case_sensitive=bool(case_sensitive),
        )  # fmt: skip
        self.tokenizer_signature = "tercom"
        super().__init__(references)

    def _compute_score_from_stats(self, stats: Sequence[Any]) -> TERScore:
        edits, words = stats[0], stats[1]
        rate = edits / words if words > 0 else 1.0 if edits > 0 else 0.0
        return TERScore(100 * rate, edits, words)
