"""Each promise of docs/security.md names tests that exist."""

from __future__ import annotations

import re

from benchwarmers.tests.house.tree import ROOT

PAGE = ROOT / "docs/security.md"
PROMISE = re.compile(r"^(\d+)\. ", re.MULTILINE)
PROOF = re.compile(r"^   `([^`]+)`$", re.MULTILINE)


def promises() -> dict[int, str]:
    """The text below each number, proofs included."""
    pieces = PROMISE.split(PAGE.read_text().partition("## Promises")[2])
    return {int(number): text for number, text in zip(pieces[1::2], pieces[2::2], strict=True)}


def test_promises_are_numbered_without_a_gap_and_each_has_a_proof() -> None:
    found = promises()
    assert list(found) == list(range(1, len(found) + 1))
    assert [number for number, text in found.items() if not PROOF.search(text)] == []


def test_every_proof_is_a_test_that_exists() -> None:
    proofs = [proof for text in promises().values() for proof in PROOF.findall(text)]
    assert proofs
    missing = []
    for proof in proofs:
        path, _, name = proof.partition("::")
        file = ROOT / path
        if not file.is_file() or not re.search(rf"^(?:async )?def {re.escape(name)}\(", file.read_text(), re.MULTILINE):
            missing.append(proof)
    assert missing == []
