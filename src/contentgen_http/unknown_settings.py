"""Variables of the environment that look like settings and are none."""

from __future__ import annotations

import structlog

from contentgen_grounded.settings import describe_unknown, unknown_variables

log = structlog.get_logger("contentgen_grounded.settings")


def warn_of_unknown_settings() -> None:
    """Log each variable of the environment that looks like a setting and is none."""
    for variable, nearest in unknown_variables().items():
        log.warning(describe_unknown(variable, nearest))
