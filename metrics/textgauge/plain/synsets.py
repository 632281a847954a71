"""WordNet's files as far as METEOR asks them: base forms of words, and the words of their synsets.

Princeton University (2010), About WordNet; the format of the files is that of its manual, wndb(5WN) and morphy(7WN).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from string import hexdigits

from .integers import Integers
from .porter import porter
from .texts import Texts

PARTS = ("noun", "verb", "adj", "adv")
_ENDINGS = {
    "noun": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
             ("men", "man"), ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip


def related_words(
    words: Sequence[str], stems: Integers, synonyms: Callable[[str], Iterable[str]]
) -> tuple[list[int], list[int]]:
    """Return for every word that is a stem which words are its synonyms.

    Parameters
    ----------
    words : sequence of str
        Each once.
    stems : uint32, shape (n_words,)
        The number of the stem of every word; a stem is its own.
    synonyms : callable str -> iterable of str

    Returns
    -------
    (offsets, related)
        int64, shape (n_words + 1,), into the numbers of words, uint32, which ascend for each stem.
    """
    numbers = {word: at for at, word in enumerate(words)}
    known, are_stems = numbers.keys(), {int(stem) for stem in stems}
    offsets, related = [0], []
    for number, word in enumerate(words):
        if number in are_stems:
            related += sorted(map(numbers.__getitem__, known & {*synonyms(word)}))
        offsets.append(len(related))
    return offsets, related


class WordNet:
    r"""The words of synsets.

    Parameters
    ----------
    index, exceptions, data : sequences of bytes
        The files of the parts of speech, in the order of `PARTS`. Synsets are found by the number at the start of a
        line of `data`, which need not be its place in the file.

    Raises
    ------
    ValueError
        For a line that lacks something, here or where it is asked for: the message begins with the name of the file.

    Examples
    --------
    >>> index, data = b"auto n 1 0 1 0 00000000\n", b"00000000 03 n 02 car 0 auto 0 000 | of our own\n"
    >>> net = WordNet([index, b"", b"", b""], [b""] * 4, [data, b"", b"", b""])
    >>> net.names("autos"), net.counted()
    (['auto', 'car'], b'auto 1\n')
    """

    def __init__(self, index: Sequence[bytes], exceptions: Sequence[bytes], data: Sequence[bytes]) -> None:
        """Read them."""
        self._index: list[dict[str, list[str]]] = []
        self._exceptions: list[dict[str, list[str]]] = []
        self._data: list[dict[str, bytes]] = []
        for part, lines, forms, synsets in zip(PARTS, index, exceptions, data, strict=True):
            own = (_fields(line) for line in lines.split(b"\n") if line[:1] != b" ")
            self._index.append(dict(_senses(fields, f"index.{part}") for fields in own if fields))
            irregular = map(_fields, forms.split(b"\n"))
            self._exceptions.append({fields[0]: fields[1:] for fields in irregular if fields})
            self._data.append(_by_number(synsets))

    def names(self, word: str) -> list[str]:
        """Return the names of one word in the synsets of a lower-case word, each once, ascending."""
        found: set[str] = set()
        for part in range(len(PARTS)):
            for base in self._bases(word, part):
                for number in self._index[part][base]:
                    found.update(self._words(part, number))
        return sorted(found, key=str.encode)

    def words(
        self, texts: Texts, cut: Callable[[str], list[str]]
    ) -> tuple[bytes, list[int], list[int], list[int], list[int], list[int]]:
        r"""Give words of texts, and their stems, numbers, and find their synonyms.

        Parameters
        ----------
        texts : Texts
        cut : callable str -> list of str
            `plain.treebank.lower_words`. The compiled kernel has these rules itself, and asks for texts with characters
            that it does not know.

        Returns
        -------
        (words, ids, offsets, stems, starts, related)
            The words in order of first appearance, then stems that are no words of the texts, a line each; the words
            of all texts by number, uint32; the offsets of the texts, int64; for each word its stem, uint32, a stem
            being its own; then what `related_words` returns, where each stem is a synonym of its own.

        Examples
        --------
        >>> from .treebank import lower_words
        >>> net = WordNet([b""] * 4, [b""] * 4, [b""] * 4)
        >>> net.words(Texts(["Cats sat.", "a cat"]), lower_words)
        (b'cats\nsat\n.\na\ncat\n', [0, 1, 2, 3, 4], [0, 3, 5], [4, 1, 2, 3, 4], [0, 0, 1, 2, 3, 4], [1, 2, 3, 4])
        """
        numbers: dict[str, int] = {}
        ids: list[int] = []
        offsets = [0]
        for text in texts:
            ids += [numbers.setdefault(word, len(numbers)) for word in cut(text)]
            offsets.append(len(ids))
        stems = [numbers.setdefault(porter(word), len(numbers)) for word in list(numbers)]
        stems += range(len(stems), len(numbers))
        related = related_words([*numbers], stems, lambda word: (word, *self.names(word.lower())))
        return "".join(f"{word}\n" for word in numbers).encode(), ids, offsets, stems, *related

    def counted(self) -> bytes:
        """Return all words of the index with their number of synsets, a line each: by part, then ascending."""
        lines = (f"{word} {len(part[word])}\n" for part in self._index for word in sorted(part, key=str.encode))
        return "".join(lines).encode()

    def _bases(self, form: str, part: int) -> list[str]:
        """Return the base forms of a form that are in the index, as nltk's `morphy` since 3.9: rules apply once."""
        forms = self._exceptions[part].get(form)
        if forms is None:
            endings = _ENDINGS[PARTS[part]]
            forms = [form.removesuffix(old) + new for old, new in endings if form.endswith(old)]
        return [base for base in dict.fromkeys((form, *forms)) if base in self._index[part]]

    def _words(self, part: int, number: str) -> list[str]:
        """Return the names of a synset that are one word."""
        name = f"data.{PARTS[part]}"
        if number not in self._data[part]:
            raise ValueError(f"{name}: no line {number}")
        fields = _fields(self._data[part][number].partition(b" | ")[0])
        n_names = int(fields[3], 16) if len(fields) > 3 and {*fields[3]} <= {*hexdigits} else 0
        names = fields[4 : 4 + 2 * n_names : 2]
        if not 0 < n_names == len(names):
            raise ValueError(f"{name}: line {number} has {len(names)} of {n_names} words")
        # Adjectives may say where they stand: galore(ip).
        return [one.partition("(")[0] if one[-1] == ")" else one for one in names if "_" not in one]


def _by_number(synsets: bytes) -> dict[str, bytes]:
    """Return the lines of synsets by number: of several with one number that at its place, else the last."""
    place = 0
    found: dict[str, bytes] = {}
    at_their_place: dict[str, bytes] = {}
    for line in synsets.split(b"\n"):
        if line[:8].isdigit():
            (at_their_place if int(line[:8]) == place else found)[line[:8].decode()] = line
        place += len(line) + 1
    return found | at_their_place


def _fields(line: bytes) -> list[str]:
    """Return what stands between white space of ASCII."""
    return [field.decode("utf-8", "replace") for field in line.split()]


def _senses(fields: list[str], name: str) -> tuple[str, list[str]]:
    """Return the word of a line, and the numbers of its synsets.

    A line has the lemma, its part of speech, how many synsets it has, ..., their numbers.
    """
    n = int(fields[2]) if len(fields) > 2 and fields[2].isdigit() and fields[2].isascii() else 0
    numbers = fields[-n:]
    if not 0 < n <= len(fields) - 3 or not all(len(one) == 8 and one.isdigit() and one.isascii() for one in numbers):
        raise ValueError(f"{name}: {fields[0]} lacks numbers of synsets")
    return fields[0], numbers
