"""Choosing among candidates: relevant, and unlike each other."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from brimful.config import SelectionOptions
from brimful.kernels import active

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from brimful.config import Encoding, First
    from brimful.kernels.vectors import Rows
    from brimful.types import Selection


def mmr_select(
    query: str | ArrayLike | None,
    candidates: Iterable[str] | ArrayLike,
    *,
    relevance: Sequence[float] | None = None,
    limit: int | None = None,
    budget: int | None = None,
    costs: Sequence[int] | None = None,
    encoding: Encoding | None = None,
    texts: Iterable[str] | None = None,
    mmr_lambda: float = 0.5,
    first: First = "relevance",
) -> Selection:
    """Return the candidates picked by maximal marginal relevance, in order, and their scores when picked.

    Candidates are texts, compared by TF-IDF cosine, or vectors (n, d), compared by cosine; the query is of the same
    kind. `relevance` says what they are worth in place of the query.
    `mmr_lambda`: 1 is relevance alone, 0 diversity alone.
    `limit`: at most so many (None: no limit). `budget`: what all picks together may cost, at most; a candidate that
    costs more than is left is passed over. What candidates cost is said by `costs`, or by `encoding`: then it is the
    exact tokens of their text, counted only when a candidate's turn comes. Vectors need their `texts` for that, and
    `texts` are for nothing else.
    `first`: the most relevant candidate opens the selection ("relevance"),
    or the formula does ("score"). Ties go to the lower index.

    Exact, without the work of scoring everything in every round. O(n d) and the similarities that matter; extra
    memory O(n + k d). (Without the compiled core everything is scored, and memory is O(n d).) Source: Carbonell and
    Goldstein 1998; lazy evaluation as in Minoux 1978. float32 and float64 arrays in C order are read in place, others
    are copied; do not write to the array during the call.

    Raises InputError for a candidate, relevance or cost that cannot be used, with its index, and ConfigError for an
    option out of range and for `texts` without an `encoding`.

    >>> mmr_select([1, 0.2], [[1, 0], [0.9, 0.1], [0.2, 0.9]], limit=2).indices.tolist()
    [1, 2]
    """
    try:
        options = _remembered_options(mmr_lambda, first, limit, budget, encoding)
    except TypeError:  # what has no hash cannot be remembered; as an option it is refused
        options = _read_options(mmr_lambda, first, limit, budget, encoding)
    return active().mmr_select(query, candidates, options, relevance=relevance, costs=costs, texts=texts)


def _read_options(
    mmr_lambda: float, first: First, limit: int | None, budget: int | None, encoding: Encoding | None
) -> SelectionOptions:
    return SelectionOptions(mmr_lambda=mmr_lambda, first=first, limit=limit, budget=budget, encoding=encoding)


# A service selects by the same options again and again: to check them anew takes a tenth of a selection among 50.
_remembered_options = lru_cache(maxsize=64, typed=True)(_read_options)


def select_until_full(
    candidates: list[str] | Rows,
    relevance: Sequence[float],
    *,
    costs: Sequence[int],
    budget: int,
    mmr_lambda: float,
    query: str | None = None,
) -> Picks:
    """Return what `mmr_select` picks by the formula from the start, until the budget is used up to the last token.

    After that nothing is picked, not even what costs nothing; nor anything of a budget of 0 or below. `query`: a text
    that words are weighed by as well, where candidates are texts; it is never picked.

    >>> select_until_full(["a b", "a b", "c"], [0.9, 0.8, 0.1], costs=[2, 2, 1], budget=3, mmr_lambda=0.5).indices
    (0, 2)
    """
    if budget <= 0 or not len(candidates):
        return Picks((), ())
    room = min(budget, sum(costs) + 1)  # the 1 keeps a budget for everything from being used up
    ahead = 0
    if query is not None and isinstance(candidates, list):
        ahead, candidates = 1, [query, *candidates]
        relevance, costs = [min(relevance), *relevance], [room + 1, *costs]
    found = mmr_select(
        None, candidates, relevance=relevance, costs=costs, budget=room, mmr_lambda=mmr_lambda, first="score"
    )
    return _until_full(found, costs, room, ahead)


class Picks(NamedTuple):
    """The indices picked, in order, and their scores when picked."""

    indices: tuple[int, ...]
    scores: tuple[float, ...]


def _until_full(found: Selection, costs: Sequence[int], room: int, ahead: int) -> Picks:
    """Leave out what was picked for costing nothing once there was no room; `ahead` stand before the candidates."""
    indices: list[int] = found.indices.tolist()
    picked = 0
    while picked < len(indices) and room > 0:
        room -= costs[indices[picked]]
        picked += 1
    return Picks(tuple(index - ahead for index in indices[:picked]), tuple(found.scores.tolist()[:picked]))
