"""The settings of the service itself: its address, its data, who reaches it, and how much it does at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta


def default_data_dir() -> Path:
    """Return the directory in which a user's programs keep their data. For root this is /var/lib, since the database's
    own user cannot read root's home.
    """
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/contentgen")
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "contentgen"


class ServiceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The part of `Settings` that names no provider."""

    data_dir: Annotated[Path, Meta(description="Folder of the database, the search index and the key file.")] = (
        msgspec.field(default_factory=default_data_dir)
    )
    host: Annotated[str, Meta(description="Address the service listens on.")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="Port the service listens on; 0 picks a free one.")] = 8000
    metrics_port: Annotated[
        Annotated[int, Meta(ge=0, le=65535)] | None,
        Meta(
            description="Port on which `contentgen worker` answers /metrics and /health; 0 picks a free one; "
            "unset: no port. `serve` answers both on its own port."
        ),
    ] = None
    metrics_key: Annotated[
        Annotated[str, Meta(min_length=16, pattern=r"^[!-~]+$")] | None,
        Meta(
            description="Key of 16 characters or more that /metrics of `serve` and `worker` requires as "
            "Authorization: Bearer; unset: /metrics is open, so block it in a proxy."
        ),
    ] = None
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="Lowest severity that is logged.")
    ] = "info"
    source_folders: Annotated[
        str | None,
        Meta(
            description="Folders on the server that synced sources may read, with all below them, separated "
            "by `:` (`;` on Windows); unset: none."
        ),
    ] = None
    database_url: Annotated[
        str | None,
        Meta(description="Address of your own PostgreSQL (postgresql://…); unset: a private one is started."),
    ] = None
    database_pool: Annotated[
        int, Meta(ge=2, le=200, description="Connections that each process keeps to PostgreSQL.")
    ] = 10
    redis_url: Annotated[
        Annotated[str, Meta(pattern=r"^(redis|rediss|unix)://.+")] | None,
        Meta(
            description="Address of a Redis (redis://…, rediss://…) for several machines: it shares the "
            "limits per minute and hands jobs to `contentgen worker`; `serve` then does no jobs "
            "itself unless --job-workers is given."
        ),
    ] = None
    drain_seconds: Annotated[
        float, Meta(ge=0, le=600, description="Seconds that running jobs may continue after a SIGTERM.")
    ] = 2.0
    secret_key: Annotated[
        Annotated[str, Meta(min_length=32)] | None,
        Meta(description="Secret behind the digests of API keys; unset: a key file is created."),
    ] = None
    sealing_keys: Annotated[
        str | None,
        Meta(
            description="Keys that secrets of integrations are encrypted with, newest first, comma-separated,"
            " of 32 characters or more each; unset: a key file is created."
        ),
    ] = None
    public_url: Annotated[
        Annotated[str, Meta(max_length=500, pattern=r"^https?://[^\s/?#@]+(/[^\s?#]*)?$")] | None,
        Meta(
            description="Public address of the service (https://…): the beginning of links in invitations and"
            " of public articles' addresses."
        ),
    ] = None
    site_name: Annotated[
        Annotated[str, Meta(min_length=1, max_length=100)], Meta(description="Name of the site on the public pages.")
    ] = "Contentgen"
    site_author: Annotated[
        Annotated[str, Meta(min_length=1, max_length=100)] | None,
        Meta(description="Author of public articles; unset: the site."),
    ] = None
    site_language: Annotated[
        Literal["en", "fr"], Meta(description="Language of the public pages' labels; articles keep their own.")
    ] = "en"
    site_logo: Annotated[
        Annotated[str, Meta(max_length=500, pattern=r"^https?://[^\s/?#@]+(/[^\s]*)?$")] | None,
        Meta(description="Address of a picture that the public pages show next to the site's name."),
    ] = None
    site_colour: Annotated[
        Annotated[str, Meta(pattern=r"^#[0-9a-fA-F]{6}$")],
        Meta(description="Colour of links on the public pages, #rrggbb; one that cannot be read on white is refused."),
    ] = "#0b4f8a"
    site_dark_colour: Annotated[
        Annotated[str, Meta(pattern=r"^#[0-9a-fA-F]{6}$")],
        Meta(description="The same in dark mode, on #17191c."),
    ] = "#8ab8ff"
    index_now_url: Annotated[
        Annotated[str, Meta(max_length=500, pattern=r"^https?://[^\s/?#@]+(/[^\s?#]*)?$")],
        Meta(
            description="Address of the IndexNow service that changed pages of sites are submitted to, for search"
            " engines."
        ),
    ] = "https://api.indexnow.org/indexnow"
    smtp_url: Annotated[
        str | None,
        Meta(
            description="Server that sends mail: smtp://user:password@host:587 (STARTTLS) or smtps://…:465. Unset: "
            "mail is only logged. Needs CONTENTGEN_MAIL_FROM and CONTENTGEN_PUBLIC_URL."
        ),
    ] = None
    mail_from: Annotated[str | None, Meta(description="Sender of mail, such as Contentgen <no-reply@example.org>.")] = (
        None
    )
    oidc_issuer: Annotated[
        Annotated[str, Meta(max_length=500, pattern=r"^https?://[^\s/?#@]+(/[^\s?#]*)?$")] | None,
        Meta(description="Issuer of an OpenID Connect provider at which people sign in to the console; unset: none."),
    ] = None
    oidc_client_id: Annotated[str | None, Meta(description="Client id of this service at that provider.")] = None
    oidc_client_secret: Annotated[
        str | None,
        Meta(description="Client secret at that provider; unset for a public client, which only PKCE protects."),
    ] = None
    oidc_domains: Annotated[
        str,
        Meta(
            description="Domains of mail addresses that the provider may vouch for, comma-separated; * for all. "
            "Whoever runs the provider can sign in as any member with such an address."
        ),
    ] = ""
    oidc_tenant: Annotated[
        str | None,
        Meta(description="Id of the only tenant whose members that provider signs in; unset: members of every tenant."),
    ] = None
    mcp_allowed_hosts: Annotated[
        str,
        Meta(
            description="Further hosts that agents may reach POST /mcp by, comma-separated, beside localhost and "
            "that of CONTENTGEN_PUBLIC_URL; * for any. Others are refused, as Host and as Origin."
        ),
    ] = ""
    trusted_proxies: Annotated[
        str, Meta(description="Addresses whose X-Forwarded-For is believed, comma-separated.")
    ] = ""
    allowed_private_hosts: Annotated[
        str,
        Meta(
            description="Hosts in private networks that may be called when a user enters their address or a "
            "search finds it: host:port, comma-separated."
        ),
    ] = ""
    user_agent: Annotated[
        Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[!-~]([ -~]*[!-~])?$")] | None,
        Meta(description="User-Agent header of requests for web pages; add an address to reach you (… (+https://…))."),
    ] = None
    header_bytes: Annotated[
        int, Meta(ge=1_024, le=1_048_576, description="Bytes of a request's line and header fields (else 431).")
    ] = 32_768
    header_seconds: Annotated[
        float,
        Meta(
            gt=0,
            le=600,
            description="Seconds in which a request's line and header fields have to arrive; also the time that a"
            " connection may stay silent.",
        ),
    ] = 10.0
    idle_seconds: Annotated[
        int,
        Meta(
            ge=1,
            le=3_600,
            description="Seconds that a connection is kept for a further request. Choose more than clients "
            "and proxies in front use, or they may send to a connection that is being closed.",
        ),
    ] = 75
    body_seconds: Annotated[
        float,
        Meta(
            gt=0,
            le=600,
            description="Seconds in which a request's body has to arrive (else 408); a large body may take "
            "longer at 8 KiB a second or more.",
        ),
    ] = 30.0
    slow_requests_of_tenant: Annotated[
        int,
        Meta(
            ge=1,
            le=100,
            description="Requests of one tenant that take long (plans, searches, checks, uploads, edits, exports) at "
            "the same time in one process; twice as many wait up to 10 s for their turn, others get a 429. Of other "
            "requests it has eight at a time; 200 wait up to 30 s.",
        ),
    ] = 8
    event_streams: Annotated[
        int, Meta(ge=1, le=100_000, description="Streams of GET /agents/events that one process keeps open.")
    ] = 4_000
    event_streams_of_tenant: Annotated[
        int,
        Meta(
            ge=1, le=100_000, description="Streams of GET /agents/events that one tenant may have open in one process."
        ),
    ] = 200
    free_articles_per_day: Annotated[
        int,
        Meta(
            ge=0,
            le=100_000,
            description="Free articles (POST /public/generate-from-link) a UTC day, for everybody together; 0 makes "
            "none. Each costs what an article costs.",
        ),
    ] = 20
    free_articles_per_address: Annotated[
        int, Meta(ge=1, le=1_000, description="Free articles a day for one address (IPv6: one network of 64 bits).")
    ] = 3
    generations: Annotated[
        int,
        Meta(
            ge=1,
            le=1000,
            description="Most articles that one process writes at the same time; more than 8 only while its "
            "event loop keeps up.",
        ),
    ] = 16
    posts: Annotated[
        int,
        Meta(
            ge=1, le=1000, description="Posts that one process sends to targets at the same time, beside the articles."
        ),
    ] = 100
    calls_per_host: Annotated[
        int,
        Meta(
            ge=1,
            le=1000,
            description="Posts, and likewise webhook messages, of a tenant that one process sends to one host at the "
            "same time. As many wait beside them, further ones give their place to other hosts.",
        ),
    ] = 16
    syncs: Annotated[
        int,
        Meta(
            ge=1, le=1000, description="Sources that one process syncs at the same time, in addition to all other work."
        ),
    ] = 4
    tenant_share: Annotated[
        int,
        Meta(
            ge=1,
            le=100,
            description="Highest share, in per cent, of the simultaneous articles, posts and syncs of all "
            "processes that one tenant may use. The rest stays free for other tenants.",
        ),
    ] = 75
