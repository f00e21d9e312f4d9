"""A search for a text that lists things by name (`Borea 7, Calor 300 and Ventus X2`): for each by itself, too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from itertools import zip_longest
from typing import Any

from attrs import evolve

from contentgen_core.concurrency import run_concurrently
from contentgen_core.policies.grounding.named_things import named_things
from contentgen_core.use_cases.knowledge.retrieved import Retrieved


async def add_listed_things(
    found: Retrieved, text: str, limit: int, search: Callable[[str], Coroutine[Any, Any, Retrieved]]
) -> Retrieved:
    """Add the things that a text lists by name, and sources on each of them in turn, before the others. `found`: by a
    search for the whole text. `search`: searches for a single thing."""
    things = await asyncio.to_thread(named_things, text, [c.passage for c in found.candidates])
    if not things:
        return found
    parts = await run_concurrently([search(thing.topic) for thing in things])
    by_topic = {thing.topic: part for thing, part in zip(things, parts, strict=True)}
    passages = {c.passage.ref: c.passage for each in (found, *parts) for c in each.candidates}
    things = await asyncio.to_thread(named_things, text, list(passages.values()))
    by_thing = tuple((thing, by_topic.get(thing.topic, found)) for thing in things)
    own = [[each for each in part.ranked if each.ref in thing.refs] for thing, part in by_thing]
    in_turn = [each for row in zip_longest(*own) for each in row if each is not None]
    ranked = {each.ref: each for each in (*in_turn, *found.ranked)}
    return evolve(found, ranked=tuple(ranked.values())[:limit], things=by_thing)
