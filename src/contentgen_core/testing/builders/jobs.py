"""Jobs."""

from __future__ import annotations

from typing import Any

from contentgen_core.model.ids import JobId
from contentgen_core.model.job import Job, JobKind
from contentgen_core.testing.builders.base import new_id, with_tenant
from contentgen_core.testing.runtime import MOMENT


def job(**changes: Any) -> Job:
    defaults = {
        "id": JobId(new_id()),
        "kind": JobKind.GENERATE_ARTICLE,
        "subject_id": new_id(),
        "run_at": MOMENT,
    }
    return Job(**with_tenant(defaults, changes))
