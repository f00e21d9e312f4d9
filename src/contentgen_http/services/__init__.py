"""The core's services, and what watches them in this process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from contentgen_core.model.job import JobKind
from contentgen_core.services import CoreServices, Options, Ports
from contentgen_core.services.jobs import JobHandler

if TYPE_CHECKING:  # the command line, which imports this module, starts faster without metrics and traces
    from contentgen_http.telemetry.telemetry import Telemetry


@frozen(kw_only=True)
class Services(CoreServices):
    """`telemetry`: watches the ports and every job."""

    telemetry: Telemetry

    @classmethod
    def observed(cls, ports: Ports, telemetry: Telemetry, options: Options | None = None) -> Services:
        """The services over `ports`, watched by `telemetry`. `options`: as `compose` takes them."""
        return cls.compose(telemetry.observe(ports), options, telemetry=telemetry)

    @property
    def handlers(self) -> Mapping[JobKind, JobHandler]:
        """Who does the jobs of each kind."""
        return {kind: self.telemetry.handler(self.jobs.of(kind)) for kind in JobKind}
