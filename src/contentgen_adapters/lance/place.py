"""Where an index may be kept, and how LanceDB reaches it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_S3: Final = "s3://"
_S3_BEHIND_SECONDS: Final = 0.5
_USUAL_REGION: Final = "us-east-1"  # servers that are compatible with S3 have no regions, but their clients want one
# A search waits for an answer, and a write is tried again by whoever asked for it: the library's own three minutes
# would only hide that the store is away.
_RETRY_POLICY: Final[Mapping[str, str]] = {
    "connect_timeout": "3s",
    "timeout": "20s",
    "client_max_retries": "1",
    "client_retry_timeout": "5",
}


def checked(place: str) -> str:
    """A folder or `s3://bucket/prefix`. Raises ValueError for anything else."""
    scheme, given, address = place.partition("://")
    if given and (scheme != "s3" or not address.strip("/") or "@" in address or "?" in address):
        raise ValueError("give a folder or s3://bucket/prefix (credentials and options stand in AWS_… variables)")
    return place.rstrip("/") if given else place


def behind_seconds(place: str) -> float:
    """How far a reader may be behind what other processes have committed; what its own process has, it sees at once.
    Looking costs nothing in a folder. At an object store a search would list the versions six times over, which takes
    two thirds of its time."""
    return _S3_BEHIND_SECONDS if place.startswith(_S3) else 0.0


def storage_options(place: str, environ: Mapping[str, str]) -> dict[str, str] | None:
    """LanceDB's options for a place; None for a folder. Credentials (`AWS_ACCESS_KEY_ID`, …, a profile or the machine's
    role) are found by LanceDB itself; `AWS_ENDPOINT_URL` names a server that is compatible with S3.

    Writers need no lock and no second service: each commit is a PUT under the condition that nobody made that version
    before (`If-None-Match: *`), which the server has to honour."""
    if not place.startswith(_S3):
        return None
    options = dict(_RETRY_POLICY)
    endpoint = environ.get("AWS_ENDPOINT_URL_S3") or environ.get("AWS_ENDPOINT_URL")
    region = environ.get("AWS_REGION") or environ.get("AWS_DEFAULT_REGION")
    if endpoint:
        options["endpoint"] = endpoint
        region = region or _USUAL_REGION
        if endpoint.startswith("http://"):
            options["allow_http"] = "true"
    if region:
        options["region"] = region
    return options
