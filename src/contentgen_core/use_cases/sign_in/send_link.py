"""The job SEND_SIGN_IN_LINK: the mail with the link."""

from __future__ import annotations

from contentgen_core.errors import NotFound
from contentgen_core.model.ids import SignInLinkId
from contentgen_core.model.job import Job
from contentgen_core.model.sign_in import SignInLink
from contentgen_core.model.tenant import Tenant, User
from contentgen_core.policies.text.mail_line import mail_line
from contentgen_core.ports.mail import Mail, Mailer, SignInTokens
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.ports.repositories.sign_in import SignInLinks
from contentgen_core.ports.repositories.tenants import Tenants, Users
from contentgen_core.ports.unit_of_work import Transaction
from contentgen_core.use_cases.jobs import AttemptRunner
from contentgen_core.use_cases.sign_in.request_link import claim_of
from contentgen_core.use_cases.use_case import use_case

PATH = "/console/sign-in/link?token="


@use_case
class SendSignInLink:
    """`base`: the public address of the service. When a worker dies right after sending, the mail is sent twice, both
    times with the same id and link, which works once."""

    runner: AttemptRunner
    mailer: Mailer
    tokens: SignInTokens
    base: str

    async def __call__(self, job: Job) -> None:
        """Run one attempt of a claimed job. Nothing is sent for a link that was used, or whose member is gone."""
        await self.runner.run(job, self._work, self._fail)

    async def _work(self, job: Job) -> None:
        async with self.runner.fenced(job) as tx:
            try:
                link = await tx[SignInLinks].get(job.tenant_id, SignInLinkId(job.subject_id))
                user, tenant = await tx[Users].get(job.tenant_id, link.user_id), await tx[Tenants].get(job.tenant_id)
            except NotFound:
                await tx[Jobs].finish(job)
                return
        if user.email is not None:
            await self.mailer.send(self._letter(job, link, user, user.email, tenant))
        async with self.runner.fenced(job) as tx:
            await tx[Jobs].finish(job)

    async def _fail(self, tx: Transaction, job: Job, reason: str) -> None:
        """Whoever waits for the mail asks again."""

    def _letter(self, job: Job, link: SignInLink, user: User, to: str, tenant: Tenant) -> Mail:
        team, person = mail_line(tenant.name), mail_line(user.name)
        address = f"{self.base}{PATH}{self.tokens.sign(claim_of(link))}"
        return Mail(
            id=job.id,
            to=to,
            subject=f"Sign in to “{team}”",
            text=f"Hello {person},\n\nthis link signs you in to the team “{team}”:\n\n{address}\n\n"
            f"It works once, until {link.expires_at:%Y-%m-%d %H:%M} UTC. "
            "If you did not ask for it, you can ignore this email.\n",
        )
