"""The provider that docs/howto/add-a-provider.md shows keeps the contract, by the test that it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[3] / "docs/howto/add-a-provider.md"

_names: dict[str, Any] = {"__name__": "noteboard"}
for _code in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
    exec(compile(_code, str(PAGE), "exec"), _names)

TestNoteboard = _names["TestNoteboard"]
