"""A real SMTP server in this process, with the moods of one."""

from __future__ import annotations

import asyncio
import email.policy
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from typing import Any

import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from attrs import define, field

USER, PASSWORD = "mailer@example.org", "pa:ss/w@rd%"


@define
class Post:
    """The mails that the server received, and its answers. `answers` by command: `{"rcpt": "550 No such user"}`."""

    port: int = 0
    answers: dict[str, str] = field(factory=dict)
    taken: list[EmailMessage] = field(factory=list)
    raw: list[bytes] = field(factory=list)
    to: list[list[str]] = field(factory=list)
    encrypted: list[bool] = field(factory=list)
    logins: list[tuple[str, str]] = field(factory=list)

    async def handle_RCPT(self, _: Any, __: Any, envelope: Envelope, address: str, options: Any) -> str:
        answer = self.answers.get("rcpt", "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, _: Any, session: Session, envelope: Envelope) -> str:
        answer = self.answers.get("data", "250 OK")
        if answer.startswith("250"):
            assert isinstance(envelope.content, bytes)
            parsed = message_from_bytes(envelope.content, policy=email.policy.default)
            assert isinstance(parsed, EmailMessage)
            self.taken.append(parsed)
            self.raw.append(envelope.content)
            self.to.append(list(envelope.rcpt_tos))
            self.encrypted.append(session.ssl is not None)
        return answer

    def authenticate(self, _: Any, __: Any, ___: Any, ____: str, data: Any) -> AuthResult:
        login = data.login.decode(), data.password.decode()
        self.logins.append(login)
        return AuthResult(success=login == (USER, PASSWORD), handled=False)


class Certificates:
    """An authority of the tests, and a server's certificate of it for this machine's own names."""

    def __init__(self) -> None:
        authority = trustme.CA()
        self.server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost", "127.0.0.1").configure_cert(self.server)
        self.client = ssl.create_default_context()
        authority.configure_trust(self.client)


@contextmanager
def mail_server(
    *, starttls: ssl.SSLContext | None = None, tls: ssl.SSLContext | None = None, needs_login: bool = False
) -> Iterator[Post]:
    """Run a mail server on a free port of 127.0.0.1, in a thread of its own."""
    post = Post()
    loop = asyncio.new_event_loop()

    def connection() -> SMTP:
        return SMTP(
            post,
            hostname="mail.example.org",
            tls_context=starttls,
            authenticator=post.authenticate,
            auth_required=needs_login,
            auth_require_tls=starttls is not None,
            loop=loop,
        )

    thread = threading.Thread(target=loop.run_forever, name="mail server")
    thread.start()
    opening = loop.create_server(connection, "127.0.0.1", 0, ssl=tls)
    server = asyncio.run_coroutine_threadsafe(opening, loop).result(10)
    post.port = server.sockets[0].getsockname()[1]
    try:
        yield post
    finally:
        asyncio.run_coroutine_threadsafe(_closed(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _closed(server: asyncio.Server) -> None:
    server.close()
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    await asyncio.sleep(0.01)
