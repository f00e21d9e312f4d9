"""How invitations are mailed, and what becomes of mails that cannot be sent."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import AsyncIterator
from typing import Any

import pytest
from attrs import define, evolve, field
from itsdangerous import URLSafeSerializer

from contentgen_adapters.mail.tokens import SignedTokens
from contentgen_core.errors import AlreadyExists, ProviderFailed
from contentgen_core.link_errors import InvitationNotMailed
from contentgen_core.model.job import JobKind
from contentgen_core.model.team import Delivery
from contentgen_core.model.tenant import PlanName, Role
from contentgen_core.ports.mail import Mail
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_core.services import CoreServices, Options
from contentgen_core.use_cases.team.invite import claim_of
from contentgen_core.use_cases.tenants.settings import TenantChanges
from tests.support.changed import changed
from tests.support.house import House, open_house
from tests.support.team import address, joined

SECRET = b"the secret of invitations, 32 bytes"


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house(PlanName.PRO) as opened:
        yield opened


@define
class Post:
    """A mailer that keeps what it is given, and fails as it is told."""

    delivers: bool = True
    failures: list[ProviderFailed] = field(factory=list)
    sent: list[Mail] = field(factory=list)

    async def send(self, mail: Mail) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.sent.append(mail)


def posting(house: House, **changes: Any) -> Post:
    post = Post(**changes)
    send = evolve(house.services.jobs.send_invitation, mailer=post, base="https://articles.example.org")
    house.services = changed(house.services, jobs={"send_invitation": send})
    return post


def mailed_token(mail: Mail) -> str:
    [link] = [line for line in mail.text.splitlines() if line.startswith("https://articles.example.org/team/accept?")]
    return link.partition("token=")[2]


async def delivery(house: House) -> tuple[Delivery, str | None]:
    [one] = (await house.services.people.team.list(house.caller)).invitations
    return one.delivery, one.delivery_error


async def test_an_invitation_is_mailed_with_its_link(house: House) -> None:
    post = posting(house)
    invited = await house.services.people.invite(house.caller, "ada@example.org", Role.EDITOR)
    assert await delivery(house) == (Delivery.PENDING, None)
    assert await house.work() == 1
    [mail] = post.sent
    assert mail.to == "ada@example.org"
    assert "House" in mail.subject
    claim = house.services.ports.invitation_tokens.read(mailed_token(mail))
    assert claim == claim_of(invited.invitation, mailed=True)
    assert "as editor" in mail.text
    assert "until 2026-03-17 12:00 UTC" in mail.text
    assert await delivery(house) == (Delivery.SENT, None)
    assert await house.work() == 0


async def test_where_mail_is_sent_an_invitation_is_accepted_by_whom_it_names(house: House) -> None:
    post = posting(house)
    invited = await house.services.people.invite(house.caller, "ada@example.org", Role.ADMIN)
    await house.work()
    accept = evolve(house.services.people.accept_invitation, mails=True)
    with pytest.raises(InvitationNotMailed):
        await accept(invited.token, "Whoever invites")
    former = URLSafeSerializer(
        hmac.digest(SECRET, b"\0invitation links", "sha256"),
        salt=b"invitation",
        signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
    ).dumps([invited.invitation.tenant_id, invited.invitation.id, invited.invitation.nonce, 4e9])
    assert SignedTokens(SECRET).read(str(former)) is not None
    with pytest.raises(InvitationNotMailed):
        await evolve(accept, tokens=SignedTokens(SECRET))(str(former), "Whoever has a former link")
    joined_by = await accept(mailed_token(post.sent[0]), "Ada")
    assert joined_by.user.email == "ada@example.org"


async def test_composition_asks_for_the_mailed_link_where_the_mailer_delivers(house: House) -> None:
    assert not house.services.people.accept_invitation.mails
    mailing = CoreServices.compose(evolve(house.services.ports, mailer=Post()), Options())
    assert mailing.people.accept_invitation.mails


async def test_without_a_mail_server_an_invitation_says_so(house: House) -> None:
    await house.services.people.invite(house.caller, address(), Role.EDITOR)
    await house.work()
    assert await delivery(house) == (Delivery.LOGGED, None)


async def test_names_decide_nothing_of_a_mail_but_themselves(house: House) -> None:
    post = posting(house)
    await house.services.people.edit_tenant(
        house.caller, TenantChanges(name="A\nBcc: eve@example.org\r\n\x1b[31m\u202eteam")
    )
    await house.services.people.account.rename(house.caller, "Eve\n\nClick here: ")
    await house.services.people.invite(house.caller, address(), Role.EDITOR)
    await house.work()
    assert post.sent[0].subject == "Invitation to the team “A Bcc: eve@example.org [31mteam”"
    assert post.sent[0].text.splitlines()[0].startswith("Eve Click here: invites you to the team “A Bcc:")


async def test_a_mail_server_that_is_away_is_tried_again_and_shown_meanwhile(house: House) -> None:
    away = ProviderFailed("Mail server", "it cannot be reached", retryable=True, retry_after=60)
    post = posting(house, failures=[away, away])
    await house.services.people.invite(house.caller, address(), Role.EDITOR)
    await house.work()
    assert await delivery(house) == (Delivery.PENDING, "Mail server: it cannot be reached")
    house.clock.advance(seconds=59)
    assert await house.work() == 0
    for _ in range(2):
        house.clock.advance(seconds=61)
        assert await house.work() == 1
    assert len(post.sent) == 1
    assert await delivery(house) == (Delivery.SENT, None)


async def test_a_mail_that_cannot_be_sent_is_shown_and_a_renewal_sends_it_anew(house: House) -> None:
    post = posting(
        house, failures=[ProviderFailed("Mail server", "it refuses the address (code 550)", retryable=False)]
    )
    await house.services.people.invite(house.caller, "ada@example.org", Role.EDITOR)
    await house.work()
    assert await delivery(house) == (Delivery.FAILED, "Mail server: it refuses the address (code 550)")
    house.clock.advance(minutes=10)
    assert await house.work() == 0
    renewed = await house.services.people.invite(house.caller, "ada@example.org", Role.EDITOR)
    assert await delivery(house) == (Delivery.PENDING, None)
    await house.work()
    claim = house.services.ports.invitation_tokens.read(mailed_token(post.sent[0]))
    assert claim == claim_of(renewed.invitation, mailed=True)
    assert await delivery(house) == (Delivery.SENT, None)


async def test_nobody_is_mailed_for_an_invitation_that_is_over_or_was_renewed(house: House) -> None:
    post = posting(house)
    cancelled = await house.services.people.invite(house.caller, address(), Role.EDITOR)
    await house.services.people.team.remove(house.caller, cancelled.invitation.id)
    await house.services.people.invite(house.caller, "ada@example.org", Role.EDITOR)
    renewed = await house.services.people.invite(house.caller, "ada@example.org", Role.EDITOR)
    assert await house.work() == 3
    assert len(post.sent) == 1
    claim = house.services.ports.invitation_tokens.read(mailed_token(post.sent[0]))
    assert claim == claim_of(renewed.invitation, mailed=True)
    assert await house.work() == 0


async def test_a_refused_invitation_enqueues_nothing(house: House) -> None:
    done, _ = await joined(house, Role.VIEWER)
    await house.work()
    assert done.user.email is not None
    with pytest.raises(AlreadyExists):
        await house.services.people.invite(house.caller, done.user.email, Role.VIEWER)
    async with house.services.ports.unit_of_work() as tx:
        assert await tx[Jobs].backlog(house.clock.now()) == (0, None)


async def test_a_mailer_that_kills_its_worker_fails_the_invitations_mail_and_nothing_else(house: House) -> None:
    posting(house)
    await house.services.people.invite(house.caller, address(), Role.EDITOR)
    for _ in range(4):
        jobs = await house.claim(lease_seconds=30)
        house.clock.advance(seconds=31)
    [job] = jobs
    assert job.kind is JobKind.SEND_INVITATION
    await house.services.jobs.send_invitation(job)
    status, error = await delivery(house)
    assert status is Delivery.FAILED
    assert error is not None
    assert "interrupted 3 times" in error
