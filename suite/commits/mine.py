"""Goes through the commits of a repository, the newest first, and makes pairs of drafts of its fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from msgspec import Struct

from suite.commits.fixes import Commit, commits
from suite.commits.git import NoRepository, git
from suite.commits.proof import LIMIT_S, Ground, Verdict, ground_of
from suite.real.draft import Origin, apart, draft_pair, slug_of
from suite.real.fit import fit
from suite.real.patch import Unfit, read_change
from suite.real.take import Known, Pair, Tally

UNPROVEN: Final = "Unproven: no test was run. Look closely whether this was a bug at all."
DIFF: Final = ("--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", "-U3")
NO_FIX: Final = "no fix of one file"


class Order(Struct, frozen=True):
    """What is wanted of the repository at `root`: at most `scan` commits are read. `tests` is the command that runs its
    tests, empty for none; it may take `limit_s` seconds. `name` is what the project is called."""

    root: Path
    name: str
    tests: tuple[str, ...] = ()
    limit_s: float = LIMIT_S
    scan: int = 2_000
    licence: str = ""
    url: str = ""


def mine(order: Order, known: Known, tally: Tally, say: Callable[[str], None]) -> Iterator[Pair]:
    """Pairs, as they are found. With tests, only of fixes that these prove.

    :raises NoRepository: there is none.
    """
    git(order.root, "rev-parse", "HEAD")
    slugs = set(known.slugs)
    with ground_of(order.root, order.tests, order.limit_s) if order.tests else nullcontext() as ground:
        for commit in commits(order.root, order.scan):
            tally.read += 1
            source = f"{order.name}@{commit.sha}"
            if source in known.sources:
                tally.left["already here"] += 1
                continue
            try:
                pair = _pair(order, commit, source, ground, slugs)
            except Unfit as reason:
                tally.left[str(reason)] += 1
                if str(reason) != NO_FIX:
                    say(f"{commit.sha[:10]} {commit.subject[:60]}: {reason}")
                continue
            slugs |= {draft.slug for draft in pair}
            yield pair


def _pair(order: Order, commit: Commit, source: str, ground: Ground | None, slugs: set[str]) -> Pair:
    if not commit.looks_like_a_fix:
        raise Unfit(NO_FIX)
    (path,) = commit.sources
    try:
        before = git(order.root, "cat-file", "blob", f"{commit.sha}^:{path}")
        diff = git(order.root, "diff", *DIFF, f"{commit.sha}^", commit.sha, "--", path)
        before.encode("utf-8")
    except (NoRepository, UnicodeEncodeError):
        raise Unfit("a file that is no UTF-8, or no file before it") from None
    change = read_change(diff)
    fitted = fit(change, before)
    proof = UNPROVEN
    if ground is not None:
        proven = ground.prove(commit, path, before)
        if proven.verdict is not Verdict.PROVEN:
            raise Unfit(proven.verdict)
        proof = "Proven: the repository's tests fail before the fix and pass after it."
    slug = slug_of("past", order.name.rpartition("/")[2], commit.sha[:7])
    if f"{slug}-bug" in slugs:
        slug = apart(slug, source)
    origin = Origin(
        name=source,
        slug=slug,
        url=f"{order.url}/commit/{commit.sha}" if order.url else "",
        licence=order.licence,
        created_on=commit.day,
        told=f"{commit.sha[:10]}, of {commit.day}: {' '.join(commit.message.split())[:300]}",
        known=f"Public since {commit.day}." if order.url else "",
        proof=proof,
    )
    return draft_pair(change, fitted, origin)
