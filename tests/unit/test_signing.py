"""Evidence files: anybody can verify one, whatever changes a byte of it is noticed, and keys are renewed."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import pytest
import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from contentgen_adapters.memory.unit_of_work import MemoryUnitOfWork
from contentgen_adapters.sealing import FernetBox
from contentgen_adapters.signing import Ed25519Signer, thumbprint
from contentgen_core.errors import NotConfigured
from contentgen_core.model.ids import SigningKeyId
from contentgen_core.ports.repositories.signing_keys import SigningKeys
from contentgen_core.ports.signing import NotAuthentic
from contentgen_core.testing.runtime import ManualClock
from contentgen_core.use_cases.signing import SignDocuments
from tests.support.house import open_house

SIGNER = Ed25519Signer()
KEY = SIGNER.new_key()
OTHER = SIGNER.new_key()
KNOWN = {KEY.id: KEY.public, OTHER.id: OTHER.public}
# Numbers beyond 2^53 have no canonical form, and none stands in an evidence file.
SCALARS = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(0, 1) | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS, lambda of: st.lists(of, max_size=4) | st.dictionaries(st.text(max_size=8), of, max_size=4)
)
DOCUMENTS = st.dictionaries(st.text(max_size=8), VALUES, max_size=5)
SAMPLE = SIGNER.signed({"text": "É", "scores": [1.0, 1e-7]}, KEY.id, KEY.secret)


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def holds(file: bytes, public: str) -> bool:
    """As the documentation tells a third party to verify a file, without any code of ours."""
    parsed = json.loads(file)
    header, _, signature = parsed["signature"].partition("..")
    payload = base64.urlsafe_b64encode(rfc8785.dumps(parsed["evidence"])).rstrip(b"=").decode()
    try:
        key = Ed25519PublicKey.from_public_bytes(decoded(public))
        key.verify(decoded(signature), f"{header}.{payload}".encode())
    except InvalidSignature:
        return False
    return True


@given(DOCUMENTS)
def test_what_is_signed_is_verified_and_read_back(document: dict[str, Any]) -> None:
    file = SIGNER.signed(document, KEY.id, KEY.secret)
    found = SIGNER.verified(file, KNOWN)
    assert (found.document, found.key_id) == (document, KEY.id)
    assert holds(file, KEY.public)
    assert not holds(file, OTHER.public)


@given(DOCUMENTS, st.data())
def test_a_file_of_which_any_byte_was_changed_is_refused(document: dict[str, Any], data: st.DataObject) -> None:
    file = SIGNER.signed(document, KEY.id, KEY.secret)
    at = data.draw(st.integers(0, len(file) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != file[at]))
    changed = data.draw(
        st.sampled_from(
            [file[:at] + bytes([byte]) + file[at + 1 :], file[:at] + file[at + 1 :], file[:at] + b" " + file[at:]]
        )
    )
    with pytest.raises(NotAuthentic):
        SIGNER.verified(changed, KNOWN)


def test_every_single_bit_counts() -> None:
    for at in range(len(SAMPLE)):
        for bit in range(8):
            changed = bytearray(SAMPLE)
            changed[at] ^= 1 << bit
            with pytest.raises(NotAuthentic):
                SIGNER.verified(bytes(changed), KNOWN)


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (b"", "cannot be read"),
        (b"\xff", "cannot be read"),
        (b"[" * 100_000, "cannot be read"),
        (b'{"evidence":{"n":1e999},"signature":""}', "cannot be read"),
        (b"[]", "nothing else"),
        (b'{"evidence":{},"more":1,"signature":""}', "nothing else"),
        (b'{"evidence":[],"signature":""}', "two parts"),
        (json.dumps(json.loads(SAMPLE), indent=1).encode(), "formatted"),
        (SAMPLE + b"\n", "formatted"),
        (b'{"evidence":{},"signature":"x"}', "not one of an evidence file"),
    ],
)
def test_what_is_no_evidence_file_is_refused_with_a_reason(file: bytes, reason: str) -> None:
    with pytest.raises(NotAuthentic, match=reason):
        SIGNER.verified(file, KNOWN)


def test_only_the_keys_that_are_given_are_believed() -> None:
    with pytest.raises(NotAuthentic, match="not among those given"):
        SIGNER.verified(SAMPLE, {OTHER.id: OTHER.public})
    with pytest.raises(NotAuthentic, match="was changed"):
        SIGNER.verified(SAMPLE, {KEY.id: OTHER.public})
    with pytest.raises(NotAuthentic):
        SIGNER.verified(SAMPLE, {KEY.id: "not a key"})


@pytest.mark.parametrize("header", [{"alg": "none"}, {"alg": "HS256"}, {"typ": "JWT"}, {"kid": 1}])
def test_a_header_cannot_choose_another_way(header: dict[str, Any]) -> None:
    given = {"alg": "EdDSA", "kid": KEY.id, "typ": "contentgen-evidence"} | header
    encoded = base64.urlsafe_b64encode(json.dumps(given).encode()).rstrip(b"=").decode()
    file = rfc8785.dumps({"evidence": {}, "signature": f"{encoded}.."})
    with pytest.raises(NotAuthentic):
        SIGNER.verified(file, KNOWN)


def test_an_id_is_the_thumbprint_of_the_standards_sample_key() -> None:
    """RFC 8037, appendix A.3."""
    public = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    assert thumbprint(public) == SigningKeyId("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")


def keeper(keys: list[str], unit_of_work: MemoryUnitOfWork) -> SignDocuments:
    return SignDocuments(unit_of_work, FernetBox(lambda: keys), SIGNER, ManualClock())


async def test_renewed_keys_stay_listed_without_their_private_half() -> None:
    sign = keeper(["a key " * 8], MemoryUnitOfWork())
    first = await sign({"n": 1})
    [former] = await sign.keys()
    renewed = await sign.renew()
    second = await sign({"n": 2})
    present, retired = await sign.keys()
    assert (present, retired.id, retired.sealed) == (renewed, former.id, "")
    assert retired.retired_at == present.created_at
    public = {key.id: key.public for key in (present, retired)}
    assert [SIGNER.verified(file, public).key_id for file in (first, second)] == [retired.id, present.id]


async def test_a_private_key_is_sealed_and_follows_the_sealing_keys() -> None:
    async with open_house() as house:
        services = house.services
        await services.writing.sign({})
        [key] = await services.writing.sign.keys()
        assert key.sealed not in repr(key)
        done = await services.upkeep.reseal_secrets()
        assert (done.resealed, done.current, done.unreadable) == (0, 1, ())
    keys, unit_of_work = ["first key " * 4], MemoryUnitOfWork()
    sign = keeper(keys, unit_of_work)
    file = await sign({})
    [former] = await sign.keys()
    keys.insert(0, "second key " * 4)
    anew = sign.resealed(former)
    assert anew != former
    assert sign.resealed(anew) == anew
    async with unit_of_work() as tx:
        await tx[SigningKeys].save(anew)
    keys.pop()
    assert await sign({}) == file


async def test_a_key_that_nobody_can_open_is_said_and_renewed() -> None:
    unit_of_work = MemoryUnitOfWork()
    await keeper(["first key " * 4], unit_of_work)({})
    sign = keeper(["second key " * 4], unit_of_work)
    with pytest.raises(NotConfigured, match="cannot be opened"):
        await sign({})
    former = (await sign.keys())[0]
    await sign.renew()
    assert [key.id for key in await sign.keys()][1] == former.id
    assert SIGNER.verified(await sign({}), {key.id: key.public for key in await sign.keys()})


async def test_two_that_make_the_first_key_at_once_agree() -> None:
    unit_of_work = MemoryUnitOfWork()
    sign = keeper(["a key " * 8], unit_of_work)
    files = await asyncio.gather(*(sign({}) for _ in range(4)))
    assert len(set(files)) == 1
    assert len(await sign.keys()) == 1
