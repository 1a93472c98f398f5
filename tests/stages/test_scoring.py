"""Ranking: by score, ties and the unscored by input."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from brimful.stages.scoring import rank

scores = st.lists(st.one_of(st.none(), st.sampled_from([0.0, -0.0, 0.5, 1.0]), st.floats(allow_nan=False)), max_size=12)


@given(scores=scores)
def test_higher_scores_come_first_and_ties_keep_the_input_order(scores: list[float | None]) -> None:
    ranked = rank(scores)

    assert sorted(ranked) == list(range(len(scores)))
    for earlier, later in itertools.pairwise(ranked):
        first, second = scores[earlier], scores[later]
        assert second is None or (first is not None and first >= second)
        assert first != second or earlier < later
