"""Publishing through the whole product to real targets: WordPress, Strapi and a receiver of Standard Webhooks, each
with a proxy before it that can spoil a call."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from attrs import define, field

from tests.live import wordpress as wp
from tests.live.faults import ALL_PLACES, ONE_PLACE
from tests.live.faulty_proxy import FaultyProxy, faulty_proxy
from tests.live.product import Product, product
from tests.live.publishing_strapi import STRAPI, Cms
from tests.live.publishing_webhook import WEBHOOK, Hook, credentials
from tests.live.publishing_wordpress import SLOW, WORDPRESS, Site
from tests.live.receiver import Receiver, receiver
from tests.live.report import Report
from tests.live.strapi import Strapi, install_strapi, strapi
from tests.live.wordpress import WordPress, wordpress

NAMES: Final = ("wordpress", "strapi", "webhook")


@define
class Targets:
    """Those that run. `pictures`: where pictures of posts are."""

    receiver: Receiver
    wordpress: WordPress | None = None
    strapi: Strapi | None = None
    proxies: dict[str, FaultyProxy] = field(factory=dict)


async def check_publishing(folder: Path, installed: Path, chosen: set[str], report: Report) -> None:
    """`installed`: where packages are kept. Every target that could not be had is told as such."""
    async with AsyncExitStack() as stack:
        targets = Targets(await stack.enter_async_context(receiver()))
        for name in NAMES:
            targets.proxies[name] = await stack.enter_async_context(faulty_proxy())
        targets.proxies["webhook"].upstream = targets.receiver.address
        if "wordpress" in chosen:
            with report.needs("WordPress"):
                targets.wordpress = await stack.enter_async_context(_wordpress(folder, installed, targets, report))
        if "strapi" in chosen:
            with report.needs("Strapi"):
                targets.strapi = await stack.enter_async_context(_strapi(folder, installed, targets, report))
        private = [targets.receiver.address, *(proxy.address for proxy in targets.proxies.values())]
        with report.takes("contentgen", "to start"):
            served = await stack.enter_async_context(product(private))
        await _check(targets, served, chosen, report)


@asynccontextmanager
async def _wordpress(folder: Path, installed: Path, targets: Targets, report: Report) -> AsyncIterator[WordPress]:
    with report.takes("WordPress", "to install"):
        programs = await wp.packages(installed / "wordpress")
    data = folder / "wordpress-data"
    data.mkdir()
    proxy = targets.proxies["wordpress"]
    async with AsyncExitStack() as stack:
        with report.takes("WordPress", "to start"):
            made = await stack.enter_async_context(wordpress(programs, data, proxy.address))
        proxy.upstream = made.address
        yield made


@asynccontextmanager
async def _strapi(folder: Path, installed: Path, targets: Targets, report: Report) -> AsyncIterator[Strapi]:
    with report.takes("Strapi", "to install"):
        packages = await install_strapi(installed / "strapi")
    data = folder / "strapi-data"
    data.mkdir()
    async with AsyncExitStack() as stack:
        with report.takes("Strapi", "to start"):
            made = await stack.enter_async_context(strapi(packages, data))
        targets.proxies["strapi"].upstream = made.address
        yield made


async def _check(targets: Targets, served: Product, chosen: set[str], report: Report) -> None:
    picture = f"{targets.receiver.address}/picture.png"
    places = []
    if targets.wordpress is not None:
        site = Site(served, targets.wordpress, targets.proxies["wordpress"], {}, picture)
        for user in targets.wordpress.passwords:
            site.ids[user] = await site.connect(user)
        places.append(site.place())
        await report.run(f"WordPress {targets.wordpress.version}", WORDPRESS, site)
    if targets.strapi is not None:
        cms = Cms(served, targets.strapi, targets.proxies["strapi"], {}, picture)
        cms.ids["full-access"] = await cms.connect()
        places.append(cms.place())
        await report.run(f"Strapi {targets.strapi.version}", STRAPI, cms)
    if "webhook" in chosen:
        proxy = targets.proxies["webhook"]
        hook = Hook(served, targets.receiver, proxy, await served.connect("webhook", credentials(proxy)))
        places.append(hook.place())
        await report.run("Standard Webhooks", WEBHOOK, hook)
    for place in places:
        await report.run(place.name, ONE_PLACE, place)
    if targets.wordpress is not None:
        await report.run("WordPress", SLOW, site)
    if places:
        await report.run("all targets", ALL_PLACES, places)
