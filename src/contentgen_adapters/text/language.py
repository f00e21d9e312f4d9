"""Which of the 28 languages a text is in: by its script where that decides, else by its n-grams."""

from __future__ import annotations

import re
import threading
from functools import cache
from typing import TYPE_CHECKING, Final

from contentgen_core.model.vocabulary import Language

if TYPE_CHECKING:
    from contentgen_adapters.text.ngram_classifier import NgramClassifier

_SAMPLE: Final = 1_500  # characters; more changes no answer
_SCRIPTS: Final = {
    name: re.compile(f"[{letters}]")
    for name, letters in {
        "latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
        "kana": "\u3041-\u30ff\uff66-\uff9f",
        "han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
        "hangul": "\u1100-\u11ff\u3131-\u318e\uac00-\ud7af",
        "thai": "\u0e01-\u0e4f",
        "hebrew": "\u05d0-\u05ea",
        "greek": "\u0370-\u03ff\u1f00-\u1fff",
        "devanagari": "\u0904-\u0939\u0958-\u0961",
        "arabic": "\u0620-\u064a\u0671-\u06d3",
        "cyrillic": "\u0400-\u04ff",
    }.items()
}
_ONE_LANGUAGE: Final = {
    "hangul": Language.KO,
    "thai": Language.TH,
    "hebrew": Language.HE,
    "greek": Language.EL,
    "devanagari": Language.HI,
    "arabic": Language.AR,
    "han": Language.ZH,
    "kana": Language.JA,
}
# One sign of these scripts says as much as several letters: a Japanese page with Latin product names is Japanese.
_WEIGHT: Final = {"han": 3, "kana": 3, "hangul": 3}
_KANA_SHARE: Final = 0.05  # of the signs: less is a quotation in a Chinese text
_ASCII_LETTER: Final = re.compile("[A-Za-z]")
_UKRAINIAN: Final = re.compile("[іїєґ]", re.IGNORECASE)
_RUSSIAN: Final = re.compile("[ыэъё]", re.IGNORECASE)
_LOADING: Final = threading.Lock()


class LangidDetector:
    """Total and deterministic; a text without letters counts as English. Thread-safe."""

    def detect(self, text: str) -> Language:
        sample = text[:_SAMPLE]
        if sample.isascii():
            return self._latin(sample) if _ASCII_LETTER.search(sample) else Language.EN
        counts = {name: len(letters.findall(sample)) for name, letters in _SCRIPTS.items()}
        signs = counts["kana"] + counts["han"]
        if counts["kana"] > signs * _KANA_SHARE:
            counts |= {"kana": signs, "han": 0}
        script = max(counts, key=lambda name: counts[name] * _WEIGHT.get(name, 1))
        if not counts[script]:
            return Language.EN
        if script == "cyrillic":
            more_ukrainian = len(_UKRAINIAN.findall(sample)) > len(_RUSSIAN.findall(sample))
            return Language.UK if more_ukrainian else Language.RU
        return _ONE_LANGUAGE[script] if script in _ONE_LANGUAGE else self._latin(sample)

    def _latin(self, sample: str) -> Language:
        # Surrogates cannot be encoded.
        with _LOADING:
            classifier = _classifier()
        code = classifier.classify(sample.encode("utf-8", "replace").decode())
        return Language.NO if code == "nn" else Language(code)


@cache
def _classifier() -> NgramClassifier:
    """Shared by all detectors of a process: numpy and 8 MB, which not all who import this module need."""
    from contentgen_adapters.text.ngram_classifier import load

    return load()
