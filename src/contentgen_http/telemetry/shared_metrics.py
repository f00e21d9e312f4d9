"""The folder in which processes share their figures. Apart from `exposition`: whoever starts them counts nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that prometheus_client reads when it is imported."""


@contextmanager
def shared_metrics() -> Iterator[Path]:
    """Let several processes share their figures: those spawned during the block, by any means that inherits the
    environment. The folder can be deleted after the last of them.
    """
    given = os.environ.get(FOLDER)
    with TemporaryDirectory(prefix="contentgen-metrics-", ignore_cleanup_errors=True) as folder:
        os.environ[FOLDER] = folder
        try:
            yield Path(folder)
        finally:
            os.environ.pop(FOLDER, None)
            if given is not None:
                os.environ[FOLDER] = given
