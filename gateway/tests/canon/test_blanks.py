"""What is taken out of a text before it is kept."""

from __future__ import annotations

import pytest

from gateway.canon.blanks import blank_evidence


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "Rate limit reached for m in organization org-Abc123 on tokens per min (TPM): Limit 30000, Used 14567.",
            "Rate limit reached for m in organization *** on tokens per min (TPM): Limit 30000, Used 14567.",
        ),
        ("in organization `acme-labs` service", "in organization `***` service"),
        ("user_2abcDEF123 is over", "user_*** is over"),
        ("ask a.b+c@example.co.uk for more", "ask *** for more"),
        ("the key sk-proj-abcdefgh12345 is not known", "the key sk-*** is not known"),
        ("context length by 12 tokens (ref: 96164522-08b2-4cbf-886e-e5a38961a688)", None),
        ("projects/my-project-123/locations is full", "projects/***/locations is full"),
        ("team 96164522-08b2-4cbf-886e-e5a38961a688 has no credits", "team *** has no credits"),
        ("maximum context length is 131072 tokens,\n however you asked for 140000", None),
        ("claude-haiku-4-5-20251001: 3333404 tokens > 200000 maximum", None),
    ],
)
def test_evidence_names_no_account_no_person_and_no_key(said: str, kept: str | None) -> None:
    found = blank_evidence(said)
    if kept is not None:
        assert found == kept
    for secret in ("96164522", "Abc123", "example.co.uk", "abcdefgh", "my-project", "\n"):
        assert secret not in found
    for number in ("30000", "131072", "200000"):
        assert (number in found) == (number in said)


def test_evidence_is_at_most_200_characters() -> None:
    assert blank_evidence("a b " * 100) == ("a b " * 50)
