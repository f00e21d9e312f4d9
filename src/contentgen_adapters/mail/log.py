"""The mailer for an installation without a mail server."""

from __future__ import annotations

import structlog

from contentgen_core.ports.mail import Mail

log = structlog.get_logger("contentgen.mail")


class LogMailer:
    """Logs that there was a mail. Its text is logged at level debug only: its links grant access."""

    delivers = False

    async def send(self, mail: Mail) -> None:
        log.info("mail not sent: no mail server is set up", mailId=mail.id, setting="CONTENTGEN_SMTP_URL")
        log.debug("mail", mailId=mail.id, to=mail.to, subject=mail.subject, text=mail.text)
