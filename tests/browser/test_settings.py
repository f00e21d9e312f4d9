"""Settings: each page at both widths, and what is shown once or asks first, by clicks."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.person import Person
from tests.process.service import Service, run

People = Callable[..., Person]
PAGES = ("profile", "team", "keys", "voices", "webhooks", "plan")


@pytest.mark.parametrize(("width", "language", "scheme"), [(1440, "en", "light"), (360, "fr", "dark")])
def test_every_page_of_the_settings_is_accessible(person: People, width: int, language: str, scheme: str) -> None:
    someone = person(width=width, language=language, color_scheme=scheme).sign_in()
    for name in PAGES:
        someone.page.goto(f"/console/settings/{name}")
        someone.accessible()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_key_is_made_shown_once_and_revoked(person: People, scripts: bool) -> None:
    someone = person(width=390, java_script_enabled=scripts).sign_in()
    page = someone.page
    page.goto("/console/settings/keys")
    name = f"A key made {'with' if scripts else 'without'} scripts"
    page.locator("#name").fill(name)
    page.locator("form[action$='/keys'] button").click()
    expect(page.locator(".secret")).to_contain_text("cg_")
    if scripts:
        someone.accessible()
    page.goto("/console/settings/keys")
    expect(page.locator(".secret")).to_have_count(0)
    page.get_by_role("link", name=f"Revoke {name}").click()
    if scripts:
        someone.accessible()
    page.get_by_role("button", name="Revoke").click()
    expect(page.locator("[role=status]").first).to_contain_text("revoked")
    expect(page.get_by_role("link", name=f"Revoke {name}")).to_have_count(0)


def test_somebody_is_invited_and_the_invitation_cancelled(person: People) -> None:
    someone = person().sign_in()
    page = someone.page
    page.goto("/console/settings/team")
    page.locator("#email").fill("ada@example.org")
    page.get_by_role("button", name="Send the invitation").click()
    expect(page.locator(".secret")).to_contain_text("token=")
    someone.accessible()
    page.get_by_role("link", name="Cancel the invitation of ada@example.org").click()
    page.get_by_role("button", name="Cancel the invitation").click()
    expect(page.get_by_text("ada@example.org")).to_have_count(0)


def test_a_voice_and_a_webhook_are_made_and_tried(person: People) -> None:
    someone = person(width=390, color_scheme="dark").sign_in()
    page = someone.page
    page.goto("/console/settings/voices")
    page.locator("#name").fill("House style")
    page.locator("#avoid").fill("leverage")
    page.locator("#sample").fill("We keep it short. We say what we know, and we do not shout. " * 5)
    page.get_by_role("button", name="Create a voice").click()
    page.locator("#text").fill("We leverage what we know.")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("avoided term “leverage” in sentence 1")).to_be_visible()
    someone.accessible()
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    page.goto("/console/settings/webhooks")
    page.locator("#name").fill("Our receiver")
    page.locator("#url").fill("https://1.1.1.1/contentgen")
    page.get_by_label("article.generated").check()
    page.get_by_role("button", name="Create a webhook").click()
    expect(page.locator(".secret")).to_contain_text("whsec_")
    someone.accessible()
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No webhooks yet.")).to_be_visible()


def test_the_pages_of_platform_administrators_are_accessible(person: People, service: Service) -> None:
    create = ("tenants", "create", "--name", "Platform", "--plan", "business", "--platform-admin", "--json")
    made = json.loads(run(*create, data_dir=service.data_dir).stdout)
    someone = person(width=360, color_scheme="dark").sign_in(made["apiKey"])
    page = someone.page
    page.goto("/console/settings/tenants")
    page.get_by_role("link", name="Demo").click()
    someone.accessible()
    page.get_by_role("link", name="Suspend").click()
    someone.accessible()
    for name in ("tenants", "plans", "reviews", "public", "trends"):
        page.goto(f"/console/settings/{name}")
        someone.accessible()
