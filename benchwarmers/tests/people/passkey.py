"""What is stored of a passkey, made without a browser."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

IDENTITY = b"a passkey of the tests"


def stored_passkey(name: str, host: str = "testserver") -> dict[str, Any]:
    """The data of an authenticator."""
    key = ES256.from_cryptography_key(ec.generate_private_key(ec.SECP256R1()).public_key())  # type: ignore[no-untyped-call]
    attested = AttestedCredentialData.create(Aaguid.NONE, IDENTITY, key)
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT
    made = AuthenticatorData.create(sha256(host.encode()).digest(), flags, 0, attested)
    client = CollectedClientData.create("webauthn.create", b"challenge", f"https://{host}")
    return {
        "name": name,
        "credential": {
            "id": websafe_encode(IDENTITY),
            "rawId": websafe_encode(IDENTITY),
            "type": "public-key",
            "clientExtensionResults": {"credProps": {"rk": True}},
            "response": {
                "clientDataJSON": websafe_encode(client),
                "attestationObject": websafe_encode(AttestationObject.create("none", made, {})),
            },
        },
    }
