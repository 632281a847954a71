"""The rules by which answers about images are compared: how the scripts of VQA and of MMF rewrite a text.

vqa       Antol et al. (2015), VQA: Visual Question Answering: `vqaEval.py`
textvqa   Singh et al. (2019), Towards VQA Models That Can Read: MMF's `EvalAIAnswerProcessor`
"""

from __future__ import annotations

import re
from itertools import combinations

_SIGNS = ';/[]"{}()=+\\_-><@`,?!'
_SIGN = re.compile(f"[{re.escape(_SIGNS)}]")
_THOUSANDS = re.compile(r"\d,\d")
_FULL_STOP = re.compile(r"\.(?!\d)")
# The script hands a flag to `re.sub` in the place of `count`.
_MOST_FULL_STOPS = int(re.UNICODE)
_NUMBERS = "zero one two three four five six seven eight nine ten"
_ARTICLES = ("a", "an", "the")
# Words that are also written without one or more of their apostrophes.
_WORDS = """
    ain't aren't can't could've couldn't couldn't've didn't doesn't don't hadn't hadn't've hasn't haven't he'd he'd've
    he's how'd how'll how's isn't it'd it'd've it'll ma'am might've mightn't mightn't've mustn't must've needn't not've
    o'clock oughtn't shan't she'd've should've shouldn't shouldn't've somebody'd've somebody'll somebody's someone'd
    someone'd've someone'll someone's something'd something'd've something'll that's there'd there'd've there're
    there's they'd they'd've they'll they're they've 'twas wasn't we'd've we've weren't what'll what're what's what've
    when's where'd where's where've who'd who'd've who'll who's who've why'll why're why's won't would've wouldn't
    wouldn't've y'all y'all'll y'all'd've you'd you'd've you'll you're you've
"""
# What the table of the scripts lacks, and its oddities.
_UNKNOWN = """
    couldntve hadntve hedve itdve mightntve shedve shouldntve somebodydve someonedve somethingdve theredve theydve wedve
    whodve wouldntve yall'dve yalldve yalld've y'alldve yallll youdve
"""
_ODD = {
    "ow's'at": "'ow's'at", "'ows'at": "'ow's'at", "'ow'sat": "'ow's'at", "somebody'd": "somebodyd",
    "yall'd've": "y'all'd've", "y'alld've": "y'all'd've", "y'all'dve": "y'all'd've",
}  # fmt: skip


def _shortened(word: str) -> list[str]:
    """Return a word without one or more of its apostrophes, in every way."""
    places = [i for i, character in enumerate(word) if character == "'"]
    dropped = (one for n in range(1, len(places) + 1) for one in combinations(places, n))
    return ["".join(character for i, character in enumerate(word) if i not in out) for out in dropped]


def _table() -> dict[str, str]:
    contractions = {
        short: word for word in _WORDS.split() for short in _shortened(word) if short not in _UNKNOWN.split()
    }
    numbers = {word: str(n) for n, word in enumerate(_NUMBERS.split())}
    return {**dict.fromkeys(_ARTICLES, ""), **contractions, **_ODD, **numbers, "none": "0"}


_OF_WORD = _table()


def tidied(text: str) -> str:
    r"""Return a text without white space at its ends, its newlines and tabs as spaces: what is always done.

    Examples
    --------
    >>> tidied(" a\tcat\n")
    'a cat'
    """
    return text.replace("\n", " ").replace("\t", " ").strip()


def rewritten(text: str) -> str:
    """Return a tidied text without signs, full stops and articles, with digits for number words, in lower case.

    Signs go where one of their kind touches a space, or a number has a comma; else they become spaces.

    Examples
    --------
    >>> rewritten("The red-brown dogs, isnt it?"), rewritten("red- brown"), rewritten("$1,000.50"), rewritten("Two.")
    ("red brown dogs isn't it", 'red brown', '$1000.50', '2')
    """
    if signs := {*_SIGN.findall(text)}:
        are_dropped = _THOUSANDS.search(text) is not None
        put = {ord(sign): "" if are_dropped or sign + " " in text or " " + sign in text else " " for sign in signs}
        text = text.translate(put)
    if "." in text:
        text = _FULL_STOP.sub("", text, count=_MOST_FULL_STOPS)
    known = _OF_WORD.get
    return " ".join(filter(None, [known(word, word) for word in text.lower().split()]))


def prepared_for_textvqa(text: str) -> str:
    """Return a text as MMF changes it before it is rewritten: no commas and question marks, "'s" cut off.

    Examples
    --------
    >>> prepared_for_textvqa("Joe's, 1,000?")
    "joe 's 1000"
    """
    return tidied(text.lower().replace(",", "").replace("?", "").replace("'s", " 's"))
