"""Mail over SMTP (RFC 5321), with STARTTLS or TLS from the first byte."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import parseaddr
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from attrs import frozen

from contentgen_core.errors import ProviderFailed
from contentgen_core.ports.mail import Mail

NAME: Final = "Mail server"
SECONDS: Final = 20.0  # of each step of the conversation
RETRY_SECONDS: Final = 60.0  # a server that is away, or busy, often is for a while
_PORTS: Final = {"smtp": 587, "smtps": 465}
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class _Unfolded(EmailPolicy):
    """Never folds an address: the library would split a long one and encode its parts as words (RFC 2047), which many
    programs cannot parse as an address."""

    def fold(self, name: str, value: Any) -> str:
        return self._whole(name, value) or super().fold(name, value)

    def fold_binary(self, name: str, value: Any) -> bytes:
        whole = self._whole(name, value)
        return whole.encode("ascii") if whole else super().fold_binary(name, value)

    def _whole(self, name: str, value: Any) -> str | None:
        return f"{name}: {value}{self.linesep}" if name == "List-Unsubscribe" else None


_POLICY: Final = _Unfolded(linesep="\r\n")


@frozen
class SmtpServer:
    """The address of a mail server. `implicit_tls`: TLS from the first byte; otherwise STARTTLS where the server offers
    it. `user` and `password`: both or neither.
    """

    host: str
    port: int
    implicit_tls: bool = False
    user: str | None = None
    password: str | None = None

    @classmethod
    def parse(cls, url: str) -> SmtpServer:
        """Read `smtp://user:password@host:port` or `smtps://…`, user and password percent-encoded. Raises ValueError,
        whose text never holds the password.
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise ValueError("is no address such as smtp://user:password@mail.example.org:587") from None
        if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
            raise ValueError("is no address such as smtp://user:password@mail.example.org:587")
        if (parts.username is None) != (parts.password is None):
            raise ValueError("needs a user and a password, or neither")
        return cls(
            host=parts.hostname,
            port=port or _PORTS[parts.scheme],
            implicit_tls=parts.scheme == "smtps",
            user=None if parts.username is None else unquote(parts.username),
            password=None if parts.password is None else unquote(parts.password),
        )


def sender(text: str) -> Address:
    """Parses `no-reply@example.org` or `Contentgen <no-reply@example.org>`. Raises ValueError."""
    name, address = parseaddr(text)
    try:
        parsed = Address(display_name=name, addr_spec=address)
    except (ValueError, IndexError, AttributeError, HeaderParseError):  # what the parser raises for invalid addresses
        parsed = Address()
    if not (text.isprintable() and parsed.username and parsed.domain):
        raise ValueError("is no sender such as Contentgen <no-reply@example.org>")
    return parsed


class SmtpMailer:
    """The mailer port over SMTP.

    `sender`: the From address; its domain is that of the Message-ID. `tls`: by default the system's certificates.
    """

    delivers = True

    def __init__(self, server: SmtpServer, sender: Address, *, tls: ssl.SSLContext | None = None) -> None:
        self._server, self._sender = server, sender
        self._tls = tls or ssl.create_default_context()

    async def send(self, mail: Mail) -> None:
        await asyncio.to_thread(self._send, self._message(mail))

    def _message(self, mail: Mail) -> EmailMessage:
        message = EmailMessage(_POLICY)
        message["Message-ID"] = f"<{mail.id}@{self._sender.domain}>"
        message["From"] = self._sender
        message["To"] = mail.to
        message["Subject"] = mail.subject
        message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no vacation replies
        if mail.unsubscribe_url:
            message["List-Unsubscribe"] = f"<{mail.unsubscribe_url}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(mail.text, cte="quoted-printable")
        return message

    def _send(self, message: EmailMessage) -> None:
        try:
            with self._connect() as connection:
                connection.send_message(message)
        except smtplib.SMTPException as exc:
            raise _failure(exc) from exc
        except ssl.SSLCertVerificationError as exc:
            raise ProviderFailed(NAME, "its certificate is not trusted", retryable=False) from exc
        except OSError as exc:
            raise _unreachable() from exc

    def _connect(self) -> smtplib.SMTP:
        server = self._server
        if server.implicit_tls:
            connection: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=SECONDS, context=self._tls)
        else:
            connection = smtplib.SMTP(server.host, server.port, timeout=SECONDS)
        try:
            self._authenticate(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _authenticate(self, connection: smtplib.SMTP) -> None:
        server = self._server
        connection.ehlo()
        if not server.implicit_tls:
            if connection.has_extn("starttls"):
                connection.starttls(context=self._tls)
                connection.ehlo()
            elif server.password is not None and server.host not in _LOOPBACK:
                raise ProviderFailed(NAME, "it offers no TLS, and a password is not sent without", retryable=False)
        if server.user is not None and server.password is not None:
            connection.login(server.user, server.password)


def _failure(exc: smtplib.SMTPException) -> ProviderFailed:
    """Classify a failure by SMTP's reply codes: 4yz is transient, 5yz permanent (RFC 5321, section 4.2.1). The server's
    text is not passed on: it is about the operator's server, and the reader is a tenant.
    """
    match exc:
        case smtplib.SMTPAuthenticationError():
            return ProviderFailed(NAME, "it refuses the user or the password", retryable=False)
        case smtplib.SMTPRecipientsRefused():
            code = max(code for code, _ in exc.recipients.values())
            return _refusal("the address", code)
        case smtplib.SMTPResponseException():
            return _refusal("the mail", exc.smtp_code)
        case smtplib.SMTPNotSupportedError():
            return ProviderFailed(NAME, "it cannot do what is needed for this mail", retryable=False)
        case _:
            return _unreachable()


def _refusal(what: str, code: int) -> ProviderFailed:
    if 500 <= code < 600:
        return ProviderFailed(NAME, f"it refuses {what} (code {code})", retryable=False)
    return ProviderFailed(NAME, f"it does not take {what} now (code {code})", retryable=True, retry_after=RETRY_SECONDS)


def _unreachable() -> ProviderFailed:
    return ProviderFailed(NAME, "it cannot be reached, or hung up", retryable=True, retry_after=RETRY_SECONDS)
