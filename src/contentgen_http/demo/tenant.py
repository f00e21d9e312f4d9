"""`--demo`: a tenant with two niches and sample sources, to try the service. Its owner administers the platform, so
that its key can do everything there is to try."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from attrs import frozen

from contentgen_core.errors import TenantSuspended, Unauthenticated
from contentgen_core.model.knowledge import KbScope
from contentgen_core.model.tenant import Caller, PlanName
from contentgen_core.model.vocabulary import Language
from contentgen_core.ports.documents import SourceText
from contentgen_core.ports.repositories.tenants import Tenants
from contentgen_core.services import CoreServices
from contentgen_core.use_cases.niches.manage_niches import ActivateNicheCommand
from contentgen_core.use_cases.sign_in.send_link import PATH
from contentgen_http.demo.trends import ensure_sample_trends

TENANT = "Demo"
NICHES = {
    "cybersecurite-pme": ("fr", ("FR", "BE")),
    "home-energy": ("en", ("GB", "US")),
}
KEY_FILE = "demo.key"


@frozen
class Demo:
    """The demo tenant. `key`: an API key. `created`: whether this start created it. `sign_in`: the path of a link that
    signs its owner in to the console, once; empty where the key was revoked."""

    key: str
    created: bool
    sign_in: str = ""


async def ensure_demo(services: CoreServices, data_dir: Path) -> Demo:
    """Creates the demo tenant and imports its sources, unless that was done before. The next start completes one that
    was interrupted: imports are idempotent, and the key file is written last.

    `data_dir`: the folder of the key file.
    """
    await ensure_sample_trends(services)
    key_file = data_dir / KEY_FILE
    if key_file.exists():
        key = key_file.read_text().strip()
        return Demo(key, created=False, sign_in=await _sign_in(services, key))
    caller, key = await _tenant(services)
    for niche_key, (language, countries) in NICHES.items():
        await services.agents.niches.activate(
            ActivateNicheCommand(caller, niche_key, ("professional", "educational"), (language,), countries)
        )
        await services.knowledge.import_sources(KbScope(niche_key, caller.tenant_id), samples(niche_key))
    await services.knowledge.apply_index_changes.drain("demo")
    key_file.touch(mode=0o600)
    key_file.write_text(key + "\n")
    return Demo(key, created=True, sign_in=await _sign_in(services, key))


async def _sign_in(services: CoreServices, key: str) -> str:
    try:
        caller = await services.people.authenticate(key)
    except (Unauthenticated, TenantSuspended):
        return ""
    return PATH + await services.people.request_sign_in.token_for(caller.tenant_id, caller.user_id)


async def _tenant(services: CoreServices) -> tuple[Caller, str]:
    """The demo tenant, created unless an interrupted start did, with a new key. It is on a plan that refuses a topic
    that is not covered, which is to be seen here."""
    async with services.ports.unit_of_work() as tx:
        left = await tx[Tenants].find_by_name(TENANT)
    if left is None:
        made = await services.people.tenants.create(TENANT, PlanName.PRO, platform_admin=True)
        return made.caller, made.key.secret
    caller = await services.people.tenants.owner_of(left.id)
    return caller, (await services.people.keys.create(caller, "Demo")).secret


def samples(niche_key: str) -> Iterator[SourceText]:
    """The sample sources of a niche."""
    lines = resources.files("contentgen_http.demo").joinpath(f"{niche_key}.jsonl").read_text("utf-8").splitlines()
    for line in lines:
        sample = json.loads(line)
        yield SourceText(sample["url"], sample["title"], sample["text"], sample["url"], Language(sample["language"]))


def tour(address: str, key: str) -> str:
    """A curl command for each step from topic to article. `address`: of the service."""
    auth = f"-H 'X-API-Key: {key}'"
    asked = '"agentKey": "home-energy-GB", "topic": "Choosing a heat pump for an older house"'

    def post(operation: str, body: str) -> str:
        return f"     curl -s {address}/writer/{operation} {auth} -H 'Content-Type: application/json' -d '{{{body}}}'"

    return "\n".join(
        (
            "  1. Is the topic covered?",
            post("check-kb-coverage", asked),
            "  2. Plan the article",
            post("generate-plan", f'{asked}, "language": "en"'),
            '  3. Write it, with the articleId of the plan (an edited plan goes along as "plan")',
            post("generate-from-plan", '"articleId": "ARTICLE_ID"'),
            "  4. Watch it",
            f"     curl -s {address}/writer/generation-status/ARTICLE_ID {auth}",
            "  5. Read it with its grounding receipt, and as a page",
            f"     curl -s {address}/writer/ARTICLE_ID {auth}",
            f"     curl -s {address}/writer/ARTICLE_ID/export-pdf {auth} -o article.html",
        )
    )
