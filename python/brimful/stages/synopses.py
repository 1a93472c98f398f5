"""Texts in a sentence: the one of each that is nearest to a query."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from brimful.config import show
from brimful.errors import InputError
from brimful.kernels import active
from brimful.kernels.texts import sound_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def summarize(query: str, texts: Sequence[str]) -> list[str]:
    """Return the sentence of each text that is nearest to the query by TF-IDF, ties to the first.

    All sentences of all texts are weighed together, in one batch. A text without a visible word gives "". Linear.

    >>> summarize("Who is wet?", ["Fire is hot. Water is wet.", "Neither."])
    ['Water is wet.', 'Neither.']
    """
    sentences = split_sentences(texts)
    scores = iter(active().tfidf_scores(query, [one for parts in sentences for one in parts]).tolist())
    scored = [[(next(scores), one) for one in parts] for parts in sentences]
    return [max(parts, key=lambda pair: pair[0])[1] if parts else "" for parts in scored]


def split_sentences(texts: Sequence[str]) -> list[list[str]]:
    """Return the sentences of each text without the white space around them. Linear.

    >>> split_sentences(["It is wet.  Is it?", " "])
    [['It is wet.', 'Is it?'], []]
    """
    sound = sound_texts(list(texts))
    counts, ends = active().sentence_ends(sound)
    places = iter(ends.tolist())
    bounds = [[0, *(next(places) for _ in range(count))] for count in counts.tolist()]
    parts = (
        [text[start:end].strip() for start, end in pairwise(cuts)] for text, cuts in zip(sound, bounds, strict=True)
    )
    return [[sentence for sentence in sentences if sentence] for sentences in parts]


def summarize_with(summarizer: Callable[[str, str], str], query: str, texts: dict[str, str]) -> list[str]:
    """Return what a function makes of each text and the query; the keys are the places of the texts.

    Raises InputError with the place where it fails or gives no `str`.

    >>> summarize_with(lambda text, query: text[:5], "", {"documents[0]": "Water is wet."})
    ['Water']
    """
    return [_ask(summarizer, query, place, text) for place, text in texts.items()]


def _ask(summarizer: Callable[[str, str], str], query: str, place: str, text: str) -> str:
    try:
        answer: object = summarizer(text, query)
    except Exception as error:
        message = f"summarizer {show(summarizer)} failed for {place}: {show(error)}"
        raise InputError(message) from error
    if isinstance(answer, str):
        return answer
    message = f"summarizer {show(summarizer)} must give a str, got {show(answer)} for {place}"
    raise InputError(message)
