"""The API reference as a page: Swagger UI from an installed package, without requests to other hosts."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from typing import Final

from attrs import frozen

# Swagger UI uses inline styles and data: icons; everything else comes from this service.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Contentgen: API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""

_START: Final = b"""SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
"""

_FILES: Final = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "favicon-32x32.png": "image/png",
}


@frozen
class Asset:
    content: bytes
    media_type: str
    etag: str


@cache
def asset(name: str) -> Asset | None:
    """A file of the page, cached; None for an unknown name."""
    if name == "start.js":
        return _asset(_START, "text/javascript")
    media_type = _FILES.get(name)
    if media_type is None:
        return None
    return _asset(resources.files("swagger_ui").joinpath("static", name).read_bytes(), media_type)


def _asset(content: bytes, media_type: str) -> Asset:
    return Asset(content, media_type, f'"{hashlib.sha256(content).hexdigest()[:32]}"')
