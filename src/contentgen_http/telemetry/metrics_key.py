"""The operator's key for /metrics, as Prometheus sends it."""

from __future__ import annotations

import hmac

REFUSED = "Metrics need the operator's key: send it as Authorization: Bearer."


def bears_key(authorization: str, key: str) -> bool:
    """Whether a header `Authorization` carries the key as a bearer. A wrong key takes as long to check.

    `authorization`: its value as Latin-1, empty where there is none.
    """
    scheme, _, sent = authorization.partition(" ")
    is_right = hmac.compare_digest(sent.strip().encode("latin-1", "replace"), key.encode())
    return is_right and scheme.lower() == "bearer"
