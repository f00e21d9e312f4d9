"""The job SEND_INVITATION: the mail with the invitation's link."""

from __future__ import annotations

from attrs import evolve

from contentgen_core.errors import NotFound, ProviderFailed
from contentgen_core.model.ids import InvitationId
from contentgen_core.model.job import Job
from contentgen_core.model.team import Delivery, Invitation
from contentgen_core.model.tenant import Tenant
from contentgen_core.policies.text.mail_line import mail_line
from contentgen_core.ports.mail import InvitationTokens, Mail, Mailer
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.team import Invitations
from contentgen_core.ports.repositories.tenants import Tenants, Users
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.jobs import AttemptRunner, JobLost, subject_of
from contentgen_core.use_cases.team.invite import claim_of
from contentgen_core.use_cases.use_case import use_case

PATH = "/team/accept?token="


@use_case
class SendInvitation:
    """`base`: the public address of the service (`https://articles.example.org`). When a worker dies right after
    sending, the mail is sent twice, both times with the same id and link."""

    runner: AttemptRunner
    mailer: Mailer
    tokens: InvitationTokens
    base: str

    async def __call__(self, job: Job) -> None:
        """Run one attempt of a claimed job. Nothing is sent for an invitation that was accepted, cancelled or renewed
        meanwhile."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        async with self.runner.fenced(job) as tx:
            invitation = await _current(tx, job)
            if invitation is None:
                await tx[Jobs].finish(job)
                return
            tenant = await tx[Tenants].get(job.tenant_id)
            inviter = await _name_of_inviter(tx, invitation)
        try:
            await self.mailer.send(self._letter(job, invitation, tenant, inviter))
        except ProviderFailed as error:
            if error.retryable:  # shown until the next attempt
                async with self.runner.fenced(job) as tx:
                    await self._note(tx, job, Delivery.PENDING, error.detail)
            raise
        async with self.runner.fenced(job) as tx:
            await self._note(tx, job, Delivery.SENT if self.mailer.delivers else Delivery.LOGGED, None)
            await tx[Jobs].finish(job)

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        await self._note(tx, job, Delivery.FAILED, reason)

    async def _note(self, tx: Transaction, job: Job, delivery: Delivery, error: str | None) -> None:
        await tx[Tenants].lock(job.tenant_id)
        invitation = await _current(tx, job)
        if invitation is not None:
            await tx[Invitations].save(evolve(invitation, delivery=delivery, delivery_error=error))

    def _letter(self, job: Job, invitation: Invitation, tenant: Tenant, inviter: str | None) -> Mail:
        team, person = mail_line(tenant.name), mail_line(inviter or "An admin")
        link = f"{self.base}{PATH}{self.tokens.sign(claim_of(invitation, mailed=True))}"
        return Mail(
            id=job.id,
            to=invitation.email,
            subject=f"Invitation to the team “{team}”",
            text=f"{person} invites you to the team “{team}” as {invitation.role}.\n\n"
            f"To join, open this link and choose your name:\n\n{link}\n\n"
            f"It works once, until {invitation.expires_at:%Y-%m-%d %H:%M} UTC. "
            "If you did not expect this invitation, you can ignore this email.\n",
        )


async def _current(tx: Transaction, job: Job) -> Invitation | None:
    """The invitation whose mail this job sends; None if it is no longer valid."""
    try:
        return await subject_of(job, tx[Invitations].get(job.tenant_id, InvitationId(job.subject_id)))
    except JobLost:
        return None


async def _name_of_inviter(tx: Transaction, invitation: Invitation) -> str | None:
    try:
        return (await tx[Users].get(invitation.tenant_id, invitation.invited_by)).name
    except NotFound:
        return None
