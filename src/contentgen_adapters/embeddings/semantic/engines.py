"""The engines that run the model: ONNX Runtime over small integers, or numpy where the runtime is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from contentgen_adapters.embeddings.semantic import skeleton
from contentgen_adapters.embeddings.semantic.weights import DIMENSION, EPSILON, HEADS, INNER, LAYERS, Floats, Weights
from contentgen_adapters.shared.onnx_model import import_library

if TYPE_CHECKING:
    import onnxruntime

_MOST: Final = 64  # of a weight: products of two pairs then fit into 16 bits, which some processors add them up in
_ERF: Final = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_SLOPE: Final = 0.3275911


class Engine(Protocol):
    """Thread-safe; one text a call, which is faster than several."""

    def hidden(self, summed: Floats) -> Floats:
        """Return the hidden states for summed embeddings; both are [tokens, dimension]."""
        ...


def best_engine(weights: Weights) -> Engine:
    """ONNX Runtime where it is installed, else numpy."""
    try:
        runtime = import_library("onnxruntime")
    except ImportError:
        return NumpyEngine(weights)
    return RuntimeEngine(weights, runtime)


class RuntimeEngine:
    """Run the model in ONNX Runtime, one thread a call. Weights are small integers with a scale for each output; so are
    the inputs of products, with a scale for each text.
    """

    def __init__(self, weights: Weights, runtime: object) -> None:
        """`runtime`: the module onnxruntime. Blocks for a part of a second."""
        ort: onnxruntime = runtime
        arrays = dict(_plain(weights))
        for layer in range(LAYERS):
            for name, (matrix, bias) in _products(weights, layer).items():
                arrays[f"{name}.w"], arrays[f"{name}.scale"] = _small(matrix)
                arrays[f"{name}.b"] = bias
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
        values = [ort.OrtValue.ortvalue_from_numpy(array) for array in arrays.values()]
        options.add_external_initializers(list(arrays), values)
        graph = skeleton.skeleton(arrays)
        self._session = ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def hidden(self, summed: Floats) -> Floats:
        (answer,) = self._session.run([skeleton.OUTPUT], {skeleton.INPUT: summed[np.newaxis]})
        return np.asarray(answer[0], dtype=np.float32)


class NumpyEngine:
    """Run the same model in floating point: some five times slower, and closer to the model's own numbers."""

    def __init__(self, weights: Weights) -> None:
        self._norms = dict(_plain(weights))
        self._products = [_products(weights, layer) for layer in range(LAYERS)]

    def hidden(self, summed: Floats) -> Floats:
        states = self._normalise(summed, "emb.ln")
        for layer, products in enumerate(self._products):
            at = f"l{layer}."
            queries, keys, values = np.split(_product(states, products[at + "qkv"]), 3, axis=1)
            seen = _product(_attend(queries, keys, values), products[at + "ao"])
            states = self._normalise(states + seen, at + "aln")
            inner = _gelu(_product(states, products[at + "fi"]))
            states = self._normalise(states + _product(inner, products[at + "fo"]), at + "oln")
        return states

    def _normalise(self, states: Floats, name: str) -> Floats:
        centred = states - states.mean(axis=1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + np.float32(EPSILON))
        scaled: Floats = centred / spread * self._norms[name + ".w"] + self._norms[name + ".b"]
        return scaled


def _plain(weights: Weights) -> dict[str, NDArray[np.generic]]:
    """Return the factors and offsets of normalisations, by name."""
    names = ["emb.ln", *(f"l{layer}.{name}" for layer in range(LAYERS) for name in ("aln", "oln"))]
    return {f"{name}.{part}": weights.tensor(f"{name}.{part}") for name in names for part in ("w", "b")}


def _products(weights: Weights, layer: int) -> dict[str, tuple[Floats, Floats]]:
    """The matrices of a layer, [inputs, outputs], with what is added. Queries, keys and values are one product."""
    at = f"l{layer}."
    found = {
        at + name: (weights.matrix(f"{at}{name}.w", inputs), weights.tensor(f"{at}{name}.b"))
        for name, inputs in (("ao", DIMENSION), ("fi", DIMENSION), ("fo", INNER))
    }
    joined = np.hstack([weights.matrix(f"{at}{name}.w", DIMENSION) for name in "qkv"])
    found[at + "qkv"] = joined, np.concatenate([weights.tensor(f"{at}{name}.b") for name in "qkv"])
    return found


def _small(matrix: Floats) -> tuple[NDArray[np.int8], Floats]:
    """A matrix in small integers, and the scale of each column."""
    scales = np.maximum(np.abs(matrix).max(axis=0) / _MOST, np.float32(1e-12)).astype(np.float32)
    return np.rint(matrix / scales).astype(np.int8), scales


def _product(states: Floats, product: tuple[Floats, Floats]) -> Floats:
    matrix, bias = product
    multiplied: Floats = states @ matrix + bias
    return multiplied


def _attend(queries: Floats, keys: Floats, values: Floats) -> Floats:
    """Attention with several heads, [tokens, dimension]."""
    tokens, size = len(queries), DIMENSION // HEADS
    apart = [part.reshape(tokens, HEADS, size).transpose(1, 0, 2) for part in (queries, keys, values)]
    scores = apart[0] @ apart[1].transpose(0, 2, 1) / np.float32(size**0.5)
    chances = np.exp(scores - scores.max(axis=2, keepdims=True))
    chances /= chances.sum(axis=2, keepdims=True)
    seen: Floats = (chances @ apart[2]).transpose(1, 0, 2).reshape(tokens, DIMENSION)
    return seen


def _gelu(values: Floats) -> Floats:
    """x · Φ(x); the error function by Abramowitz and Stegun 7.1.26, exact to 1.5e-7."""
    x = np.abs(values) * np.float32(0.5**0.5)
    t = 1.0 / (1.0 + np.float32(_ERF_SLOPE) * x)
    series = np.zeros_like(t)
    for factor in reversed(_ERF):
        series = (series + np.float32(factor)) * t
    erf = np.sign(values) * (1.0 - series * np.exp(-x * x))
    activated: Floats = np.float32(0.5) * values * (1.0 + erf)
    return activated
