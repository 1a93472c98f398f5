"""`Context`: what a context function gives its caller, with everything that was decided on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import NoneType
from typing import TYPE_CHECKING, Any

from brimful.builders.priority.evidence import make_record
from brimful.builders.priority.outcome import Described, Outcome
from brimful.builders.qualified import Qualified
from brimful.records import hide
from brimful.render.notebook import Card, render_card

if TYPE_CHECKING:
    from brimful.builders.priority.lineage import ContextLineage
    from brimful.records import ContextRecord


@dataclass(repr=False)
class Context(Qualified):
    """The text for the model, and how it came to be.

    `meta` has counts, freshness and hashes by name, `lineage` what the text was made from and what became of each item:
    both are worked out when they are first read. `version` is that of the context function.

    >>> Context("ctx_1", "Hello.", {"freshness_status": "guaranteed"}).is_fresh
    True
    """

    id: str
    content: str
    meta: Described[dict[str, Any]] = Described(Outcome.summarise, dict)  # noqa: RUF009 - a descriptor, made once
    lineage: Described[ContextLineage | None] = Described(Outcome.describe, NoneType)  # noqa: RUF009 - a descriptor, made once
    version: str = "v1"
    given: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)
    """The texts of the items that were given, dropped ones included."""
    recorded: ContextLineage | None = field(default=None, kw_only=True, compare=False, repr=False)
    """The lineage that its record has, where its freshness was judged again since."""
    environment: str = field(default="development", kw_only=True, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields for a copy or a pickle, worked out."""
        return vars(self) | {"meta": self.meta, "lineage": self.lineage}

    @property
    def is_fresh(self) -> bool:
        """Whether all that the context was made from is as young as was asked for."""
        return bool(self.meta.get("freshness_status") == "guaranteed")

    def to_record(self, *, include_content: bool = True) -> ContextRecord:
        """Return the record of this context, unsigned; without content, inputs and values are hashes as well.

        Raises InputError for a context without lineage.
        """
        record = make_record(self)
        return record if include_content else hide(record)

    def _repr_html_(self) -> str:
        return render_card(
            Card(
                context_id=self.id,
                name=str(self.meta.get("name", "")),
                version=self.version,
                content=self.content,
                token_usage=self.meta.get("token_usage", 0),
                max_tokens=self.meta.get("max_tokens"),
                is_fresh=self.is_fresh,
                dropped=self.meta.get("dropped_items", 0),
                cost_usd=self.meta.get("cost_usd"),
                approximate=bool(self.meta.get("approximate")),
            )
        )
