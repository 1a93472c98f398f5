"""One plan for both worlds: what is to be called is yielded, and called by the one who drives it, awaited or not."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from brimful.stages.awaiting import give_up

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Step:
    """A call that may take its time: `name` of `owner` with these arguments, or `a` + name where that is awaited."""

    owner: object
    name: str
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def run(self) -> Any:  # noqa: ANN401 - whatever the call gives
        """Call it. What it gives must be there at once."""
        given = self.call()
        if isinstance(given, Awaitable):
            give_up(given)
            message = f"{self.name} is async, which `build` cannot wait for: use `await builder.abuild(...)`"
            raise TypeError(message)
        return given

    def call(self) -> Any:  # noqa: ANN401 - whatever the call gives
        """Call it; StopIteration becomes RuntimeError: a future cannot hold it, who awaits it would wait for ever."""
        function: Callable[..., Any] = getattr(self.owner, self.name)
        try:
            return function(*self.arguments, **self.options)
        except StopIteration as error:
            message = f"{self.name} raised StopIteration"
            raise RuntimeError(message) from error

    async def arun(self) -> Any:  # noqa: ANN401 - whatever the call gives
        """Await its async twin, or call it in a thread, never on the event loop, and await what it gives if need be."""
        twin = getattr(self.owner, f"a{self.name}", None)
        if twin is not None:
            return await twin(*self.arguments, **self.options)
        import asyncio  # noqa: PLC0415 - importing brimful must not load asyncio

        given = await asyncio.to_thread(self.call)
        return await given if isinstance(given, Awaitable) else given


Plan: TypeAlias = "Generator[Step, Any, Result]"
"""Yields steps, is sent what they gave or thrown what they raised, and returns a result."""


def run(plan: Plan[Result]) -> Result:
    """Take every step of a plan, one behind the other."""
    try:
        step = next(plan)
        while True:
            try:
                given = step.run()
            except Exception as error:  # noqa: BLE001 - the plan decides what becomes of it
                step = plan.throw(error)
            else:
                step = plan.send(given)
    except StopIteration as end:
        result: Result = end.value
        return result


async def arun(plan: Plan[Result]) -> Result:
    """Await every step of a plan, one behind the other."""
    try:
        step = next(plan)
        while True:
            try:
                given = await step.arun()
            except Exception as error:  # noqa: BLE001 - the plan decides what becomes of it
                step = plan.throw(error)
            else:
                step = plan.send(given)
    except StopIteration as end:
        result: Result = end.value
        return result
