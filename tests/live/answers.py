"""What the scripted server answers; the model's name chooses the behaviour."""

from __future__ import annotations

import json
from typing import Any, Final


def _plan(*sources: str) -> str:
    section = {"heading": "Basics", "goal": "g", "keyPoints": ["k"], "sources": sources, "targetWords": 100}
    seo = {"metaTitle": "t", "metaDescription": "d", "keywords": ["k"]}
    answer = {"title": "A title", "angle": "a", "audience": "b", "sections": [section], "faq": [], "seo": seo}
    return json.dumps(answer)


JUDGEMENT: Final = json.dumps({"valid": True, "confidence": 0.9, "reason": "It fits."})


def _error(status: int, message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "test_error"}, "status": status}


FIXTURES: Final[list[dict[str, Any]]] = [
    {"match": {"model": "good"}, "response": {"content": _plan("S1", "S2")}},
    {"match": {"model": "unknown-source", "userMessage": "cannot be used"}, "response": {"content": _plan("S1")}},
    {"match": {"model": "unknown-source"}, "response": {"content": _plan("S1", "S99")}},
    {"match": {"model": "busy", "sequenceIndex": 0}, "response": _error(429, "slow down") | {"retryAfter": 1}},
    {"match": {"model": "busy"}, "response": {"content": JUDGEMENT}},
    {"match": {"model": "refused"}, "response": _error(401, "unknown key")},
    {"match": {"model": "cut"}, "response": {"content": '{"valid": tr', "finishReason": "length"}},
    {"match": {"model": "filtered"}, "response": {"content": "", "finishReason": "content_filter"}},
    {"match": {"model": "broken"}, "response": _error(500, "internal")},
]
