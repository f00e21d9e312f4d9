"""A server that answers as OpenAI's does, at once: in the shapes that Contentgen asks for, the few that peers ask for,
and else with a text made of the prompt's own sentences."""

from __future__ import annotations

import json
import re
import sys
from typing import Any, Final

from tests.support.model_server import ModelServer

from benchmarks.peers.task import SECTIONS, WORDS

_SENTENCE: Final = re.compile(r"[A-Z][^.!?\n]{30,200}[.!?]")
_SENTENCES: Final = 3  # of each source of a section


class PeersModel(ModelServer):
    def answer(self, body: dict[str, Any], key: str) -> tuple[int, dict[str, str], dict[str, Any]]:
        if "json_schema" in body.get("response_format", {}):
            return super().answer(body, key)
        asked = "\n".join(str(message["content"]) for message in body["messages"])
        message = {"role": "assistant", "content": _free(asked)}
        usage = {"prompt_tokens": 1_000, "completion_tokens": 300, "total_tokens": 1_300}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        told = {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}
        return 200, {}, told


def _free(asked: str) -> str:
    if "high_level_keywords" in asked:  # LightRAG
        words = _last_line(asked).split()
        return json.dumps({"high_level_keywords": words[:2], "low_level_keywords": words})
    if "auto_agent_instructions" in asked or "agent_role_prompt" in asked:  # GPT Researcher
        return json.dumps({"server": "Writer", "agent_role_prompt": "You write reports."})
    if "search queries" in asked:  # GPT Researcher
        return json.dumps([f"{_last_line(asked)[:80]} part {n}" for n in range(1, 4)])
    wanted = WORDS if "at least" in asked else WORDS // SECTIONS
    text, count = [], 0
    for sentence in _SENTENCE.findall(asked):
        text.append(sentence)
        count += len(sentence.split())
        if count >= wanted:
            break
    return " ".join(text)


def _last_line(asked: str) -> str:
    return asked.strip().splitlines()[-1]


if __name__ == "__main__":
    with PeersModel(sections=SECTIONS, sentences=_SENTENCES, all_sources=True) as server:
        print(server.base_url, flush=True)
        sys.stdin.read()
