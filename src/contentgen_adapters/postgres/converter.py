"""Values of the model as JSON, for columns that nobody searches."""

from __future__ import annotations

from typing import Any, Final

from cattrs.preconf.msgspec import make_converter

from contentgen_adapters.postgres.errors import Translation
from contentgen_core.model.article_plan import SourceRef

_CONVERTER: Final = make_converter()
# There are many of these, each known by its place; and unlike its `str`, a pair reads back whatever it holds.
_CONVERTER.register_unstructure_hook(SourceRef, lambda ref: [ref.document_id, ref.chunk_index])
_CONVERTER.register_structure_hook(SourceRef, lambda pair, _: SourceRef(*pair))
_CONVERTER.register_structure_hook_func(
    lambda kind: kind == tuple[SourceRef, ...], lambda pairs, _: tuple([SourceRef(*pair) for pair in pairs])
)


def dumps(value: object, kind: Any) -> str:
    """JSON of a value of type `kind` (a class, or a tuple of one). Raises InvalidInput for what is no text."""
    with Translation():
        return _CONVERTER.dumps(value, kind).decode()


def loads(text: str, kind: Any) -> Any:
    """Read back what `dumps` wrote for the same type."""
    return _CONVERTER.loads(text.encode(), kind)
