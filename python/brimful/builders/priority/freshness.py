"""Whether data is as young as was asked for: one verdict, from the times of the data and the present."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from brimful.errors import FreshnessError
from brimful.stages.instants import MILLISECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from brimful.builders.priority.lineage import FeatureLineage

Status = Literal["guaranteed", "degraded"]
Dated: TypeAlias = "tuple[str, datetime]"
"""A source of an item and the time that the item is of."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The greatest ages in milliseconds: of features (`sla_ms`) and of items; None or 0 is no limit.

    `strict` makes a feature above its limit an error.
    """

    sla_ms: int | None = None
    max_staleness_ms: int | None = None
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is too old. `stalest_ms` is the age of the oldest feature, `notes` name what is of a time yet to come."""

    violations: tuple[dict[str, Any], ...] = ()
    stale_sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    stalest_ms: int = 0

    @property
    def status(self) -> Status:
        """`"degraded"` where a feature or an item is too old."""
        return "degraded" if self.violations or self.stale_sources else "guaranteed"


FRESH = Verdict()


def judge(features: Sequence[FeatureLineage], items: Sequence[Dated], limits: Limits, *, now: datetime) -> Verdict:
    """Return what is older than its limit at `now`; of exactly its age is fresh.

    A feature whose time nobody knows violates its limit (D16), with an age of None. What is of a time yet to come is
    fresh, and noted. Linear.
    """
    if not features and not items:
        return FRESH
    ages = [age_ms(feature.timestamp, now) for feature in features]
    violations = tuple(_find_violations(features, ages, limits.sla_ms))
    stale = [source for source, moment in items if _is_over(age_ms(moment, now), limits.max_staleness_ms)]
    names = [*stale, *(str(violation["feature"]) for violation in violations)]
    known = [(feature.feature_name, age) for feature, age in zip(features, ages, strict=True) if age is not None]
    dated = [*known, *((source, (now - moment) // MILLISECOND) for source, moment in items)]
    notes = dict.fromkeys(f"{name} is of a time {-age} ms from now" for name, age in dated if age < 0)
    stalest = max((age for _, age in known), default=0)
    return Verdict(violations, tuple(dict.fromkeys(names)), tuple(notes), stalest)


def age_ms(moment: datetime | None, now: datetime) -> int | None:
    """Return an age in whole milliseconds, below 0 for a time yet to come; None where the time is not known."""
    return None if moment is None else (now - moment) // MILLISECOND


def refuse_stale(verdict: Verdict, limits: Limits) -> None:
    """Raise FreshnessError for features above a strict limit; it lists them all."""
    if not limits.strict or not verdict.violations:
        return
    listed = ", ".join(_describe(violation) for violation in verdict.violations)
    message = f"Freshness SLA breached for {len(verdict.violations)} feature(s): {listed}"
    raise FreshnessError(message, violations=verdict.violations)


def _find_violations(
    features: Sequence[FeatureLineage], ages: Sequence[int | None], sla_ms: int | None
) -> Iterable[dict[str, Any]]:
    if not sla_ms:
        return
    for feature, age in zip(features, ages, strict=True):
        if age is None or age > sla_ms:
            yield {"feature": feature.feature_name, "age_ms": age, "sla_ms": sla_ms}


def _is_over(age: int | None, limit: int | None) -> bool:
    return bool(limit) and age is not None and limit is not None and age > limit


def _describe(violation: dict[str, Any]) -> str:
    age = "age unknown" if violation["age_ms"] is None else f"{violation['age_ms']}ms"
    return f"{violation['feature']} ({age} > {violation['sla_ms']}ms)"
