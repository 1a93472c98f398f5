"""Records for tests: whole ones, and strategies that make others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from brimful.records import ContextRecord, SigningKey, content_hash, new_record

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

KEY: Final = SigningKey(b"secret", "2026")
NOON: Final = "2026-01-01T12:00:00Z"


def make_record(number: int = 1, **changes: Any) -> ContextRecord:
    """A record with something in every part of it."""
    content = f"Your tier is gold.\nline {number}"
    given: dict[str, Any] = {
        "context_id": f"ctx_{number}",
        "created_at": f"2026-01-01T12:{number // 60 % 60:02}:{number % 60:02}Z",
        "environment": "development",
        "inputs": {"user": "Ada", "number": number},
        "context_function": "chat",
        "content": content,
        "token_count": 8,
        "features": [
            {
                "name": "tier",
                "entity_id": "u1",
                "value": "gold",
                "source": "cache",
                "as_of": NOON,
                "freshness_ms": 250,
            }
        ],
        "retrieved_items": [
            {
                "retriever": "faq",
                "chunk_id": "c1",
                "document_id": "d1",
                "content_hash": content_hash("Refunds take a week."),
                "similarity_score": 0.75,
            }
        ],
        "assembly": {
            "max_tokens": 10,
            "tokens_used": 8,
            "items_provided": 2,
            "items_included": 1,
            "dropped_items": [
                {"source_id": "item_1", "priority": 3, "token_count": 50, "reason": "budget_exceeded"},
            ],
            "freshness_status": "guaranteed",
        },
        "lineage": {"features_used": ["tier"], "retrievers_used": ["faq"], "fabra_version": "brimful-test"},
        "items": [item("tier", 0, "included", "required", content, required=True), item(None, 3, "dropped", "x", "y")],
    }
    return new_record(**{**given, **changes})


def item(
    source_id: str | None, priority: int, fate: str, reason: str, content: str, *, required: bool = False
) -> dict[str, Any]:
    """An item of a record as a mapping."""
    return {
        "source_id": source_id,
        "priority": priority,
        "required": required,
        "token_count": 5,
        "fate": fate,
        "reason": reason,
        "content_hash": content_hash(content),
    }


moments = st.datetimes().map(lambda moment: moment.replace(fold=0))  # ISO 8601 does not say which of two hours
leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), moments)
arguments: SearchStrategy[Any] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(st.text(max_size=3), st.sampled_from(["$float", "$sha256", "$"])), inner, max_size=3),
    ),
    max_leaves=8,
)
records: SearchStrategy[ContextRecord] = st.builds(
    make_record,
    st.integers(0, 3_000),
    inputs=st.dictionaries(st.text(max_size=4), arguments, max_size=4),
    content=st.text(max_size=40),
    token_count=st.integers(0, 2**40),
    environment=st.text(max_size=5),
    items=st.sampled_from([None, (), [item("a", 1, "truncated", "cut", "a")]]),
    previous_context_id=st.sampled_from([None, "ctx_0"]),
)
