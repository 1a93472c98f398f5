"""What there is to say of a context, kept as it was decided: most callers ask for little of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar, cast, overload

from brimful.builders.priority.lineage import ContextLineage
from brimful.records.canonical import content_hash
from brimful.stages.fork_locks import new_lock
from brimful.stores.moments import write_moment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from brimful.builders.priority.assembly import Assembled
    from brimful.builders.priority.freshness import Verdict
    from brimful.builders.priority.lineage import FeatureLineage, RetrieverLineage
    from brimful.records.plain_data import Json

Value = TypeVar("Value")

_lock: Final = new_lock()
"""Of two threads that read a field first, both get the value of one: what the caller notes in it is not lost."""


class Outcome(NamedTuple):
    """All that `meta` and the lineage of a context say, and nothing that changes once the context is made."""

    context_id: str
    moment: datetime
    name: str
    inputs: Mapping[str, Json]
    features: tuple[FeatureLineage, ...]
    retrievers: tuple[RetrieverLineage, ...]
    assembled: Assembled
    verdict: Verdict
    max_tokens: int | None
    cost_usd: float
    sources: Sequence[str]
    caching: str
    as_of: datetime | None
    sla_ms: int | None
    evidence: str

    def summarise(self) -> dict[str, Any]:
        """Return `meta`, as it is before evidence is stored."""
        assembled = self.assembled
        return {
            "timestamp": write_moment(self.moment),
            "name": self.name,
            "status": "assembled",
            "dropped_items": assembled.fates.lost,
            "source_ids": list(self.sources),
            "budget_exceeded": assembled.budget_exceeded,
            "token_usage": assembled.token_usage,
            "max_tokens": self.max_tokens,
            "approximate": assembled.approximate,
            "cost_usd": self.cost_usd,
            "freshness_sla_ms": self.sla_ms,
            "is_cached_response": False,
            "cache": self.caching,
            "as_of": None if self.as_of is None else write_moment(self.as_of),
            "evidence_mode": self.evidence,
            "evidence_persisted": False,
            "evidence_error": None,
            "content_hash": content_hash(assembled.content),
            "record_hash": None,
            **freshness_meta(self.verdict),
        }

    def describe(self) -> ContextLineage:
        """Return the lineage. Linear in the items."""
        assembled, verdict = self.assembled, self.verdict
        decisions, dropped = assembled.decide()
        return ContextLineage(
            context_id=self.context_id,
            timestamp=self.moment,
            context_name=self.name,
            context_args=self.inputs,
            features_used=self.features,
            retrievers_used=self.retrievers,
            items_provided=len(decisions),
            items_included=len(decisions) - len(dropped),
            items_dropped=len(dropped),
            dropped_items_detail=dropped,
            items=decisions,
            freshness_status=verdict.status,
            freshness_violations=verdict.violations,
            stalest_feature_ms=verdict.stalest_ms,
            token_usage=assembled.token_usage,
            max_tokens=self.max_tokens,
            estimated_cost_usd=self.cost_usd,
        )


def freshness_meta(verdict: Verdict) -> dict[str, Any]:
    """Return what `meta` says of freshness; the lists are its own."""
    return {
        "freshness_status": verdict.status,
        "freshness_violations": [dict(violation) for violation in verdict.violations],
        "stale_sources": list(verdict.stale_sources),
        "freshness_notes": list(verdict.notes),
    }


class Described(Generic[Value]):
    """A field that is worked out when it is first read, where an outcome is given; None stands for what is absent."""

    __slots__ = ("_absent", "_describe", "_name")

    def __init__(self, describe: Callable[[Outcome], Value], absent: Callable[[], Value]) -> None:
        self._describe, self._absent = describe, absent

    def __set_name__(self, owner: type, name: str) -> None:
        """Keep the value where a plain field would be."""
        self._name = name

    @overload
    def __get__(self, holder: None, owner: type) -> None: ...
    @overload
    def __get__(self, holder: object, owner: type) -> Value: ...
    def __get__(self, holder: object, owner: type) -> Value | None:
        """Return the value; of the class None, which is the default of the field."""
        if holder is None:
            return None
        kept: Value | Outcome = vars(holder)[self._name]
        return self._work_out(vars(holder), kept) if isinstance(kept, Outcome) else kept

    def __set__(self, holder: object, value: Value | Outcome | None) -> None:
        """Keep a value, or what it is to be made from."""
        given = self._absent() if value is None else value
        if self._name in vars(holder):
            with _lock:
                vars(holder)[self._name] = given
        else:
            vars(holder)[self._name] = given  # nobody else has the holder yet

    def _work_out(self, fields: dict[str, Any], outcome: Outcome) -> Value:
        made = self._describe(outcome)
        with _lock:
            if fields[self._name] is outcome:
                fields[self._name] = made
            return cast("Value", fields[self._name])
