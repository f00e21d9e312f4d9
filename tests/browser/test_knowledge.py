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
    expect(page.locator("#preparing a[href='/console/knowledge']")).to_be_visible()
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
    expect(page.locator("#source [hx-trigger]")).to_have_count(0)
    expect(page.locator("#source .state-pending")).to_have_count(0)
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
    expect(page.locator("#search a")).to_be_visible()
    page.locator("#search a").click()
    someone.accessible()
    page.goto("/console/knowledge/enrich?topic=Noise%20of%20heat%20pumps")
    someone.accessible()
