"""The checks and conversions around a back end: what both accept, refuse and return, decided once."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast, get_args

import numpy as np

from brimful.config import AdditiveRule, Encoding, EstimateRule, NearDuplicateOptions, check_choice, check_flag
from brimful.kernels.candidates import read_budgets, read_candidates, read_scores
from brimful.kernels.columns import floats, freeze, integers, listed
from brimful.kernels.texts import check_text, check_texts, repair_surrogates, sound_texts
from brimful.types import NearDuplicates, Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    from numpy.typing import ArrayLike, NDArray

    from brimful.config import SelectionOptions, TruncationOptions
    from brimful.kernels.candidates import Candidates
    from brimful.kernels.contract import Buffer, Kernels
    from brimful.kernels.vectors import Row, Rows

    Integers: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]

_ENCODINGS: Final = get_args(Encoding)


@dataclass(frozen=True, slots=True)
class CheckedKernels:
    """A back end behind its checks: arguments validated, surrogates repaired, buffers given as arrays.

    The methods are those of `contract.Kernels`, whose docstrings specify them. Arrays are read-only.
    """

    name: str
    raw: Kernels

    def count_tokens(self, texts: Iterable[str], *, encoding: Encoding) -> Integers:
        """Count the exact tokens of each text, int64, in `encoding`."""
        return integers(self._count(texts, encoding))

    def list_counts(self, texts: Iterable[str], *, encoding: Encoding) -> list[int]:
        """Count the exact tokens of each text, as a list."""
        return listed(self._count(texts, encoding))

    def _count(self, texts: Iterable[str], encoding: Encoding) -> Buffer:
        check_choice("encoding", encoding, _ENCODINGS)
        given = check_texts(texts)
        try:
            return self.raw.count_tokens(given, encoding=encoding)
        except UnicodeEncodeError:  # to look for surrogates before would be a tenth of counting new Japanese
            return self.raw.count_tokens(sound_texts(given), encoding=encoding)

    def estimate_tokens(self, texts: Iterable[str], *, rule: EstimateRule = "script") -> Integers:
        """Estimate the tokens of each text, int64, by `rule`."""
        check_choice("rule", rule, get_args(EstimateRule))
        return integers(self.raw.estimate_tokens(sound_texts(check_texts(texts)), rule=rule))

    def weigh_tokens(self, texts: Iterable[str], *, rule: AdditiveRule) -> Integers:
        """Weigh each text, int64, in 1/1024 token."""
        check_choice("rule", rule, get_args(AdditiveRule))
        return integers(self.raw.weigh_tokens(sound_texts(check_texts(texts)), rule=rule))

    def near_duplicates(
        self, texts: Iterable[str], options: NearDuplicateOptions, scores: ArrayLike | None = None
    ) -> NearDuplicates:
        """Find, for each text, the first kept one that it repeats, and how similar they are: best score first."""
        given = check_texts(texts)
        sound = sound_texts(given)
        repaired = [] if sound is given else [index for index, text in enumerate(sound) if text is not given[index]]
        duplicate_of, similarity = self._judge(sound, options, scores)
        return NearDuplicates(
            kept=freeze(np.flatnonzero(duplicate_of < 0)),
            duplicate_of=duplicate_of,
            similarity=similarity,
            repaired=freeze(np.array(repaired, dtype=np.int64)),
        )

    def _judge(
        self, texts: list[str], options: NearDuplicateOptions, scores: ArrayLike | None
    ) -> tuple[Integers, Floats]:
        if scores is None:
            origins, similarities = self.raw.near_duplicates(texts, **_keywords(options))
            return integers(origins), floats(similarities)
        line = np.argsort(-read_scores("scores", scores, len(texts)), kind="stable")
        columns = self.raw.near_duplicates([texts[index] for index in line.tolist()], **_keywords(options))
        origins, similarities = integers(columns[0]), floats(columns[1])
        duplicate_of, similarity = np.empty(len(texts), np.int64), np.empty(len(texts), np.float64)
        duplicate_of[line] = np.where(origins < 0, -1, line[origins])
        similarity[line] = similarities
        return freeze(duplicate_of), freeze(similarity)

    def tfidf_scores(self, query: str, texts: Iterable[str], *, include_query: bool = True) -> Floats:
        """Score each text by its TF-IDF cosine with the query."""
        check_flag("include_query", include_query)
        asked, sound = _read_query(query), sound_texts(check_texts(texts))
        return floats(self.raw.tfidf_scores(asked, sound, include_query=include_query))

    def bm25_scores(self, query: str, texts: Iterable[str]) -> Floats:
        """Score each text by BM25."""
        return floats(self.raw.bm25_scores(_read_query(query), sound_texts(check_texts(texts))))

    def mmr_select(
        self,
        query: str | ArrayLike | None,
        candidates: Iterable[str] | ArrayLike,
        options: SelectionOptions,
        *,
        relevance: Sequence[float] | None = None,
        costs: Sequence[int] | None = None,
        texts: Iterable[str] | None = None,
    ) -> Selection:
        """Select texts or vectors by maximal marginal relevance."""
        given = read_candidates(query, candidates, relevance, costs, texts=texts, options=options)
        select = self._select_texts if isinstance(given.items, list) else self._select_rows
        indices, scores = select(given, options)
        return Selection(indices=integers(indices), scores=floats(scores))

    def _select_texts(self, given: Candidates, options: SelectionOptions) -> tuple[Buffer, Buffer]:
        return self.raw.mmr_select_text(
            cast("str | None", given.query),
            sound_texts(cast("list[str]", given.items)),
            relevance=given.relevance,
            mmr_lambda=options.mmr_lambda,
            first=options.first,
            limit=options.limit,
            costs=given.costs,
            encoding=options.encoding,
            budget=options.budget,
        )

    def _select_rows(self, given: Candidates, options: SelectionOptions) -> tuple[Buffer, Buffer]:
        return self.raw.mmr_select_dense(
            cast("Row | None", given.query),
            cast("Rows", given.items),
            relevance=given.relevance,
            mmr_lambda=options.mmr_lambda,
            first=options.first,
            limit=options.limit,
            costs=given.costs,
            texts=given.texts,
            encoding=options.encoding,
            budget=options.budget,
        )

    def truncate(self, texts: Iterable[str], budgets: Sequence[int], options: TruncationOptions) -> Truncated:
        """Cut each text to its budget."""
        sound = sound_texts(check_texts(texts))
        read = read_budgets(budgets, len(sound))
        chosen = {**asdict(options), "marker": repair_surrogates(options.marker)}
        head, tail, marked, tokens = self.raw.truncate(sound, read, **chosen)
        return Truncated(integers(head), integers(tail), integers(marked), integers(tokens))

    def sentence_ends(self, texts: Iterable[str]) -> tuple[Integers, Integers]:
        """Count the sentences of each text and find the end of each, int64."""
        counts, ends = self.raw.sentence_ends(sound_texts(check_texts(texts)))
        return integers(counts), integers(ends)

    def inspect_text(self, text: str) -> tuple[bytes, str, str, bytes]:
        """Report classes, lower case, NFC and grapheme starts of one text."""
        [sound] = sound_texts(check_texts([text]))
        return self.raw.inspect_text(sound)


# Remembered: it takes a fortieth of a call for 100 texts.
_keywords = lru_cache(maxsize=64)(cast("Callable[[NearDuplicateOptions], dict[str, Any]]", asdict))


class Truncated(NamedTuple):
    """What is kept of n texts, int64 columns: `text[:head] + (marker if marked else "") + text[tail:]`."""

    head: Integers
    tail: Integers
    marked: Integers
    tokens: Integers


def _read_query(query: str) -> str:
    return repair_surrogates(check_text(query, name="query"))
