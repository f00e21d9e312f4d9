"""IndexNow over HTTP (https://www.indexnow.org/documentation): one endpoint shares the submitted addresses with the
others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import httpx
from attrs import field, frozen

from contentgen_adapters.shared.http import BadStatus, Peer, RetryPolicy, post_json
from contentgen_core.errors import ProviderFailed
from contentgen_core.model.index_now import IndexNowSite

_PEER: Final = Peer("IndexNow")
_REASONS: Final = {
    403: "does not find the key at {address}. Put a file there that holds the key and nothing else",
    422: "takes no such pages of {host}: they are not of that host, or the key is not the one of the file",
}


@frozen
class HttpIndexNow:
    """A client of IndexNow. `address`: of the endpoint."""

    client: httpx.AsyncClient
    address: str
    retry_policy: RetryPolicy = field(factory=RetryPolicy)

    async def submit(self, site: IndexNowSite, addresses: Sequence[str]) -> None:
        body = {"host": site.host, "key": site.key, "keyLocation": site.key_address, "urlList": list(addresses)}
        try:
            await post_json(self.client, self.address, body, peer=_PEER, retry_policy=self.retry_policy)
        except BadStatus as error:
            reason = _REASONS.get(error.response.status_code)
            if reason is None:
                raise
            message = reason.format(address=site.key_address, host=site.host)
            raise ProviderFailed(_PEER.name, message, retryable=False) from error
