"""The cross-encoder that the settings select."""

from __future__ import annotations

from typing import Final, Literal

import httpx
from attrs import field, frozen

from contentgen_adapters.reranking.apis import RERANK_APIS
from contentgen_adapters.reranking.service import SETTING, RemoteReranker
from contentgen_core.errors import NotConfigured
from contentgen_core.model.web_address import is_web_address
from contentgen_core.ports.reranking import Reranker

ADDRESS_SETTING: Final = "CONTENTGEN_RERANKER_BASE_URL"


@frozen(kw_only=True)
class RerankerSettings:
    """The operator's settings of the same names."""

    reranker: Literal["none", "cohere", "jina", "tei", "vllm"] = "none"
    reranker_api_key: str | None = field(default=None, repr=False)
    reranker_base_url: str | None = None
    reranker_model: str | None = None


def build_reranker(settings: RerankerSettings, client: httpx.AsyncClient) -> Reranker | None:
    """Return the selected cross-encoder, or None.

    `client`: from `contentgen_adapters.shared.http.make_client`. Raises NotConfigured for a vendor's own address
    without a key, a server without an address, or an address or key that cannot be sent.
    """
    if settings.reranker == "none":
        return None
    api = RERANK_APIS[settings.reranker]
    address = settings.reranker_base_url or api.address
    if address is None:
        raise NotConfigured(f"Reranking by {api.name} has no address.", ADDRESS_SETTING)
    if not settings.reranker_api_key and not settings.reranker_base_url:
        raise NotConfigured(f"Reranking by {api.name} has no key.", SETTING)
    if not is_web_address(address):
        raise NotConfigured(f"The address of reranking by {api.name} is no http(s) URL.", ADDRESS_SETTING)
    if settings.reranker_api_key and not settings.reranker_api_key.isascii():
        raise NotConfigured(f"The key of reranking by {api.name} has characters that no key has.", SETTING)
    return RemoteReranker(api, address, settings.reranker_api_key, settings.reranker_model or api.model, client)
