"""The job SEND_WEBHOOK_NOTICE: the mail that tells a tenant's owner of a webhook that was disabled."""

from __future__ import annotations

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import WebhookEndpointId
from contentgen_core.model.job import Job
from contentgen_core.policies.text.mail_line import mail_line
from contentgen_core.ports.mail import Mail, Mailer
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.tenants import Users
from contentgen_core.ports.repositories.webhooks import WebhookEndpoints
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.jobs import AttemptRunner
from contentgen_core.use_cases.use_case import use_case


@use_case
class SendWebhookNotice:
    """Sends the notice of a failing webhook. When a worker dies right after sending, the mail is sent twice, both times
    with the same id."""

    runner: AttemptRunner
    mailer: Mailer

    async def __call__(self, job: Job) -> None:
        """Run one attempt of a claimed job. Nothing is sent for a webhook that is gone, or enabled again."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        async with self.runner.fenced(job) as tx:
            mail = await self._mail(tx, job)
        if mail is not None:
            await self.mailer.send(mail)
        async with self.runner.fenced(job) as tx:
            await tx[Jobs].finish(job)

    async def _mail(self, tx: Transaction, job: Job) -> Mail | None:
        try:
            endpoint = await tx[WebhookEndpoints].get(job.tenant_id, WebhookEndpointId(job.subject_id))
            owner = await tx[Users].owner(job.tenant_id)
        except NotFound:
            return None
        if endpoint.enabled or owner.email is None:
            return None
        name = mail_line(endpoint.name)
        return Mail(
            id=job.id,
            to=owner.email,
            subject=f"The webhook “{name}” was disabled",
            text=f"The webhook “{name}” no longer receives events.\n\n{endpoint.disabled_because}\n\n"
            "Events that were not delivered are kept for 30 days. Once the receiver works again, enable the "
            "webhook and send the failed events again.\n",
        )

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        """The webhook itself shows why it was disabled."""
