"""Pages of the console that do what slow operations of the API do take their turn among the slow ones, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).parents[2] / "src/contentgen_http"
ROUTES: Final = ("get", "post")


def called(function: ast.AsyncFunctionDef | ast.FunctionDef) -> set[str]:
    """What it calls of itself: `services.writing.plan`, `_page`."""
    calls = (ast.unparse(node.func) for node in ast.walk(function) if isinstance(node, ast.Call))
    return {name.removeprefix("self.") for name in calls if name.startswith("self.")}


def methods(source: str) -> Iterator[dict[str, ast.AsyncFunctionDef | ast.FunctionDef]]:
    """Those of each class."""
    for each in ast.walk(ast.parse(source)):
        if isinstance(each, ast.ClassDef):
            yield {part.name: part for part in each.body if isinstance(part, ast.AsyncFunctionDef | ast.FunctionDef)}


def declared(function: ast.AsyncFunctionDef | ast.FunctionDef, *names: str) -> ast.Call | None:
    """Its decorator of one of these names."""
    calls = (each for each in function.decorator_list if isinstance(each, ast.Call))
    return next((call for call in calls if ast.unparse(call.func) in names), None)


def is_slow(call: ast.Call) -> bool:
    return any(keyword.arg == "slow" for keyword in call.keywords)


def slow_services() -> set[str]:
    """What slow operations of the API call and no other one does."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for file in (SOURCE / "routes").glob("*.py"):
        for of_class in methods(file.read_text("utf-8")):
            for function in of_class.values():
                if (call := declared(function, "operation")) is not None:
                    found[is_slow(call)] |= called(function)
    return {name for name in found[True] - found[False] if name.startswith("services.")}


def unmarked(source: str, slow: set[str]) -> list[str]:
    """The routes that call one of these, themselves or by a method of their class, and are not declared slow."""
    found = []
    for of_class in methods(source):
        for name, function in of_class.items():
            call = declared(function, *ROUTES)
            if call is None or is_slow(call):
                continue
            reached, waiting = set[str](), [name]
            while waiting:
                calls = called(of_class[waiting.pop()]) - reached
                reached |= calls
                waiting += calls & of_class.keys()
            if reached & slow:
                found.append(name)
    return found


def test_pages_that_do_what_takes_long_are_declared_slow() -> None:
    slow = slow_services()
    assert {"services.writing.plan", "services.writing.edit", "services.knowledge.search"} <= slow
    pages = sorted((SOURCE / "console/pages").glob("**/*.py"))
    assert len(pages) > 40
    missing = {page.name: routes for page in pages if (routes := unmarked(page.read_text("utf-8"), slow))}
    assert missing == {}


def test_a_page_that_is_not_declared_is_found() -> None:
    page = """
class Pages:
    @post("/plan"{mark})
    async def plan(self, request):
        return await self._page(request)

    async def _page(self, request):
        await self.services.writing.plan(request)
"""
    slow = {"services.writing.plan"}
    assert unmarked(page.format(mark=""), slow) == ["plan"]
    assert unmarked(page.format(mark=", slow=True"), slow) == []
    assert unmarked(page.format(mark=""), {"services.writing.edit"}) == []
