"""Trends by mail: nothing before the address agrees, at most once a day, no trend twice, nothing after the end."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import unquote

import pytest
from attrs import define, evolve, field
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.mail.addresses import ValidatedAddresses
from contentgen_adapters.mail.tokens import SignedAlertTokens
from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.runtime import Uuid7Ids
from contentgen_core.errors import InvalidInput, NotFound, ProviderFailed
from contentgen_core.link_errors import LinkInvalid
from contentgen_core.model.trend import Trend, TrendSlug
from contentgen_core.model.trend_alert import TrendAlert, TrendAlertId
from contentgen_core.ports.mail import AlertSubscription, Mail
from contentgen_core.ports.repositories.niches import Niches
from contentgen_core.ports.repositories.trend_alerts import TrendAlerts
from contentgen_core.ports.repositories.trends import Trends
from contentgen_core.testing import builders
from contentgen_core.testing.runtime import MOMENT, ManualClock
from contentgen_core.use_cases.public.alerts import ConfirmAlerts, RequestAlerts, UnsubscribeAlerts
from contentgen_core.use_cases.public.clicks import CountClick, digest
from contentgen_core.use_cases.public.send_alerts import EVERY, MAX_IN_A_DIGEST, SendAlerts
from tests.support.public import NICHE, a_trend, add_trends

BASE = "https://articles.example.org"
ADA = "ada@example.org"


@define
class Letters:
    """Keeps mail; `fault` makes it refuse, `dead` makes the process end in the middle."""

    delivers: bool = True
    sent: list[Mail] = field(factory=list)
    fault: ProviderFailed | None = None
    dead: bool = False

    async def send(self, mail: Mail) -> None:
        if self.dead:
            raise SystemExit
        if self.fault:
            raise self.fault
        self.sent.append(mail)


class Office:
    def __init__(self) -> None:
        self.data, self.clock, self.ids, self.letters = MemoryUnitOfWork(), ManualClock(), Uuid7Ids(), Letters()
        tokens = SignedAlertTokens(b"a secret of the tests, 32 bytes.")
        self.tokens = tokens
        self.request = RequestAlerts(self.data, ValidatedAddresses(), self.letters, tokens, self.clock, self.ids, BASE)
        self.confirm = ConfirmAlerts(self.data, tokens, self.clock, self.ids)
        self.end = UnsubscribeAlerts(self.data, tokens)
        self.send = SendAlerts(self.data, self.letters, tokens, self.clock, self.ids, BASE)

    async def subscribed(self, email: str = ADA, score: float = 50, niches: tuple[str, ...] = ()) -> TrendAlert:
        return await self.confirm(
            self.tokens.sign_subscription(
                AlertSubscription(email, niches, score, self.clock.now() + timedelta(hours=1))
            )
        )

    async def trends(self, *trends: Trend) -> None:
        await add_trends(self.data, *trends)

    async def send_due(self, worker: str = "w1") -> int:
        """What the process with the lease sends in its next round."""
        self.clock.advance(seconds=EVERY.total_seconds() + 1)
        return await self.send(worker)

    def subjects(self) -> list[str]:
        return [mail.subject for mail in self.letters.sent]

    async def stored(self) -> list[TrendAlert]:
        async with self.data() as tx:
            return await tx[TrendAlerts].due(self.clock.now() + timedelta(days=9), None, 100)


@pytest.fixture
def office() -> Office:
    return Office()


def link(mail: Mail) -> str:
    return next(line for line in mail.text.splitlines() if line.startswith(BASE))


def token(mail: Mail) -> str:
    return unquote(link(mail).partition("token=")[2])


async def test_nothing_is_stored_until_the_address_confirms(office: Office) -> None:
    assert await office.request("Ada@Example.org ", [], 60)
    assert await office.stored() == []
    [mail] = office.letters.sent
    assert (mail.to, mail.unsubscribe_url) == (ADA, None)
    assert link(mail).startswith(f"{BASE}/public/trend-alerts/confirm?token=")
    alert = await office.confirm(token(mail))
    assert (alert.email, alert.min_score, alert.niche_keys) == (ADA, 60, ())
    assert await office.stored() == [alert]


async def test_who_is_subscribed_gets_the_same_mail_as_who_is_not(office: Office) -> None:
    await office.subscribed()
    for email in (ADA, "eve@example.org"):
        await office.request(email, [], 60)
    first, second = office.letters.sent
    assert first.text.replace(token(first), "") == second.text.replace(token(second), "")
    assert first.subject == second.subject


async def test_only_niches_that_trends_are_followed_in_can_be_wanted(office: Office) -> None:
    async with office.data() as tx:
        await tx[Niches].add(builders.niche(niche_key=NICHE, tenant_id=None))
    await office.request(ADA, [NICHE, NICHE], 60)
    assert (await office.confirm(token(office.letters.sent[0]))).niche_keys == (NICHE,)
    with pytest.raises(InvalidInput) as raised:
        await office.request(ADA, [NICHE, "nobodys"], 60)
    assert [fault.field for fault in raised.value.errors] == ["nicheKeys[1]"]
    with pytest.raises(InvalidInput):
        await office.request("nobody", [], 60)


async def test_a_link_to_confirm_grows_old(office: Office) -> None:
    await office.request(ADA, [], 60)
    office.clock.advance(hours=48)
    with pytest.raises(LinkInvalid):
        await office.confirm(token(office.letters.sent[0]))
    assert await office.stored() == []


@given(st.text(max_size=100))
async def test_a_token_that_was_not_signed_here_does_nothing(text: str) -> None:
    office = Office()
    for use in (office.confirm, office.end):
        with pytest.raises(LinkInvalid):
            await use(text)


async def test_neither_kind_of_token_passes_for_the_other(office: Office) -> None:
    alert = await office.subscribed()
    with pytest.raises(LinkInvalid):
        await office.confirm(office.tokens.sign_unsubscribe(alert.id))
    with pytest.raises(LinkInvalid):
        await office.end(office.tokens.sign_subscription(AlertSubscription(ADA, (), 1, MOMENT + timedelta(days=1))))
    foreign = SignedAlertTokens(b"another secret of the tests, 32.")
    with pytest.raises(LinkInvalid):
        await office.end(foreign.sign_unsubscribe(alert.id))
    assert await office.stored() == [alert]


async def test_confirming_again_changes_what_is_wanted(office: Office) -> None:
    first = await office.subscribed(score=50)
    second = await office.subscribed(score=90)
    assert second == evolve(first, min_score=90, revision=2)


async def test_a_trend_that_reaches_the_score_is_told_once(office: Office) -> None:
    await office.subscribed(score=50)
    await office.trends(a_trend("high", 60), a_trend("low", 40), a_trend("sample", 99, sample=True))
    assert await office.send_due() == 1
    for _ in range(3):
        office.clock.advance(days=2)
        assert await office.send_due() == 0
    [mail] = office.letters.sent
    assert (mail.to, mail.subject) == (ADA, "The trend high")
    assert "https://news.example.org/high" in mail.text
    assert "low" not in mail.text


async def test_there_is_one_digest_a_day_at_most(office: Office) -> None:
    await office.subscribed(score=50)
    await office.trends(a_trend("a", 60), a_trend("b", 70))
    await office.send_due()
    await office.trends(a_trend("c", 80))
    for _ in range(5):
        assert await office.send_due() == 0
    office.clock.advance(days=1)
    assert await office.send_due() == 1
    assert office.subjects() == ["2 trends", "The trend c"]


async def test_only_trends_of_the_niches_that_are_wanted_are_told(office: Office) -> None:
    await office.subscribed(niches=("ecommerce",))
    await office.trends(a_trend("heat", 90), a_trend("shop", 90, niche_key="ecommerce"))
    await office.send_due()
    assert office.subjects() == ["The trend shop"]


async def test_a_mail_is_of_bounded_length_and_the_rest_comes_next_day(office: Office) -> None:
    await office.subscribed()
    await office.trends(*(a_trend(f"t{n:02}", 60) for n in range(MAX_IN_A_DIGEST + 2)))
    await office.send_due()
    office.clock.advance(days=1)
    await office.send_due()
    assert office.subjects() == [f"{MAX_IN_A_DIGEST} trends", "2 trends"]


async def test_every_digest_can_be_ended_in_one_click(office: Office) -> None:
    await office.subscribed()
    await office.trends(a_trend("heat", 90))
    await office.send_due()
    [mail] = office.letters.sent
    assert mail.unsubscribe_url == link(mail)
    ending = unquote(mail.unsubscribe_url.partition("token=")[2])
    await office.end(ending)
    assert await office.stored() == []
    await office.end(ending)
    await office.trends(a_trend("noise", 90))
    office.clock.advance(days=2)
    assert await office.send_due() == 0


async def test_a_mail_that_was_refused_is_tried_again(office: Office) -> None:
    await office.subscribed()
    await office.trends(a_trend("heat", 90))
    office.letters.fault = ProviderFailed("Mail server", "away", retryable=True)
    assert await office.send_due() == 0
    office.letters.fault = None
    assert await office.send_due() == 1
    assert office.subjects() == ["The trend heat"]


async def test_a_process_that_dies_while_it_sends_leads_to_no_second_mail(office: Office) -> None:
    await office.subscribed()
    await office.trends(a_trend("heat", 90))
    office.letters.dead = True
    with pytest.raises(SystemExit):
        await office.send_due()
    office.letters.dead = False
    for _ in range(3):
        assert await office.send_due("w2") == 0


async def test_one_process_at_a_time_sends(office: Office) -> None:
    await office.subscribed()
    await office.trends(a_trend("heat", 90))
    assert await office.send("w1") == 1
    await office.subscribed("eve@example.org")
    assert await office.send("w2") == 0
    assert await office.send("w1") == 0
    office.clock.advance(minutes=11)
    assert await office.send("w2") == 1


async def test_without_a_mail_server_nothing_is_told_and_nothing_counts_as_told(office: Office) -> None:
    alert = await office.subscribed()
    await office.trends(a_trend("heat", 90))
    office.letters.delivers = False
    assert await office.send_due() == 0
    assert await office.stored() == [alert]


async def test_what_was_told_of_trends_that_are_gone_is_forgotten(office: Office) -> None:
    alert = await office.subscribed()
    async with office.data() as tx:
        await tx[TrendAlerts].save(evolve(alert, announced=frozenset({TrendSlug("gone")})))
    await office.trends(a_trend("heat", 90))
    await office.send_due()
    [stored] = await office.stored()
    assert stored.announced == {"heat"}


async def test_a_titles_line_breaks_do_not_reach_headers(office: Office) -> None:
    await office.subscribed()
    await office.trends(a_trend("heat", 90, title="Heat\r\nBcc: eve@example.org"))
    await office.send_due()
    assert office.subjects() == ["Heat Bcc: eve@example.org"]


def test_a_subscription_wants_what_it_says() -> None:
    alert = TrendAlert(TrendAlertId("a"), ADA, ("x",), 50, frozenset({TrendSlug("told")}))
    assert alert.wants(a_trend("new", 50, niche_key="x"))
    assert not alert.wants(a_trend("new", 49.9, niche_key="x"))
    assert not alert.wants(a_trend("told", 50, niche_key="x"))
    assert not alert.wants(a_trend("new", 50, niche_key="y"))


async def clicks_of(office: Office, slug: str) -> int:
    async with office.data() as tx:
        trend = await tx[Trends].find(TrendSlug(slug))
    assert trend is not None
    return trend.clicks


async def test_a_visitor_counts_once_a_day_and_trend(office: Office) -> None:
    salts = iter((b"1" * 32, b"2" * 32, b"3" * 32, b"4" * 32))
    last = b""

    def new_salt() -> bytes:
        nonlocal last
        last = next(salts, last)
        return last

    count = CountClick(office.data, office.clock, new_salt)
    await office.trends(a_trend("heat"), a_trend("noise"))
    counted = [
        await count(TrendSlug(slug), address)
        for slug, address in (
            ("heat", "192.0.2.1"),
            ("heat", "192.0.2.1"),
            ("heat", "::ffff:192.0.2.1"),
            ("heat", "192.0.2.2"),
            ("noise", "192.0.2.1"),
            ("heat", "2001:db8::1"),
            ("heat", "2001:db8::ffff"),
            ("heat", "2001:db8:0:1::1"),
        )
    ]
    assert counted == [True, False, False, True, True, True, False, True]
    office.clock.advance(days=1)
    assert await count(TrendSlug("heat"), "192.0.2.1")
    assert (await clicks_of(office, "heat"), await clicks_of(office, "noise")) == (5, 1)
    with pytest.raises(NotFound):
        await count(TrendSlug("nobodys"), "192.0.2.1")


async def test_the_turn_forgets_the_visits_of_former_days(office: Office) -> None:
    count = CountClick(office.data, office.clock, lambda: b"s" * 32)
    await office.trends(a_trend("heat"))
    await count(TrendSlug("heat"), "192.0.2.1")
    await office.send_due()
    assert not await count(TrendSlug("heat"), "192.0.2.1"), "today's are still known"
    office.clock.advance(days=1)
    await office.send_due()
    assert office.data._store["clicks"] == {}
    assert office.data._store["click_salts"] == {}
    assert await clicks_of(office, "heat") == 1


@given(st.ip_addresses().map(str), st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_a_visit_tells_nothing_without_the_days_salt(address: str, salt: bytes, other: bytes) -> None:
    made = digest(salt, "heat", address)
    assert len(made) == 32
    assert (made == digest(other, "heat", address)) == (salt == other)
    assert address.encode() not in made
