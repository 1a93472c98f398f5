"""What becomes of a part that fails: one error of ours, raised or noted."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from brimful.config import show
from brimful.errors import EmbeddingError, InputError, RetrievalError, StoreError
from brimful.kernels.vectors import as_rows
from brimful.stores.fields import read_vector

if TYPE_CHECKING:
    from collections.abc import Callable

    from brimful.builders.memory.steps import Plan, Step
    from brimful.errors import BrimfulError
    from brimful.stores.fields import Vector

OnError = Literal["raise", "degrade"]
Part = Literal["retriever", "embedder", "store"]

_KINDS: Final[dict[Part, Callable[[str], BrimfulError]]] = {
    "retriever": RetrievalError,
    "embedder": EmbeddingError,
    "store": partial(StoreError, kind="failed"),
}


@dataclass(slots=True)
class Failures:
    """Raises what fails, or notes it and goes on without."""

    on_error: OnError
    notes: list[str] = field(default_factory=list)

    def meet(self, part: Part, error: Exception) -> None:
        """Raise an error of a part as one of ours, with it as the cause, or note it."""
        failure: Exception = error
        if not isinstance(error, (EmbeddingError, RetrievalError, StoreError)):
            failure = _KINDS[part](f"{part} failed: {type(error).__name__}: {error}")
            failure.__cause__ = error
        if self.on_error == "raise":
            raise failure
        self.notes.append(str(failure))

    def refuse(self, part: Part, message: str, cause: Exception | None = None) -> None:
        """Raise or note that a part gave what cannot be used."""
        failure = _KINDS[part](message)
        failure.__cause__ = cause
        self.meet(part, failure)

    def attempt(self, part: Part, step: Step) -> Plan[Any]:
        """Take a step; None where it fails and that is no reason to stop."""
        try:
            return (yield step)
        except Exception as error:  # noqa: BLE001 - it may be anybody's
            self.meet(part, error)
        return None

    def embed(self, step: Step) -> Plan[Vector | None]:
        """Take the step of embedding one text."""
        try:
            return read_embedding((yield step))
        except Exception as error:  # noqa: BLE001 - it may be anybody's
            self.meet("embedder", error)
        return None


def read_embedding(found: Any) -> Vector:  # noqa: ANN401 - whatever an embedder gives
    """Return the one row that an embedder gives for one text.

    Raises EmbeddingError for another shape and for what is not finite.
    """
    try:
        rows = as_rows(found, name="what the embedder gives")
        if len(rows) != 1:
            message = f"embedder must give one row a text, 1, got {len(rows):,}"
            raise EmbeddingError(message)
        return read_vector("what the embedder gives", rows[0])
    except InputError as error:
        message = f"embedder gave what cannot be used, {show(found)}: {error}"
        raise EmbeddingError(message) from error
