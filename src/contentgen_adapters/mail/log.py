"""The mailer of an installation without a mail server."""

from __future__ import annotations

import structlog

from contentgen_core.ports.mail import Mail

log = structlog.get_logger("contentgen.mail")


class LogMailer:
    """Tells that there was a mail. What it says holds links that are as good as keys: those are for level debug."""

    delivers = False

    async def send(self, mail: Mail) -> None:
        log.info("mail not sent: no mail server is set up", mailId=mail.id, setting="CONTENTGEN_SMTP_URL")
        log.debug("mail", mailId=mail.id, to=mail.to, subject=mail.subject, text=mail.text)
