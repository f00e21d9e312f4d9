"""An instance that sends nothing: what requests would send is refused, what jobs would send waits. All is counted."""

from __future__ import annotations

from attrs import define, evolve, field

from contentgen_core.ports.mail import Mail
from contentgen_core.ports.repositories.jobs import Jobs
from contentgen_grounded.bootstrap.holding_back import holding_back
from contentgen_http.services import Services
from contentgen_http.telemetry.telemetry import Telemetry
from tests.contract.test_http_integrations import MEMORY, an_article, connected
from tests.contract.test_http_webhooks import NEW, created
from tests.support.house import OPTIONS
from tests.support.http import client_of, open_api, problem_of
from tests.support.prepared_app import create_app

NOTHING = "this instance was started with --no-jobs"


@define
class CountingMailer:
    delivers: bool = True
    sent: list[Mail] = field(factory=list)

    async def send(self, mail: Mail) -> None:
        self.sent.append(mail)


async def test_requests_mail_and_publish_nothing_and_what_they_queue_waits() -> None:
    mailer = CountingMailer()
    async with open_api() as live:
        house = live.house
        integration, webhook = await connected(live), await created(live)
        article = await an_article(live)
        path = f"/integrations/{integration['id']}/publish"
        made = (await live.call("POST", path, {"articleId": article})).json()["publication"]
        await house.work()
        ports = holding_back(evolve(house.services.ports, mailer=mailer))
        app = create_app(Services.observed(ports, Telemetry(), OPTIONS), no_jobs=True)
        async with client_of(app) as client:
            copy = evolve(live, client=client, app=app)
            calls, messages = list(house.target.calls), list(house.webhooks.sent)
            for method, address, body in (
                ("POST", "/public/trend-alerts", {"email": "ada@example.org", "nicheKeys": [], "minScore": 70}),
                ("POST", "/integrations", MEMORY | {"name": "Another"}),
                ("POST", f"/integrations/{integration['id']}/test", None),
                ("PATCH", f"/integrations/{integration['id']}", {"credentials": MEMORY["credentials"]}),
                ("POST", f"/publications/{made['id']}/unpublish", None),
                ("DELETE", f"/publications/{made['id']}/post", None),
                ("POST", f"/webhooks/{webhook['id']}/test", None),
            ):
                answer = await copy.call(method, address, body, key=None if "/public/" in address else live.key)
                assert answer.status_code == 503, (address, answer.text)
                problem = problem_of(answer)
                assert (problem["code"], NOTHING in problem["detail"]) == ("held_back", True), address
            queued = {
                "/team/invite": {"email": "bo@example.org", "role": "editor"},
                path: {"articleId": article, "anew": True},
                "/webhooks": NEW | {"name": "Another"},
            }
            for address, body in queued.items():
                assert (await copy.call("POST", address, body)).status_code == 200, address
            assert (house.target.calls, house.webhooks.sent, mailer.sent) == (calls, messages, [])
        async with ports.unit_of_work() as tx:
            due = await tx[Jobs].due_by_kind(house.clock.now())
        assert {kind.value for kind in due} >= {"send_invitation", "publish"}
