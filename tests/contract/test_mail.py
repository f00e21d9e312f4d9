"""Mail over a real SMTP server, and without one."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Iterator

import pytest
import structlog
from attrs import evolve

from contentgen_adapters.mail import smtp
from contentgen_adapters.mail.log import LogMailer
from contentgen_adapters.mail.smtp import SmtpMailer, SmtpServer, sender
from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.mail import Mail, Mailer
from contentgen_grounded.bootstrap import options, providers
from contentgen_grounded.settings import BadSetting, load
from tests.support.mail_server import PASSWORD, USER, Certificates, Post, mail_server

LINK = "https://articles.example.org/team/accept?token=" + "x" * 300
MAIL = Mail("01957fd5-0f80-7000-8000-000000000001", "ada@example.org", "Invitation to “Énergie”", f"Öffne:\n\n{LINK}\n")
FROM = sender("Contentgen <no-reply@example.org>")


@pytest.fixture(scope="module")
def certificates() -> Certificates:
    return Certificates()


@pytest.fixture
def plain() -> Iterator[Post]:
    with mail_server() as post:
        yield post


async def failure(mailer: Mailer) -> ProviderFailed:
    with pytest.raises(ProviderFailed) as raised:
        await mailer.send(MAIL)
    return raised.value


async def test_a_mail_arrives_as_it_was_given(plain: Post) -> None:
    await SmtpMailer(SmtpServer("127.0.0.1", plain.port), FROM).send(MAIL)
    [mail] = plain.taken
    assert plain.to == [["ada@example.org"]]
    assert (mail["From"], mail["To"]) == ("Contentgen <no-reply@example.org>", "ada@example.org")
    assert mail["Subject"] == MAIL.subject
    assert mail["Message-ID"] == f"<{MAIL.id}@example.org>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail.get_content().splitlines() == MAIL.text.splitlines(), "a long link stays in one piece"
    assert mail.get_content_type() == "text/plain"


async def test_mail_that_people_subscribed_to_can_be_ended_by_their_programs(plain: Post) -> None:
    url = "https://articles.example.org/public/trend-alerts/unsubscribe?token=" + "x" * 150
    await SmtpMailer(SmtpServer("127.0.0.1", plain.port), FROM).send(evolve(MAIL, unsubscribe_url=url))
    [mail] = plain.taken
    assert mail["List-Unsubscribe"] == f"<{url}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert b"=?" not in plain.raw[0].partition(b"List-Unsubscribe:")[2].partition(b"\r\nList")[0], "as it is, unencoded"


async def test_a_header_cannot_be_broken_out_of(plain: Post) -> None:
    evil = Mail(MAIL.id, MAIL.to, "Hello\nBcc: eve@example.org", "text")
    with pytest.raises(ValueError, match="linefeed"):
        await SmtpMailer(SmtpServer("127.0.0.1", plain.port), FROM).send(evil)
    assert plain.taken == []


async def test_mail_is_encrypted_where_the_server_can(certificates: Certificates) -> None:
    with mail_server(starttls=certificates.server, needs_login=True) as post:
        server = SmtpServer("127.0.0.1", post.port, user=USER, password=PASSWORD)
        await SmtpMailer(server, FROM, tls=certificates.client).send(MAIL)
        assert (post.encrypted, post.logins) == ([True], [(USER, PASSWORD)])


async def test_mail_is_encrypted_from_the_first_byte_where_that_is_asked_for(certificates: Certificates) -> None:
    with mail_server(tls=certificates.server) as post:
        await SmtpMailer(SmtpServer("localhost", post.port, implicit_tls=True), FROM, tls=certificates.client).send(
            MAIL
        )
        assert len(post.taken) == 1


@pytest.mark.parametrize("implicit", [False, True])
async def test_a_certificate_that_nobody_vouches_for_is_not_trusted(certificates: Certificates, implicit: bool) -> None:
    context = {"tls" if implicit else "starttls": certificates.server}
    with mail_server(**context) as post:
        server = SmtpServer("127.0.0.1", post.port, implicit_tls=implicit, user=USER, password=PASSWORD)
        error = await failure(SmtpMailer(server, FROM))
        assert (error.retryable, "certificate" in error.detail) == (False, True)
        assert (post.taken, post.logins) == ([], [])


async def test_a_password_is_not_sent_to_another_host_without_tls(plain: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "_LOOPBACK", frozenset())
    error = await failure(SmtpMailer(SmtpServer("127.0.0.1", plain.port, user=USER, password=PASSWORD), FROM))
    assert (error.retryable, "TLS" in error.detail) == (False, True)
    assert plain.logins == []


async def test_a_wrong_password_is_not_tried_again(certificates: Certificates) -> None:
    with mail_server(starttls=certificates.server) as post:
        server = SmtpServer("127.0.0.1", post.port, user=USER, password="wrong")
        error = await failure(SmtpMailer(server, FROM, tls=certificates.client))
        assert (error.retryable, "password" in error.detail) == (False, True)


@pytest.mark.parametrize(
    ("command", "answer", "retryable"),
    [
        ("rcpt", "550 5.1.1 No such user, ask hostmaster@example.org", False),
        ("rcpt", "450 4.2.1 Greylisted", True),
        ("data", "554 5.7.1 Spam", False),
        ("data", "452 4.3.1 Out of space", True),
    ],
)
async def test_a_refusal_is_told_by_its_code_alone(plain: Post, command: str, answer: str, retryable: bool) -> None:
    plain.answers[command] = answer
    error = await failure(SmtpMailer(SmtpServer("127.0.0.1", plain.port), FROM))
    assert error.retryable is retryable
    assert error.retry_after == (60.0 if retryable else None)
    assert answer[:3] in error.detail
    assert answer[4:] not in error.detail
    assert MAIL.text not in error.detail


async def test_a_server_that_is_away_may_come_back() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        error = await failure(SmtpMailer(SmtpServer("127.0.0.1", taken.getsockname()[1]), FROM))
    assert (error.retryable, error.retry_after) == (True, 60.0)


async def test_a_server_that_never_answers_holds_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "SECONDS", 0.3)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        began, longest = time.monotonic(), 0.0
        sending = asyncio.create_task(failure(SmtpMailer(SmtpServer("127.0.0.1", silent.getsockname()[1]), FROM)))
        while not sending.done():
            last = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - last)
        assert (await sending).retryable
        assert 0.2 < time.monotonic() - began < 5
        assert longest < 0.25, "the event loop went on"


async def test_without_a_server_a_mail_is_told_of_and_its_link_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert not LogMailer().delivers
    with structlog.testing.capture_logs() as logged:
        await LogMailer().send(MAIL)
    at_info = [entry for entry in logged if logging.getLevelNamesMapping()[entry["log_level"].upper()] >= logging.INFO]
    assert [entry["mailId"] for entry in at_info] == [MAIL.id]
    assert LINK not in str(at_info)
    assert MAIL.to not in str(at_info)
    assert LINK in str(logged)


# settings

SET = {
    "CONTENTGEN_SMTP_URL": "smtps://mailer%40example.org:pa%3Ass%2Fw%40rd%25@mail.example.org",
    "CONTENTGEN_MAIL_FROM": "Contentgen <no-reply@example.org>",
    "CONTENTGEN_PUBLIC_URL": "https://articles.example.org/",
}


def test_settings_choose_who_sends() -> None:
    assert isinstance(providers.mailer(load({})), LogMailer)
    assert isinstance(providers.mailer(load(SET)), SmtpMailer)
    assert options.public_url(load(SET)) == "https://articles.example.org"


def test_an_address_of_a_server_is_taken_apart() -> None:
    assert SmtpServer.parse(SET["CONTENTGEN_SMTP_URL"]) == SmtpServer("mail.example.org", 465, True, USER, PASSWORD)
    assert SmtpServer.parse("smtp://mail.example.org") == SmtpServer("mail.example.org", 587)
    assert SmtpServer.parse("smtp://[::1]:25/") == SmtpServer("::1", 25)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SMTP_URL", "mail.example.org"),
        ("SMTP_URL", "http://mail.example.org"),
        ("SMTP_URL", "smtp://"),
        ("SMTP_URL", "smtp://user@mail.example.org"),
        ("SMTP_URL", "smtp://user:s3cret@mail.example.org:port"),
        ("SMTP_URL", "smtp://user:s3cret/word@mail.example.org"),
        ("SMTP_URL", "smtp://user:s3cret@mail.example.org/path"),
        ("MAIL_FROM", "nobody"),
        ("MAIL_FROM", "a@b@c"),
        ("MAIL_FROM", ""),
        ("MAIL_FROM", "Eve <a@example.org>\nBcc: b@example.org"),
        ("PUBLIC_URL", ""),
        ("PUBLIC_URL", "ftp://example.org"),
        ("PUBLIC_URL", "https://user:s3cret@example.org"),
        ("PUBLIC_URL", "https://example.org?x=1"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_without_its_password(name: str, value: str) -> None:
    with pytest.raises(BadSetting) as raised:
        providers.mailer(load(SET | {f"CONTENTGEN_{name}": value}))
    assert f"CONTENTGEN_{name}" in raised.value.detail
    assert "s3cret" not in raised.value.detail
    assert raised.value.__cause__ is None or "s3cret" not in str(raised.value.__cause__)
