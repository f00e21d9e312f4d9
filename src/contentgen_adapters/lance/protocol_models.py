"""Puts off what LanceDB imports for servers of its namespace protocol, which are not used here: 170 models of requests
and answers, which take more CPU than all of the rest of LanceDB, and 40 MiB."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any, Final

_CLIENT: Final = "lance_namespace_urllib3_client"
_MODELS: Final = f"{_CLIENT}.models"
_BEFORE_CAPITAL: Final = re.compile(r"(?<!^)(?=[A-Z])")


def put_off_protocol_models() -> None:
    """Lets each of these models be imported, from its own file, when it is first made or asked for something. To be
    called before LanceDB is imported; does nothing afterwards, or where LanceDB comes without them."""
    if _CLIENT in sys.modules:
        return
    client = PathFinder.find_spec(_CLIENT)
    models = client and PathFinder.find_spec(_MODELS, client.submodule_search_locations)
    if not client or not models or not models.submodule_search_locations:
        return
    # Packages whose __init__ never runs: it would import all of their modules.
    packages = sys.modules[_CLIENT], sys.modules[_MODELS] = module_from_spec(client), module_from_spec(models)
    vars(packages[0])["models"] = packages[1]
    vars(packages[1])["__getattr__"] = _lookup_on_demand(models)


def _lookup_on_demand(models: ModuleSpec) -> Callable[[str], type]:
    """Return a function that finds the package's names whose module was not imported."""
    files = {file.stem for folder in models.submodule_search_locations or () for file in Path(folder).glob("*.py")}

    def deferred(name: str) -> type:
        if _module_of(name) not in files:
            raise AttributeError(f"module {_MODELS!r} has no attribute {name!r}")
        return _Deferred(name, (), {})

    return deferred


class _Deferred(type):
    """A class with the name of a model, which passes on to the model whatever is done with it."""

    def __call__(cls, *arguments: Any, **fields: Any) -> Any:
        return cls._model()(*arguments, **fields)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):  # which `typing` asks of each class in an annotation
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        return getattr(cls._model(), name)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls._model())

    def _model(cls) -> type:
        found: type = getattr(import_module(f"{_MODELS}.{_module_of(cls.__name__)}"), cls.__name__)
        return found


def _module_of(model: str) -> str:
    """The module of a model, as its generator names them: ListTablesResponse is in list_tables_response."""
    return _BEFORE_CAPITAL.sub("_", model).lower()
