"""The arguments of a call as data: by the names of the parameters, as JSON, and back into a call."""

from __future__ import annotations

import inspect
from inspect import BoundArguments, Parameter
from typing import TYPE_CHECKING, Any

from brimful.config import show
from brimful.errors import ConfigError, InputError
from brimful.records.plain_data import as_json, as_values, is_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from brimful.records.plain_data import Json


class Parameters:
    """The parameters of a function. Raises ConfigError for a function that does not tell them.

    >>> Parameters(lambda user, limit=5: None).read(("Ada",), {})
    {'user': 'Ada', 'limit': 5}
    """

    __slots__ = ("_defaults", "_required", "_signature")

    def __init__(self, function: Callable[..., Any]) -> None:
        try:
            self._signature = inspect.signature(function)
        except (TypeError, ValueError) as error:
            message = f"a context function must tell its parameters, got {show(function)}"
            raise ConfigError(message) from error
        defaults = {
            name: as_json(parameter.default)
            for name, parameter in self._signature.parameters.items()
            if parameter.default is not Parameter.empty
        }
        # What is no JSON is the function's own affair: it is the same at every call, and needs not be recorded.
        self._defaults: dict[str, Json] = {name: json for name, json in defaults.items() if is_whole(json)}
        self._required = self._name_required()

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> BoundArguments:
        """Match the arguments of a call with the parameters; raises TypeError as the call would."""
        return self._signature.bind(*args, **kwargs)

    def read(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Json]:
        """Return all arguments of a call as JSON by name, defaults included where they are JSON; see `bind`."""
        arguments: Iterable[tuple[str, Any]]
        if kwargs or self._required is None or len(self._required) != len(args):
            arguments = self.bind(args, kwargs).arguments.items()
        else:
            arguments = zip(self._required, args, strict=True)  # most calls are like this, and to bind them is slow
        given = {name: value if type(value) is str else as_json(value) for name, value in arguments}
        return given if len(given) == len(self._signature.parameters) else self._complete(given)

    def restore(self, recorded: Mapping[str, Json]) -> BoundArguments:
        """Return the call that these arguments were of.

        Raises InputError for an argument that the function does not take, that was no JSON, or that is hidden, and
        where one is missing.
        """
        parameters = self._signature.parameters
        for name, json in recorded.items():
            if name not in parameters:
                message = f"the context function has no parameter {show(name)}, but the record has such an argument"
                raise InputError(message)
            if not is_whole(json):
                message = f"argument {name} cannot be given again: the record says {show(json)}"
                raise InputError(message)
        values = {name: _restore(parameters[name], recorded[name]) for name in parameters if name in recorded}
        bound = BoundArguments(self._signature, values)
        try:
            return self._signature.bind(*bound.args, **bound.kwargs)
        except TypeError as error:
            message = f"the record lacks an argument of the context function: {error}"
            raise InputError(message) from error

    def _name_required(self) -> tuple[str, ...] | None:
        """Return the names of what must be given, None where some of it may not be given by place."""
        optional = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
        required = [
            parameter
            for parameter in self._signature.parameters.values()
            if parameter.default is Parameter.empty and parameter.kind not in optional
        ]
        if any(parameter.kind is Parameter.KEYWORD_ONLY for parameter in required):
            return None
        return tuple(parameter.name for parameter in required)

    def _complete(self, given: dict[str, Json]) -> dict[str, Json]:
        everything = {**self._defaults, **given}
        return {name: everything[name] for name in self._signature.parameters if name in everything}


def _restore(parameter: Parameter, json: Json) -> Any:  # noqa: ANN401 - whatever was recorded
    value = as_values(json)
    return tuple(value) if parameter.kind is Parameter.VAR_POSITIONAL else value
