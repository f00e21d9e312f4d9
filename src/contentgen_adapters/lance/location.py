"""The location of an index: a folder or an S3-compatible object store, and LanceDB's options for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_S3: Final = "s3://"
_S3_CONSISTENCY_SECONDS: Final = 0.5
_DEFAULT_REGION: Final = "us-east-1"  # S3-compatible servers have no regions, but clients require one
# Shorter than the library's three minutes: a search waits for the answer, and callers retry failed writes themselves.
_RETRY_POLICY: Final[Mapping[str, str]] = {
    "connect_timeout": "3s",
    "timeout": "20s",
    "client_max_retries": "1",
    "client_retry_timeout": "5",
}


def check_location(location: str) -> str:
    """Return the location without a trailing slash: a folder or `s3://bucket/prefix`. Raises ValueError for anything
    else.
    """
    scheme, separator, address = location.partition("://")
    if separator and (scheme != "s3" or not address.strip("/") or "@" in address or "?" in address):
        raise ValueError("give a folder or s3://bucket/prefix (credentials and options stand in AWS_… variables)")
    return location.rstrip("/") if separator else location


def read_consistency_seconds(location: str) -> float:
    """Return how long a reader may miss commits of other processes (LanceDB's read_consistency_interval).

    Checking for new versions costs nothing in a folder. At an object store it would take two thirds of a search's time.
    """
    return _S3_CONSISTENCY_SECONDS if location.startswith(_S3) else 0.0


def storage_options(location: str, environ: Mapping[str, str]) -> dict[str, str] | None:
    """LanceDB's options for a location; None for a folder.

    `environ`: `AWS_ENDPOINT_URL` and `AWS_REGION` are read from it. LanceDB itself finds credentials
    (`AWS_ACCESS_KEY_ID`, …, a profile or the machine's role). Concurrent writers need no lock: each commit is a
    conditional PUT (`If-None-Match: *`), which the server has to support.
    """
    if not location.startswith(_S3):
        return None
    options = dict(_RETRY_POLICY)
    endpoint = environ.get("AWS_ENDPOINT_URL_S3") or environ.get("AWS_ENDPOINT_URL")
    region = environ.get("AWS_REGION") or environ.get("AWS_DEFAULT_REGION")
    if endpoint:
        options["endpoint"] = endpoint
        region = region or _DEFAULT_REGION
        if endpoint.startswith("http://"):
            options["allow_http"] = "true"
    if region:
        options["region"] = region
    return options
