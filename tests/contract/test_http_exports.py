"""An article's image and its other forms over HTTP."""

from __future__ import annotations

from ctypes.util import find_library
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.images.catalog import SETTINGS
from contentgen_adapters.memory.images import MemoryImages
from contentgen_core.model.article import ArticleSource
from contentgen_core.model.ids import ArticleId, DocumentId
from contentgen_core.model.tenant import PlanName
from contentgen_core.ports.exporting import ExportFormat
from contentgen_core.ports.images import ConfiguredImageSearch
from contentgen_core.ports.repositories.articles import Articles
from contentgen_http.routes.exports import accepted
from tests.support.house import PICTURES
from tests.support.http import Api, faults_of, open_api, problem_of

DOCX = ExportFormat.DOCX.media_type


async def admin_key(api: Api) -> str:
    made = await api.house.services.people.tenants.create("Platform", PlanName.BUSINESS, platform_admin=True)
    await api.house.activate(made.caller)
    return await api.key_of(made.caller)


async def article_of(api: Api, key: str, **fields: Any) -> str:
    plan = {"agentKey": "home-energy-GB", "topic": "Heat pump efficiency in winter", "allowLowCoverage": True}
    article_id: str = (await api.call("POST", "/writer/generate-plan", plan, key=key)).json()["articleId"]
    fields = {"title": "Heat pump efficiency in winter", "content": "It moves heat."} | fields
    assert (await api.call("PATCH", f"/writer/{article_id}", fields, key=key)).status_code == 200
    return article_id


async def test_a_platform_admin_has_an_image_found() -> None:
    async with open_api() as api:
        key = await admin_key(api)
        path = f"/writer/{await article_of(api, key)}"
        answer = await api.call("POST", f"{path}/auto-image", key=key)
        assert answer.status_code == 200
        found = answer.json()
        credit = {
            "provider": "memory",
            "providerName": "Sample Pictures",
            "providerUrl": PICTURES[0].provider_url,
            "photographer": "Ada Ohm",
            "photographerUrl": PICTURES[0].photographer_url,
            "pageUrl": PICTURES[0].page_url,
            "alt": PICTURES[0].alt,
        }
        assert found == {
            "success": True,
            "featuredImage": PICTURES[0].address,
            "photographer": "Ada Ohm",
            "imageCredit": credit,
        }
        article = (await api.call("GET", path, key=key)).json()
        assert (article["featuredImage"], article["imageCredit"]) == (PICTURES[0].address, credit)
        page = (await api.call("GET", f"{path}/export-pdf", key=key)).text
        assert f'alt="{PICTURES[0].alt}"' in page
        assert f'<a href="{PICTURES[0].provider_url}" rel="noopener"><bdi>Sample Pictures</bdi></a>' in page
        again = (await api.call("POST", f"{path}/auto-image", key=key)).json()
        assert again == {"success": True, "featuredImage": PICTURES[0].address}
        other = (await api.call("POST", f"{path}/auto-image?force=true", key=key)).json()
        assert (other["success"], other["photographer"]) == (True, "Bo Volt")
        cleared = (await api.call("PATCH", path, {"featuredImage": None}, key=key)).json()
        assert {"featuredImage", "imageCredit"}.isdisjoint(cleared)


@pytest.mark.parametrize("force", ["false", "1", "True", "", "yes"])
async def test_any_other_force_is_refused_before_anything_else(force: str) -> None:
    async with open_api() as api:
        assert "force" in faults_of(await api.call("POST", f"/writer/nowhere/auto-image?force={force}"))


async def test_others_than_platform_admins_are_refused() -> None:
    async with open_api() as api:
        article = await api.planned()
        for article_id in (article["articleId"], "nowhere"):
            answer = await api.call("POST", f"/writer/{article_id}/auto-image")
            assert (answer.status_code, problem_of(answer)["code"]) == (403, "not_permitted")


async def test_an_article_of_another_tenant_is_not_there_for_a_platform_admin() -> None:
    async with open_api() as api:
        key = await admin_key(api)
        theirs = (await api.planned())["articleId"]
        answer = await api.call("POST", f"/writer/{theirs}/auto-image", key=key)
        assert (answer.status_code, problem_of(answer)["code"]) == (404, "not_found")


async def test_without_a_service_the_settings_are_named() -> None:
    async with open_api() as api:
        key = await admin_key(api)
        article_id = await article_of(api, key)
        object.__setattr__(api.house.services.writing.auto_image, "images", ConfiguredImageSearch(None, SETTINGS))
        answer = await api.call("POST", f"/writer/{article_id}/auto-image", key=key)
        assert answer.status_code == 501
        assert "CONTENTGEN_UNSPLASH_API_KEY or CONTENTGEN_PEXELS_API_KEY" in problem_of(answer)["detail"]


async def test_nothing_found_is_no_success_and_no_failure() -> None:
    async with open_api() as api:
        key = await admin_key(api)
        article_id = await article_of(api, key, title="Zygomorphic quux")
        none = MemoryImages()
        object.__setattr__(api.house.services.writing.auto_image, "images", ConfiguredImageSearch(none, SETTINGS))
        answer = await api.call("POST", f"/writer/{article_id}/auto-image", key=key)
        assert (answer.status_code, answer.json()) == (200, {"success": False})


async def test_an_export_is_a_page_unless_another_form_is_asked_for() -> None:
    async with open_api() as api:
        article = await api.written()
        path = f"/writer/{article['id']}/export-pdf"
        for more in ({}, {"headers": {"Accept": "*/*"}}, {"headers": {"Accept": "text/html, application/pdf;q=0.9"}}):
            answer = await api.call("GET", path, **more)
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert "content-disposition" not in answer.headers
        assert (await api.call("GET", f"{path}?format=html")).text == answer.text


@pytest.mark.parametrize(
    ("asked", "media", "ending"),
    [
        ({"params": {"format": "markdown"}}, "text/markdown; charset=utf-8", "md"),
        ({"headers": {"Accept": "text/markdown"}}, "text/markdown; charset=utf-8", "md"),
        ({"headers": {"Accept": "application/pdf", "X-Other": "1"}, "params": {"format": "docx"}}, DOCX, "docx"),
        ({"headers": {"Accept": DOCX}}, DOCX, "docx"),
    ],
)
async def test_other_forms_are_files_with_the_name_of_the_article(asked: Any, media: str, ending: str) -> None:
    async with open_api() as api:
        article = await api.written()
        answer = await api.call("GET", f"/writer/{article['id']}/export-pdf", **asked)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == media
        assert answer.headers["content-disposition"] == f'attachment; filename="{article["slug"]}.{ending}"'
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "accept" in answer.headers["vary"].lower()
        if ending == "md":
            assert answer.text.startswith("# ")
            assert article["content"].strip() in answer.text
        else:
            assert answer.content.startswith(b"PK")


async def test_a_pdf_is_a_pdf() -> None:
    async with open_api() as api:
        article = await api.written()
        answer = await api.call("GET", f"/writer/{article['id']}/export-pdf?format=pdf")
        if find_library("pango-1.0") is None:  # what sets the pages is no Python package
            assert (answer.status_code, "ango" in problem_of(answer)["detail"]) == (503, True)
            return
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
        assert answer.content.startswith(b"%PDF-")


async def test_without_its_extra_a_pdf_is_a_501_that_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weasyprint.py").write_text("raise ImportError('No module named weasyprint')")
    monkeypatch.syspath_prepend(str(tmp_path))
    async with open_api() as api:
        article = await api.written()
        answer = await api.call("GET", f"/writer/{article['id']}/export-pdf?format=pdf")
        assert (answer.status_code, problem_of(answer)["code"]) == (501, "not_configured")
        assert "contentgen-grounded[pdf]" in problem_of(answer)["detail"]


async def test_an_unknown_form_is_refused_and_an_unknown_article_not_found_in_any() -> None:
    async with open_api() as api:
        assert "format" in faults_of(await api.call("GET", "/writer/nowhere/export-pdf?format=odt"))
        for form in ExportFormat:
            assert (await api.call("GET", f"/writer/nowhere/export-pdf?format={form}")).status_code == 404


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("", "html"),
        ("*/*", "html"),
        ("text/*", "html"),
        ("application/json", "html"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"),
        ("application/pdf", "pdf"),
        ("application/pdf, */*", "pdf"),
        ("APPLICATION/PDF ; Q=0.5", "pdf"),
        ("application/pdf;q=0.5, text/markdown", "markdown"),
        ("application/pdf, text/html", "html"),
        ("application/pdf;q=0", "html"),
        ("application/pdf;q=banana", "pdf"),
        (", ;;, q=1", "html"),
    ],
)
def test_the_accept_header_chooses_a_form_it_names(accept: str, form: str) -> None:
    assert accepted(accept) == form


@given(st.text(max_size=200) | st.text("applicationdf/,;q=.01* ", max_size=200))
def test_any_accept_header_is_read(accept: str) -> None:
    assert accepted(accept) in ExportFormat


async def test_private_words_are_in_what_editors_ask_for_alone() -> None:
    async with open_api() as api:
        article_id = (await api.written())["id"]
        source = ArticleSource(1, "Own", DocumentId("a"), 0, "https://a.example", quotes=("Own words.",), private=True)
        async with api.house.services.ports.unit_of_work() as tx:
            stored = await tx[Articles].get(api.house.caller.tenant_id, ArticleId(article_id))
            await tx[Articles].save(evolve(stored, sources=(source,)))
        path = f"/writer/{article_id}/export-pdf"
        assert "Own words." not in (await api.call("GET", path)).text
        assert "Own words." in (await api.call("GET", f"{path}?receipt=true")).text


async def test_who_wrote_a_source_is_told_wherever_it_is_listed() -> None:
    async with open_api() as api:
        article_id = (await api.written())["id"]
        source = ArticleSource(1, "Tides", DocumentId("a"), 0, "https://a.example", author="Ohm & Volt")
        async with api.house.services.ports.unit_of_work() as tx:
            stored = await tx[Articles].get(api.house.caller.tenant_id, ArticleId(article_id))
            assert all(source.author is None for source in stored.sources)
            await tx[Articles].save(evolve(stored, sources=(source,)))
        (shown,) = (await api.call("GET", f"/writer/{article_id}")).json()["sources"]
        assert (shown["title"], shown["author"]) == ("Tides", "Ohm & Volt")
        path = f"/writer/{article_id}/export-pdf"
        assert "Ohm &amp; Volt. Tides<br>" in (await api.call("GET", path)).text
        markdown = await api.call("GET", path, headers={"Accept": "text/markdown"})
        assert "[1] Ohm & Volt. Tides <https://a.example>" in markdown.text


async def test_the_receipt_is_in_what_editors_ask_for_alone() -> None:
    async with open_api() as api:
        path = f"/writer/{(await api.written())['id']}/export-pdf"
        plain = (await api.call("GET", path)).text
        full = (await api.call("GET", f"{path}?receipt=true")).text
        assert 'class="receipt"' not in plain
        assert '<aside class="grounding">' not in plain
        assert 'class="receipt"' in full
        assert '<aside class="grounding">' in full
        assert (await api.call("GET", f"{path}?receipt=yes")).status_code == 400
