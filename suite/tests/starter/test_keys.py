"""Claims and findings: every key is worked out anew from what is shown, and tells right answers from wrong ones."""

from __future__ import annotations

import pytest

from gateway.canon.kinds import TaskShape
from suite.drafts import Draft
from suite.scoring import Scored, claim_is_false, score
from suite.tests.starter.derived import DERIVED
from suite.tests.starter.frozen import key_of, module, only, pack, shown, task
from suite.tests.starter.proofs import PROOFS

CLAIMS = {slug: draft for slug, draft in pack().items() if draft.shape is TaskShape.CLAIM}
FINDINGS = {slug: draft for slug, draft in pack().items() if draft.shape is TaskShape.FINDING}


def scored(draft: Draft, answer: str) -> Scored:
    return score(key_of(draft), draft.shape, control=draft.control, answer=answer)


@pytest.mark.parametrize("slug", sorted(PROOFS))
def test_the_verdict_of_a_claim_is_what_the_frozen_code_does(slug: str) -> None:
    draft = task(slug)
    holds = PROOFS[slug](module(only(shown(draft))))
    assert holds is not claim_is_false(key_of(draft))
    assert draft.why.startswith("TRUE. " if holds else "FALSE. ")


def test_every_claim_about_python_is_proven() -> None:
    assert set(PROOFS) == {slug for slug, draft in CLAIMS.items() if draft.language == "python"}


@pytest.mark.parametrize("slug", sorted(CLAIMS))
def test_a_right_verdict_scores_and_a_wrong_one_does_not(slug: str) -> None:
    draft = CLAIMS[slug]
    false = claim_is_false(key_of(draft))
    right, wrong = ("FALSE", "TRUE") if false else ("TRUE", "FALSE")
    good, bad = (scored(draft, f"**VERDICT: {word}**\nThe line decides it.") for word in (right, wrong))
    assert (good.found, good.invented, good.wrong) == (1, (), False)
    assert (bad.found, bool(bad.invented), bad.wrong) == (0, True, false)
    assert scored(draft, f"I am not sure.\nVERDICT: {right}").found == 0


@pytest.mark.parametrize("slug", sorted(CLAIMS))
def test_what_a_claim_is_proven_by_stands_in_the_file(slug: str) -> None:
    """Quotes in the reasons may be cut short with dots."""
    draft = CLAIMS[slug]
    text = only(shown(draft))
    quotes = [part.strip(" ;") for quote in draft.why.split("`")[1::2] for part in quote.split("...")]
    assert any(part and part in text for part in quotes), quotes


def test_every_finding_is_derived() -> None:
    assert set(DERIVED) == set(FINDINGS)


@pytest.mark.parametrize("slug", sorted(DERIVED))
def test_the_key_of_a_finding_is_what_its_files_say(slug: str) -> None:
    draft = task(slug)
    right, other = DERIVED[slug](draft.prompt, shown(draft))
    key = key_of(draft)
    traps = {clause.name for clause in key.must_not_claim}
    assert {clause.name for clause in key.must_find} == right
    assert traps
    assert not traps & right
    assert not other or traps == other


@pytest.mark.parametrize("slug", sorted(DERIVED))
def test_a_full_list_scores_in_full_and_a_list_of_traps_not_at_all(slug: str) -> None:
    draft = task(slug)
    right, _ = DERIVED[slug](draft.prompt, shown(draft))
    traps = [clause.name for clause in key_of(draft).must_not_claim]
    good = scored(draft, "\n".join(f"FOUND: {one}" for one in sorted(right)))
    assert (good.found, good.of, good.invented, good.wrong) == (len(right), len(right), (), False)
    marked = "\n".join(f"{number}. **FOUND:** `{one}`" for number, one in enumerate(sorted(right), 1))
    assert scored(draft, marked).found == len(right)
    bad = scored(draft, "\n".join(f"- FOUND: {one}" for one in traps))
    assert (bad.found, set(bad.invented), bad.wrong) == (0, set(traps), True)
    some = scored(draft, f"FOUND: {sorted(right)[0]}\n\nThe others do not, although {traps[0]} looks like it.")
    assert (some.found, some.invented) == (1, ())
