"""Tokens where tiktoken cannot load its tables, which it fetches when first used: one for each four characters, which
costs a peer less than counting as it does."""

from __future__ import annotations

from typing import Any

_CHARACTERS = 4


class _Rough:
    name = "rough"

    def encode(self, text: str, **_: Any) -> list[int]:
        return [int.from_bytes(text[at : at + 1].encode(), "big") for at in range(0, len(text), _CHARACTERS)]

    def decode(self, tokens: list[int]) -> str:
        return " ".join(map(chr, tokens))


def _loads() -> bool:
    import tiktoken

    try:
        tiktoken.get_encoding("o200k_base")
    except Exception:  # whatever a network does
        return False
    return True


def lightrag_tokenizer() -> dict[str, Any]:
    """The argument of LightRAG, where it needs one."""
    from lightrag.utils import Tokenizer

    return {} if _loads() else {"tokenizer": Tokenizer("rough", _Rough())}


def replace_tiktoken() -> None:
    """For programs that take it themselves."""
    import tiktoken

    if not _loads():
        tiktoken.get_encoding = tiktoken.encoding_for_model = lambda *_, **__: _Rough()
