"""What goes out to other services, and what each of their failures means."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contentgen_adapters.shared.http import (
    BadStatus,
    Peer,
    RetryPolicy,
    failure_of,
    make_client,
    post_json,
    retry_after,
    translate_error,
)
from contentgen_core.errors import ProviderFailed

PEER = Peer("Sample", "CONTENTGEN_SAMPLE_API_KEY")
URL = "https://sample.example/v1/things?token=in-the-query"
OK = httpx.Response(200, json={"fine": True})


class Service:
    """Gives its answers in turn, the last one for ever, and remembers requests and waits."""

    def __init__(self, *answers: httpx.Response | Exception | Callable[[], httpx.Response]) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer() if callable(answer) else answer

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def post(self, peer: Peer = PEER, attempts: int = 3, max_bytes: int = 10_000) -> httpx.Response:
        async with make_client(transport=httpx.MockTransport(self)) as client:
            return await post_json(
                client,
                URL,
                {"text": "é"},
                peer=peer,
                headers={"Authorization": "Bearer secret-key-1234"},
                retry_policy=RetryPolicy(attempts=attempts, sleep=self.sleep),
                max_bytes=max_bytes,
            )


async def failure(service: Service, **given: object) -> ProviderFailed:
    with pytest.raises(ProviderFailed) as caught:
        await service.post(**given)  # type: ignore[arg-type]
    return caught.value


async def test_a_good_answer_comes_back_read() -> None:
    service = Service(OK)
    assert (await service.post()).json() == {"fine": True}
    assert service.requests[0].content == '{"text":"é"}'.encode()
    assert service.requests[0].headers["content-type"] == "application/json"


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 529])
async def test_a_passing_failure_is_asked_again(status: int) -> None:
    service = Service(httpx.Response(status), OK)
    assert (await service.post()).status_code == 200
    assert len(service.requests) == 2


@pytest.mark.parametrize("status", [400, 404, 409, 413, 422, 501])
async def test_a_lasting_failure_is_not_asked_again(status: int) -> None:
    service = Service(httpx.Response(status))
    error = await failure(service)
    assert not error.retryable
    assert len(service.requests) == 1


async def test_a_service_may_name_further_passing_failures() -> None:
    service = Service(httpx.Response(409), OK)
    peer = Peer("Sample", "X", also_retryable=frozenset({409}))
    assert (await service.post(peer=peer)).status_code == 200


async def test_a_service_may_name_a_failure_that_does_not_pass() -> None:
    service = Service(httpx.Response(429, json={"error": {"code": "no_credit"}}))
    error = await failure(
        service, peer=Peer("Sample", "X", permanent=lambda response: b"no_credit" in response.content)
    )
    assert not error.retryable
    assert len(service.requests) == 1


@pytest.mark.parametrize("status", [401, 403])
async def test_a_refused_key_names_the_setting_and_is_not_asked_again(status: int) -> None:
    service = Service(httpx.Response(status, json={"error": {"message": "bad key secret-key-1234"}}))
    error = await failure(service)
    assert not error.retryable
    assert "CONTENTGEN_SAMPLE_API_KEY" in str(error)
    assert len(service.requests) == 1


@pytest.mark.parametrize("status", [401, 403])
async def test_a_service_that_a_person_entered_is_told_by_its_own_words(status: int) -> None:
    service = Service(httpx.Response(status, json={"error": {"message": "no"}}))
    error = await failure(service, peer=Peer("Sample"))
    assert not error.retryable
    assert str(error) == f"Sample: refused the credentials (HTTP {status}): no"


async def test_attempts_are_bounded() -> None:
    service = Service(httpx.Response(503))
    error = await failure(service, attempts=3)
    assert error.retryable
    assert len(service.requests) == 3
    assert all(0 <= wait <= 30 for wait in service.waits)


async def test_the_wait_asked_for_is_kept() -> None:
    service = Service(httpx.Response(429, headers={"retry-after": "7"}), OK)
    await service.post()
    assert service.waits == [7.0]


async def test_a_long_wait_is_left_to_whoever_asked() -> None:
    service = Service(httpx.Response(429, headers={"retry-after": "600"}))
    error = await failure(service)
    assert (error.retryable, error.retry_after) == (True, 600.0)
    assert service.waits == []


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 40.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:10 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_a_wait_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(httpx.Response(429, headers=headers), now=60.0) == seconds


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=60))
def test_any_wait_header_gives_a_wait_or_none(text: str) -> None:
    wait = retry_after(httpx.Response(429, headers={"retry-after": text}), now=0.0)
    assert wait is None or wait >= 0


@pytest.mark.parametrize(
    ("error", "retryable"),
    [
        (httpx.ConnectError("refused"), True),
        (httpx.ConnectTimeout("slow"), True),
        (httpx.ReadTimeout("slow"), True),
        (httpx.PoolTimeout("busy"), True),
        (httpx.ReadError("reset"), True),
        (httpx.RemoteProtocolError("gone"), True),
        (httpx.UnsupportedProtocol("ftp"), False),
        (httpx.DecodingError("gzip"), False),
        (httpx.InvalidURL("no"), False),
    ],
)
def test_every_failure_of_the_connection_has_a_meaning(
    error: httpx.HTTPError | httpx.InvalidURL, retryable: bool
) -> None:
    assert translate_error(error, PEER).retryable is retryable
    assert translate_error(error, PEER).away is retryable, "a service that cannot be reached is away"


async def test_a_lost_connection_is_tried_again() -> None:
    service = Service(httpx.ConnectError("refused"), OK)
    assert (await service.post()).status_code == 200


async def test_a_redirect_is_not_followed_with_the_key() -> None:
    service = Service(httpx.Response(302, headers={"location": "https://elsewhere.example/"}))
    error = await failure(service)
    assert "redirect" in str(error)
    assert [request.url.host for request in service.requests] == ["sample.example"]


async def test_an_answer_beyond_the_bound_is_refused() -> None:
    assert "larger than" in str(await failure(Service(httpx.Response(200, content=b"x" * 20_000))))


async def test_an_answer_that_unpacks_beyond_the_bound_is_refused() -> None:
    packed = gzip.compress(b"0" * 5_000_000)
    assert len(packed) < 10_000
    service = Service(lambda: httpx.Response(200, content=packed, headers={"content-encoding": "gzip"}))
    assert "larger than" in str(await failure(service))


async def test_a_packed_answer_is_unpacked() -> None:
    packed = gzip.compress(b'{"fine": true}')
    service = Service(lambda: httpx.Response(200, content=packed, headers={"content-encoding": "gzip"}))
    assert (await service.post()).json() == {"fine": True}


async def test_messages_hold_no_secret_and_no_long_body() -> None:
    body = "token secret-key-1234 is wrong. " + "x" * 5_000
    error = await failure(Service(httpx.Response(400, text=body)))
    assert "secret" not in str(error)
    assert "in-the-query" not in str(error)
    assert len(str(error)) < 400


async def test_the_services_own_message_is_quoted() -> None:
    error = await failure(Service(httpx.Response(400, json={"error": {"message": "the model is unknown"}})))
    assert "the model is unknown" in str(error)
    assert isinstance(error, BadStatus)
    assert error.response.status_code == 400


async def test_the_whole_call_ends_in_time() -> None:
    class Drip(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            while True:
                yield b" "
                await asyncio.sleep(0.02)

    async with make_client(transport=httpx.MockTransport(lambda request: httpx.Response(200, stream=Drip()))) as client:
        with pytest.raises(ProviderFailed, match="within") as caught:
            await post_json(client, URL, {}, peer=PEER, retry_policy=RetryPolicy(total=0.2))
    assert caught.value.retryable


async def test_waiting_for_a_place_is_no_failure_and_counts_nowhere() -> None:
    under_way = most = 0

    async def answer(request: httpx.Request) -> httpx.Response:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.25)
        under_way -= 1
        return OK

    # The last ones wait for 1.75 s, longer than a request may take in all.
    policy = RetryPolicy(total=1.2, attempt=1.0, attempts=1, places=asyncio.Semaphore(2))
    async with make_client(transport=httpx.MockTransport(answer)) as client:
        answers = await asyncio.gather(*(post_json(client, URL, {}, peer=PEER, retry_policy=policy) for _ in range(16)))
    assert [response.status_code for response in answers] == [200] * 16
    assert most == 2


async def test_an_attempt_that_trickles_gives_its_place_to_the_next() -> None:
    class Drip(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            while True:
                yield b" "
                await asyncio.sleep(0.02)

    service = Service(httpx.Response(200, stream=Drip()), OK)
    places = asyncio.Semaphore(1)
    policy = RetryPolicy(total=30, attempt=0.2, attempts=1, places=places)
    async with make_client(transport=httpx.MockTransport(service)) as client:
        with pytest.raises(ProviderFailed, match=r"no complete answer within 0\.2 s") as caught:
            await post_json(client, URL, {}, peer=PEER, retry_policy=policy)
        assert caught.value.retryable
        assert (await post_json(client, URL, {}, peer=PEER, retry_policy=policy)).json() == {"fine": True}
    assert not places.locked()


@given(waits=st.lists(st.floats(0, 0.05), min_size=1, max_size=8))
@settings(max_examples=10, deadline=None)
async def test_places_are_free_again_whenever_a_caller_leaves(waits: list[float]) -> None:
    async def answer(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(0.02)
        return OK

    places = asyncio.Semaphore(2)
    async with make_client(transport=httpx.MockTransport(answer)) as client:

        async def leave(after: float) -> None:
            with suppress(TimeoutError):
                async with asyncio.timeout(after):
                    await post_json(client, URL, {}, peer=PEER, retry_policy=RetryPolicy(places=places))

        await asyncio.gather(*map(leave, waits))
        async with asyncio.timeout(1), places, places:
            pass


@pytest.mark.parametrize(
    ("status", "away"),
    [
        (400, False),
        (401, False),
        (409, False),
        (501, False),
        (408, True),
        (429, True),
        (500, True),
        (503, True),
        (529, True),
    ],
)
def test_which_answers_say_that_a_service_is_away(status: int, away: bool) -> None:
    peer = Peer("Sample", also_retryable=frozenset({409}))
    response = httpx.Response(status, request=httpx.Request("POST", "https://api.example.org"))
    assert failure_of(response, peer).away is away


def test_a_service_whose_credit_is_used_up_is_not_away() -> None:
    peer = Peer("Sample", permanent=lambda _: True)
    response = httpx.Response(429, request=httpx.Request("POST", "https://api.example.org"))
    assert not failure_of(response, peer).away


async def test_a_slow_host_leaves_connections_to_the_others() -> None:
    """Over real sockets, since only these are counted."""
    released, under_way, most = asyncio.Event(), 0, 0

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await reader.readuntil(b"\r\n\r\n")
        await released.wait()
        under_way -= 1
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
        writer.close()

    async def quick(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
        writer.close()

    async with (
        await asyncio.start_server(slow, "127.0.0.1", 0) as one,
        await asyncio.start_server(quick, "127.0.0.1", 0) as other,
        make_client(connections=6, calls_per_host=4, connect=2.0) as client,
    ):
        slow_url, quick_url = (f"http://127.0.0.1:{s.sockets[0].getsockname()[1]}/" for s in (one, other))
        waiting = [asyncio.create_task(post_json(client, slow_url, {}, peer=PEER)) for _ in range(12)]
        while under_way < 4:
            await asyncio.sleep(0.01)
        answer = await post_json(client, quick_url, {}, peer=PEER, retry_policy=RetryPolicy(total=5.0, attempts=1))
        assert answer.is_success
        assert most == 4
        released.set()
        assert all(answer.is_success for answer in await asyncio.gather(*waiting))
        assert most <= 4
