"""Mermaid diagrams where their source would be shown instead of them."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.publishing.bodies.contentful import rich_text
from contentgen_adapters.publishing.bodies.diagrams import with_lists
from contentgen_adapters.publishing.bodies.html import html
from contentgen_adapters.publishing.bodies.markdown import markdown
from contentgen_adapters.publishing.bodies.notion import blocks as notion_blocks
from contentgen_adapters.publishing.bodies.strapi import blocks as strapi_blocks
from contentgen_adapters.publishing.testing import a_post
from contentgen_adapters.shared.document.flow_charts import relations
from contentgen_core.policies.text.markdown import flow_chart

OURS = flow_chart(["Heat & [pumps]", "Sizes", 'What "costs" *it*?'], [(0, "have", 1), (0, "raise", 2)])
TEXT = f"Before\n\n{OURS}\n\nBehind\n"


def test_a_flow_chart_of_ours_is_a_list_of_what_it_states() -> None:
    shown = html(a_post(markdown=TEXT, sources=()))
    for part in ("Heat &amp; [pumps] have Sizes<", 'Heat &amp; [pumps] raise What "costs" *it*?<', "Before", "Behind"):
        assert part in shown
    assert shown.count("<ul>") == 1
    assert "flowchart" not in shown


@pytest.mark.parametrize("form", [rich_text, strapi_blocks, lambda post: markdown(post, liquid=True)])
def test_wherever_the_source_would_be_shown(form: object) -> None:
    shown = msgspec.json.encode(form(a_post(markdown=TEXT, sources=()))).decode()  # type: ignore[operator]
    assert "flowchart" not in shown
    assert "Sizes" in shown


def test_where_it_is_drawn_it_stays() -> None:
    codes = [block["code"] for block in notion_blocks(a_post(markdown=TEXT, sources=()))[0] if block["type"] == "code"]
    assert [code["language"] for code in codes] == ["mermaid"]
    assert OURS in markdown(a_post(markdown=TEXT, sources=()))


@pytest.mark.parametrize(("source", "shown"), [
    ("graph LR\n  A[One] --> B\n  B --> C[Three]", "- One\n  - B\n    - Three"),
    ("flowchart TD\n A --> B\n C --> B", "- A → B\n- C → B"),
    ("flowchart TD\n A --> B\n B --> A", "- A → B\n- B → A"),
    ("flowchart TD\n A[x]\n B", "- x\n- B"),
    ("flowchart TD\n A --> B\n C --> C", "- A → B\n- C → C"),
    ('flowchart LR\n A["One"] -->|"is part of"| B["Two"]\n A --> C', "- One is part of Two\n- One → C"),
    ("flowchart LR\n A -->|holds| B", "- A holds B"),
    ("sequenceDiagram\n A->>B: hi", None),
    ("flowchart TD\n A -.-> B", None),
    ("flowchart TD", None),
    ("", None),
])  # fmt: skip
def test_other_charts_are_lists_as_far_as_they_are_boxes_and_arrows(source: str, shown: str | None) -> None:
    assert relations(source) == shown


@given(st.lists(st.sampled_from("ABCDE"), min_size=1, max_size=5), st.data())
def test_every_box_and_every_arrow_is_told(boxes: list[str], data: st.DataObject) -> None:
    arrows = data.draw(st.lists(st.tuples(st.sampled_from(boxes), st.sampled_from(boxes)), max_size=6))
    lines = [*(f"{box}[Box{box}]" for box in boxes), *(f"{one} --> {other}" for one, other in arrows)]
    shown = relations("\n".join(("flowchart TD", *lines)))
    assert shown is not None
    for one, other in arrows:
        assert f"Box{one}" in shown
        assert f"Box{other}" in shown


def test_a_chain_of_many_boxes_is_read() -> None:
    chain = "\n".join(f"n{at} --> n{at + 1}" for at in range(399))
    assert (relations(f"flowchart TD\n{chain}") or "").count("\n") == 399


def test_text_without_diagrams_is_not_touched() -> None:
    post = a_post()
    assert with_lists(post) is post
