"""Knowledge: documents are added by dropping and by forms, looked through, read and deleted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.person import Person

People = Callable[..., Person]
DROP = """([place, name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "text/markdown" }));
  document.querySelector(place).dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
}"""

BOXES = "all => all.map(each => each.getBBox()).map(box => [box.x, box.y, box.width, box.height])"


def _drop(page: Page, name: str, text: str) -> None:
    page.evaluate(DROP, [".drop", name, text])


@pytest.mark.parametrize(
    ("width", "language", "scheme"), [(1440, "en", "light"), (390, "fr", "dark")], ids=["wide", "narrow"]
)
def test_files_are_dropped_read_found_and_deleted(person: People, width: int, language: str, scheme: str) -> None:
    someone = person(width=width, language=language, color_scheme=scheme).sign_in()
    someone.refusals |= {409, 404}  # a file that is there already; a deleted document, on going back
    page, name = someone.page, f"Notes {width}"
    page.goto("/console/knowledge/add")
    someone.accessible()
    text = f"# {name}\n\nA heat pump at {width} m makes no noise at all, says note {width}."
    _drop(page, f"{name}.md", text)
    expect(page.locator("#preparing").get_by_role("link").first).to_be_visible()
    _drop(page, f"{name} again.md", text)
    _drop(page, "empty.md", "")
    expect(page.locator(".uploads .fault")).to_have_count(2)
    expect(page.locator(".uploads progress")).to_have_count(0)
    expect(page.locator("#preparing a[href='/console/knowledge']")).to_be_visible(timeout=30_000)
    someone.accessible()
    page.locator("#preparing a[href='/console/knowledge']").click()
    page.locator("#search").fill(name.lower())
    page.locator("form.ask button").click()
    someone.accessible()
    page.locator("tbody a").click()
    expect(page.locator(".passage").first).to_contain_text(f"{width} m")
    someone.accessible()
    page.locator("a[href$='/delete']").click()
    someone.accessible()
    page.locator("button.danger").click()
    expect(page.locator(".note")).to_be_visible()
    page.go_back()
    page.reload()


def test_without_scripts_files_and_texts_are_added(person: People, tmp_path: Path) -> None:
    someone = person(java_script_enabled=False).sign_in()
    page = someone.page
    file = tmp_path / "Plain.txt"
    file.write_text("A heat pump without scripts runs as quietly as one with them, at 41 dB.")
    page.goto("/console/knowledge/add")
    page.locator("#file").set_input_files([file])
    page.locator("#files button").click()
    expect(page.locator(".note")).to_be_visible()
    page.goto("/console/knowledge/add")
    page.locator("#title").fill("<b>Pasted</b>")
    page.locator("#text").fill("A pasted text says that a heat pump needs 42 dB at most.")
    page.locator("form[action$='/text'] button").click()
    expect(page.locator(".note")).to_be_visible()
    page.locator("a[href='/console/articles']").first.click()


def test_a_paste_of_ten_megabytes_is_told_and_stays(person: People) -> None:
    someone = person().sign_in()
    page = someone.page
    page.goto("/console/knowledge/add")
    page.evaluate("document.querySelector('#text').value = 'A paste of 10 MB. '.repeat(600000)")
    page.locator("form[action$='/text'] button").click()
    expect(page.locator("form[action$='/text'] p.fault")).to_contain_text("less than 10 MB")
    assert page.evaluate("document.querySelector('#text').value.length") == 18 * 600_000


@pytest.mark.parametrize(
    ("width", "language", "scheme"), [(390, "en", "dark"), (1440, "fr", "light")], ids=["narrow", "wide"]
)
def test_a_source_is_followed_and_passages_are_found(person: People, width: int, language: str, scheme: str) -> None:
    someone = person(width=width, language=language, color_scheme=scheme).sign_in()
    page = someone.page
    page.goto("/console/knowledge/sources/new")
    someone.accessible()
    page.goto("/console/knowledge/sources/new/s3")
    someone.accessible()
    page.goto("/console/knowledge/sources/new/pages")
    page.locator("#name").fill(f"<i>Pages</i> {width}")
    page.locator("#place").fill("https://contentgen.invalid/rules")
    page.locator("#niche").select_option("home-energy")
    page.locator("main form.card button").click()
    expect(page.locator(".note")).to_be_visible()
    expect(page.locator("#source .state-pending")).to_have_count(0, timeout=30_000)
    someone.accessible()
    page.goto("/console/knowledge/sources")
    someone.accessible()
    page.goto("/console/knowledge/passages")
    page.locator("#question").fill("How much does a cylinder of hot water lose?")
    page.locator("form.ask button").click()
    expect(page.locator(".passage mark").first).to_be_visible()
    someone.accessible()


def test_conflicts_are_searched_for(person: People) -> None:
    someone = person(width=390).sign_in()
    page = someone.page
    page.goto("/console/knowledge/conflicts?niche=home-energy")
    page.locator("form[action$='/search'] button").click()
    expect(page.locator("#search a")).to_be_visible(timeout=30_000)
    page.locator("#search a").click()
    someone.accessible()
    page.goto("/console/knowledge/enrich?topic=Noise%20of%20heat%20pumps")
    someone.accessible()


def test_the_picture_of_entities_is_zoomed_with_and_without_scripts(person: People) -> None:
    someone = person(color_scheme="dark").sign_in()
    page = someone.page
    page.goto("/console/knowledge/entities?niche=home-energy")
    someone.accessible()
    svg = page.locator(".graph svg")
    whole = svg.get_attribute("viewBox")
    page.locator("[data-by='0.7']").click()
    expect(svg).not_to_have_attribute("viewBox", str(whole))
    page.locator("li[data-node='0'] a").focus()
    expect(svg.locator("[data-node='0'].chosen")).to_have_count(1)
    labels = svg.locator("text").evaluate_all(
        "all => all.map(each => each.getBBox()).map(b => [b.x, b.y, b.width, b.height])"
    )
    cover = [
        (one, other)
        for place, one in enumerate(labels)
        for other in labels[:place]
        if one[0] < other[0] + other[2] and other[0] < one[0] + one[2]
        and one[1] + 2 < other[1] + other[3] and other[1] + 2 < one[1] + one[3]
    ]  # fmt: skip
    assert cover == []
    plain = person(java_script_enabled=False, width=390).sign_in().page
    plain.goto("/console/knowledge/entities?niche=home-energy")
    before = plain.locator(".graph svg").get_attribute("viewBox")
    plain.locator(".names section a[href*='group=']").first.click()
    assert plain.locator(".graph svg").get_attribute("viewBox") != before


def test_topics_are_a_map_with_a_table(person: People) -> None:
    someone = person(width=390, language="fr").sign_in()
    page = someone.page
    page.goto("/console/knowledge/topics?niche=home-energy")
    expect(page.locator("#computation[hx-trigger]")).to_have_count(0, timeout=30_000)
    page.goto("/console/knowledge/topics?niche=home-energy")
    expect(page.locator(".tiles li").first).to_be_visible()
    page.locator("main details summary").click()
    someone.accessible()
