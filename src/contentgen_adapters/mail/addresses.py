"""Mail addresses, validated by email-validator."""

from __future__ import annotations

from typing import Final

from contentgen_core.errors import InvalidInput

MAX_ADDRESS: Final = 254  # RFC 5321, section 4.5.3.1.3, without the angle brackets


class ValidatedAddresses:
    """Checks the syntax of addresses, not whether they exist. Domains of a private network are accepted; a domain
    without a dot is refused, since it is nearly always a typing error."""

    def normalise(self, text: str) -> str:
        from email_validator import EmailNotValidError, validate_email

        if len(text) > MAX_ADDRESS:
            raise InvalidInput.of("email", f"at most {MAX_ADDRESS} characters")
        try:
            read = validate_email(
                text.strip(),
                check_deliverability=False,
                globally_deliverable=False,
                allow_smtputf8=False,
                test_environment=True,  # accept domains below .test, which are reserved for tests
            )
        except EmailNotValidError as exc:
            raise InvalidInput.of("email", f"is no mail address: {exc}") from exc
        address = (read.ascii_email or read.normalized).lower()
        if "." not in read.ascii_domain or len(address) > MAX_ADDRESS:
            raise InvalidInput.of("email", "is no mail address: its domain has no dot, or is too long")
        return address
