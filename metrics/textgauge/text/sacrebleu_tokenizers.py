"""sacreBLEU's tokenizers that need a dictionary or a model, if its extras are installed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from ..arrays import IntArray
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
# Those whose model sacreBLEU downloads when it is first needed.
DOWNLOADED = tuple(name for name, (module, _, _) in _SOURCES.items() if module == "tokenizer_spm")
# From each character of a run MeCab looks for the end of the run, so its time is the square of the length.
LONGEST_RUN = 10_000


@dataclass(frozen=True)
class SacrebleuTokenizer:
    """One of sacreBLEU's tokenizers, compared and pickled by its name."""

    name: str

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of one text.

        Raises
        ------
        ValueError
            If the text is more than MeCab can take.
        """
        if not self.name.endswith("-mecab"):
            return str(_loaded(self.name)(text)).split()
        length = _longest_run(self.name, text) if len(text) > LONGEST_RUN else 0
        if length > LONGEST_RUN:
            allowed = f"at most {LONGEST_RUN:,} characters of one kind in a row (MeCab's time is the square of it)"
            fail(ValueError, "text", allowed, f"{length:,} characters")
        try:
            return str(_loaded(self.name)(text)).split()
        except AttributeError:
            # Where the costs of the words reach 2^31, MeCab returns None, which sacreBLEU takes for text.
            allowed = "a text that MeCab can take (the costs of its words are below 2^31)"
            fail(ValueError, "text", allowed, f"{len(text):,} characters")


def _longest_run(name: str, text: str) -> int:
    """Return how far MeCab reads on from a character at most, to the end of the run that may be one word."""
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    # MeCab has one entry for all characters beyond the basic plane.
    characters = _characters(name)[np.where(codes < 0xFFFF, codes, 0)]
    categories, may_join = characters & 0x3FFFF, np.flatnonzero(characters >> 30 & 1)
    ends = np.append(np.flatnonzero((categories[:-1] & categories[1:]) == 0) + 1, len(categories))
    read: IntArray = ends[np.searchsorted(ends, may_join, side="right")] - may_join
    return int(read.max(initial=0))


@cache
def _characters(name: str) -> Any:
    """Return MeCab's table of characters: uint32, shape (65535,); 18 bits of kinds, bit 30 where they join to a word.

    White space joins to nothing here: MeCab skips it without looking back.
    """
    dictionary = _loaded(name).tagger.dictionary_info().filename
    from pathlib import Path

    data = Path(dictionary).with_name("char.bin").read_bytes()
    n_kinds = int.from_bytes(data[:4], "little")
    table = np.frombuffer(data, "<u4", offset=4 + 32 * n_kinds).copy()
    table[(table & table[ord(" ")] & 0x3FFFF) != 0] &= ~np.uint32(1 << 30)
    return table


@cache
def _loaded(name: str) -> Any:
    module, class_name, packages = _SOURCES[name]
    try:
        return getattr(import_module(f"sacrebleu.tokenizers.{module}"), class_name)()
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
