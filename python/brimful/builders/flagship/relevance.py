"""How relevant the documents are: by their scores, by embeddings, by their words, or by what there is of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimful.kernels import active
from brimful.stages.scoring import composite, min_max, text_relevance
from brimful.stages.similarity import cosines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brimful.builders.flagship.front_door import Request
    from brimful.config import SelectionOptions


def relevance_of(request: Request) -> list[float | None]:
    """Return the relevance of each document.

    Where any has a score, the scores as they are, None where one is missing. Else, with a query, BM25 and cosine by
    `min_max`, half each, or the one that there is. Else nothing is known.
    """
    scores: list[float | None] = [document.score for document in request.documents]
    if any(score is not None for score in scores):
        return scores
    found = [kind for kind in (_by_words(request), _by_embeddings(request)) if kind is not None]
    if not found:
        return scores
    return [*(found[0] if len(found) == 1 else composite(found[0], found[1], 0.5))]


def preference(
    request: Request,
    line: Sequence[int],
    *,
    relevance: Sequence[float | None],
    costs: Sequence[int],
    options: SelectionOptions,
) -> Callable[[Sequence[int]], Sequence[int]]:
    """Return how places of the line are put in order: the selection by MMR first, then the others as they stand.

    Texts are compared by TF-IDF cosine, or by the embeddings where there are some. The selection ends where the room
    does; the others are offered what it left. Documents of unknown relevance come last, as they stand.
    """

    def prefer(places: Sequence[int]) -> Sequence[int]:
        known = [place for place in places if relevance[line[place]] is not None]
        items = [line[place] for place in known]
        found = active().mmr_select(
            None,
            request.texts(items) if request.embeddings is None else request.embeddings[items],
            options,
            relevance=min_max([value for item in items if (value := relevance[item]) is not None]),
            costs=[costs[place] for place in known],
        )
        chosen = dict.fromkeys(known[index] for index in found.indices.tolist())
        return [*chosen, *(place for place in places if place not in chosen)]

    return prefer if options.mmr_lambda < 1 else list


def _by_words(request: Request) -> list[float] | None:
    if request.query is None or not request.documents:
        return None
    return text_relevance(request.query, request.texts(range(len(request.documents))))


def _by_embeddings(request: Request) -> list[float] | None:
    if request.query_embedding is None or request.embeddings is None or not request.documents:
        return None
    return min_max(cosines(request.query_embedding, request.embeddings))
