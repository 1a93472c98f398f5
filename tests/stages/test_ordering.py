"""Reading orders are permutations, and the edges hold the best."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from brimful.stages.ordering import arrange, edges_first


@given(ranked=st.lists(st.integers(), unique=True))
def test_edges_first_is_a_permutation(ranked: list[int]) -> None:
    assert sorted(ranked) == sorted(edges_first(ranked))


@given(count=st.integers(0, 30))
def test_ranks_grow_from_either_edge_to_the_middle(count: int) -> None:
    ordered = edges_first(range(count))
    middle = (count + 1) // 2

    assert ordered[:middle] == sorted(ordered[:middle])
    assert ordered[middle:] == sorted(ordered[middle:], reverse=True)


def test_one_two_and_three_items() -> None:
    assert [edges_first(range(count)) for count in range(4)] == [[], [0], [0, 1], [0, 2, 1]]


def test_orders_by_name() -> None:
    ranked = [7, 3, 9, 1]

    assert arrange(ranked, "edges") == [7, 9, 1, 3]
    assert arrange(ranked, "score") == ranked
    assert arrange(ranked, "input") == [1, 3, 7, 9]
