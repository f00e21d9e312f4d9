"""The model's graph as ONNX Runtime reads it, without its weights, which are given beside it.

The few messages of `onnx.proto` that it needs are written here: the package `onnx` is not needed at run time.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from contentgen_adapters.embeddings.semantic.weights import DIMENSION, EPSILON, HEADS, LAYERS

INPUT: Final = "summed"
OUTPUT: Final = "hidden"

_IR_VERSION: Final = 9
_OPSET: Final = 17
_CONTRIBUTED: Final = "com.microsoft"
_FLOAT, _INT8 = 1, 3
_EXTERNAL: Final = 1
_AS_FLOAT, _AS_INT = 1, 2  # kinds of attributes

Arrays = Mapping[str, NDArray[np.generic]]


def skeleton(weights: Arrays) -> bytes:
    """The model from summed embeddings, [1, tokens, dimension], to hidden states of the same shape.

    `weights`: by name, of which the graph takes kinds and shapes only.
    """
    graph = b"".join(_bytes(1, node) for node in _nodes())
    graph += _text(2, "multilingual-e5-small")
    graph += b"".join(_bytes(5, _initializer(name, array)) for name, array in weights.items())
    graph += _bytes(11, _value(INPUT)) + _bytes(12, _value(OUTPUT))
    opsets = (_number(2, _OPSET), _text(1, _CONTRIBUTED) + _number(2, 1))
    return _number(1, _IR_VERSION) + _bytes(7, graph) + b"".join(_bytes(8, opset) for opset in opsets)


def _nodes() -> Iterator[bytes]:
    yield _normalisation_node(INPUT, "l0.x", "emb.ln")
    for layer in range(LAYERS):
        yield from _layer(f"l{layer}.", OUTPUT if layer == LAYERS - 1 else f"l{layer + 1}.x")


def _layer(at: str, output: str) -> Iterator[bytes]:
    yield _product_node(at + "x", at + "qkv", at + "qkv")
    yield _node("Split", [at + "qkv"], [at + "query", at + "key", at + "value"], axis=2)
    attended = {"num_heads": HEADS}
    yield _node("MultiHeadAttention", [at + "query", at + "key", at + "value"], [at + "seen"], _CONTRIBUTED, **attended)
    yield _product_node(at + "seen", at + "ao", at + "ao")
    yield _node("Add", [at + "x", at + "ao"], [at + "x+ao"])
    yield _normalisation_node(at + "x+ao", at + "y", at + "aln")
    yield _product_node(at + "y", at + "fi", at + "fi")
    yield _node("Gelu", [at + "fi"], [at + "gelu"], _CONTRIBUTED)
    yield _product_node(at + "gelu", at + "fo", at + "fo")
    yield _node("Add", [at + "y", at + "fo"], [at + "y+fo"])
    yield _normalisation_node(at + "y+fo", output, at + "oln")


def _product_node(source: str, target: str, weight: str) -> bytes:
    """A product with a matrix of small integers, whose rows of the input are brought to small integers on the way."""
    taken = [source, weight + ".w", weight + ".scale", "", weight + ".b"]
    return _node("DynamicQuantizeMatMul", taken, [target], _CONTRIBUTED)


def _normalisation_node(source: str, target: str, weight: str) -> bytes:
    return _node("LayerNormalization", [source, weight + ".w", weight + ".b"], [target], axis=-1, epsilon=EPSILON)


def _node(
    kind: str, inputs: Sequence[str], outputs: Sequence[str], domain: str = "", **attributes: int | float
) -> bytes:
    node = b"".join(_text(1, name) for name in inputs) + b"".join(_text(2, name) for name in outputs)
    node += _text(4, kind) + (_text(7, domain) if domain else b"")
    return node + b"".join(_bytes(5, _attribute(name, value)) for name, value in attributes.items())


def _attribute(name: str, value: int | float) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + bytes([2 << 3 | 5]) + struct.pack("<f", value) + _number(20, _AS_FLOAT)
    return _text(1, name) + _number(3, value) + _number(20, _AS_INT)


def _initializer(name: str, array: NDArray[np.generic]) -> bytes:
    kind = _INT8 if array.dtype == np.int8 else _FLOAT
    place = _text(1, "location") + _text(2, "given")
    shape = b"".join(_number(1, size) for size in array.shape)
    return shape + _number(2, kind) + _text(8, name) + _bytes(13, place) + _number(14, _EXTERNAL)


def _value(name: str) -> bytes:
    sizes = (_number(1, 1), _text(2, "tokens"), _number(1, DIMENSION))
    shape = b"".join(_bytes(1, size) for size in sizes)
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, _FLOAT) + _bytes(2, shape)))


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode("utf-8"))


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value & 0xFFFF_FFFF_FFFF_FFFF)


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; the eighth says that more follow."""
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)
