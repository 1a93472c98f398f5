"""What there is to say of a context, kept as it was decided: most callers never ask for its lineage."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, overload

from brimful.builders.priority.lineage import ContextLineage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from brimful.builders.priority.assembly import Assembled
    from brimful.builders.priority.freshness import Verdict
    from brimful.builders.priority.lineage import FeatureLineage, RetrieverLineage
    from brimful.records.plain_data import Json


class Outcome(NamedTuple):
    """All that the lineage of a context says, and nothing that changes once the context is made."""

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


class Described:
    """A field for a lineage: one that is given as an outcome is worked out when it is first read."""

    __slots__ = ("_name",)

    def __set_name__(self, owner: type, name: str) -> None:
        """Keep the lineage where a plain field would be."""
        self._name = name

    @overload
    def __get__(self, holder: None, owner: type) -> None: ...
    @overload
    def __get__(self, holder: object, owner: type) -> ContextLineage | None: ...
    def __get__(self, holder: object, owner: type) -> ContextLineage | None:
        """Return the lineage; of the class None, which is the default of the field."""
        if holder is None:
            return None
        kept: ContextLineage | Outcome | None = vars(holder)[self._name]
        if isinstance(kept, Outcome):
            kept = vars(holder)[self._name] = kept.describe()
        return kept

    def __set__(self, holder: object, value: ContextLineage | Outcome | None) -> None:
        """Keep a lineage, or what it is to be made from."""
        vars(holder)[self._name] = value
