"""Everything that Brimful raises.

    BrimfulError
    |- ConfigError(ValueError)      a wrong option, at construction
    |- InputError(ValueError)       a wrong document, text or score; names the index
    |- BudgetError                  required parts do not fit; `.needed` and `.available` in tokens
    |- FreshnessError               data is older than a strict limit allows; `.violations` says which
    |- RetrievalError               a retriever that was supplied failed, or gave what cannot be used
    |- EmbeddingError               the same of an embedder
    |- StoreError                   a store failed; `.kind` says whether it is locked, read-only, full, corrupted
    |- BackendError(ImportError)    the asked-for back end cannot be loaded
    `- KernelError(RuntimeError)    a bug of ours; asks for a report

The compiled core raises these very classes: it imports them from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class BrimfulError(Exception):
    """The root of the tree: catch it to catch all of ours."""


class ConfigError(BrimfulError, ValueError):
    """An option has a value that it cannot have; nothing was done."""


class InputError(BrimfulError, ValueError):
    """A text, document or score cannot be used; the message names the argument, the index and the value."""


class BudgetError(BrimfulError):
    """What must be in the context does not fit.

    `needed` and `available` are tokens.
    """

    def __init__(self, message: str, *, needed: int, available: int) -> None:
        super().__init__(message)
        self.needed = needed
        self.available = available

    def __reduce__(self) -> tuple[object, ...]:
        """Keep both numbers through pickling, which calls an exception with its message alone."""
        return _restore_budget_error, (str(self), self.needed, self.available)


def _restore_budget_error(message: str, needed: int, available: int) -> BudgetError:
    return BudgetError(message, needed=needed, available=available)


class FreshnessError(BrimfulError):
    """Data is older than a strict limit allows.

    `violations` has a mapping each: `feature`, `age_ms` (None where nobody knows the age) and `sla_ms`.
    """

    def __init__(self, message: str, *, violations: Sequence[Mapping[str, object]]) -> None:
        super().__init__(message)
        self.violations = [dict(violation) for violation in violations]

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the violations through pickling, which calls an exception with its message alone."""
        return _restore_freshness_error, (str(self), self.violations)


def _restore_freshness_error(message: str, violations: list[dict[str, object]]) -> FreshnessError:
    return FreshnessError(message, violations=violations)


class RetrievalError(BrimfulError):
    """A retriever that was supplied failed, or gave what cannot be used; what it raised is the cause."""


class EmbeddingError(BrimfulError):
    """An embedder that was supplied failed, or gave what cannot be used; what it raised is the cause."""


class StoreError(BrimfulError):
    """A store cannot be read or written.

    `kind` is `"locked"`, `"read-only"`, `"full"`, `"corrupted"`, `"immutable"` (what is there may not be changed) or
    `"failed"`; what the system raised is the cause.
    """

    def __init__(self, message: str, *, kind: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[object, ...]:
        """Keep the kind through pickling, which calls an exception with its message alone."""
        return _restore_store_error, (str(self), self.kind)


def _restore_store_error(message: str, kind: str) -> StoreError:
    return StoreError(message, kind=kind)


class BackendError(BrimfulError, ImportError):
    """The back end that was asked for cannot be loaded, or does not belong to this version of the package."""


class KernelError(BrimfulError, RuntimeError):
    """A kernel failed by a fault of ours; please report it with the message."""
