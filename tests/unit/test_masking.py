import httpx
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.shared.masking import mask, secrets_of


def test_a_secret_that_is_part_of_another_leaves_nothing_of_it() -> None:
    assert mask("key abcd, path abcdefgh", ("abcd", "abcdefgh")) == "key ***, path ***"


def test_an_empty_secret_hides_nothing() -> None:
    assert mask("a text", ("",)) == "a text"


@given(st.text("ab ", max_size=30), st.lists(st.text("ab", min_size=1, max_size=5), max_size=4))
def test_no_secret_is_left(text: str, secrets: list[str]) -> None:
    shown = mask(text, secrets)
    assert not any(secret in part for secret in secrets for part in shown.split("***"))


def test_the_secrets_of_a_request_are_in_its_telling_headers() -> None:
    headers = {
        "Authorization": "Bearer 0123456789",
        "X-Api-Key": "abcdefgh",
        "Cookie": "a=1",
        "User-Agent": "contentgen of a test",
    }
    assert secrets_of(httpx.Request("GET", "https://example.org", headers=headers)) == {
        "Bearer 0123456789",
        "0123456789",
        "abcdefgh",
    }
