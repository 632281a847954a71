"""sacreBLEU's tokenizers that need a dictionary or a model, if its extras are installed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from ..checks import fail, shown

# Name: module and class in sacrebleu.tokenizers, and the packages to install.
_SOURCES = {
    "ja-mecab": ("tokenizer_ja_mecab", "TokenizerJaMecab", "'sacrebleu[ja]'"),
    "ko-mecab": ("tokenizer_ko_mecab", "TokenizerKoMecab", "'sacrebleu[ko]'"),
    "flores101": ("tokenizer_spm", "Flores101Tokenizer", "sacrebleu sentencepiece"),
    "flores200": ("tokenizer_spm", "Flores200Tokenizer", "sacrebleu sentencepiece"),
    # sacreBLEU's former name of the same model.
    "spm": ("tokenizer_spm", "Flores101Tokenizer", "sacrebleu sentencepiece"),
}
NAMES = tuple(_SOURCES)


@dataclass(frozen=True)
class SacrebleuTokenizer:
    """One of sacreBLEU's tokenizers, compared and pickled by its name."""

    name: str

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of one text."""
        return str(_loaded(self.name)(text)).split()


@cache
def _loaded(name: str) -> Any:
    module, kind, packages = _SOURCES[name]
    try:
        return getattr(import_module(f"sacrebleu.tokenizers.{module}"), kind)()
    except (ImportError, RuntimeError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else shown(error)
        raise ImportError(f"tokenizer: {name!r} needs packages (pip install {packages}): {reason}") from None
    except OSError as error:
        allowed = f"the model of {name!r}, which sacreBLEU downloads once"
        fail(OSError, "tokenizer", allowed, shown(error))


def sacrebleu_tokenizer(name: str) -> SacrebleuTokenizer:
    """Return the tokenizer.

    Raises
    ------
    ImportError
        If its packages are missing, with the line that installs them.
    OSError
        If its model is missing and cannot be downloaded.
    """
    _loaded(name)
    return SacrebleuTokenizer(name)


def signature_of(name: str) -> str:
    """Return the name, with the version of its dictionary as sacreBLEU writes it."""
    return str(_loaded(name).signature()) if name in NAMES else name
