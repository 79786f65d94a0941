"""The claims of a panel: where they come from and which are one."""

from __future__ import annotations

from collections_app.claim_map import Claim, Wording, map_claims, read_points

A, B, C = "p1.member1", "p1.member2", "p1.explorer"
LOCK = "The lock is released before the write"
LOCK_TOO = "The lock gets released before the write happens"


def shape(claims: list[Claim]) -> list[tuple[int | None, list[str]]]:
    return [(claim.group, claim.calls) for claim in claims]


def test_the_same_claim_of_two_seats_is_one_row_and_nobody_settled_it() -> None:
    claims = map_claims([], [Wording(A, LOCK), Wording(A, "The retry has no jitter"), Wording(B, LOCK_TOO)], [])
    assert shape(claims) == [(None, [A, B]), (None, [A])]
    assert (claims[0].text, claims[0].settled, claims[0].is_line) == (LOCK, False, False)


def test_what_was_split_stays_apart_and_what_is_new_joins() -> None:
    settled = [(1, LOCK, [Wording(A, LOCK, 1)]), (2, LOCK_TOO, [Wording(B, LOCK_TOO, 2)])]
    claims = map_claims(settled, [Wording(A, LOCK), Wording(B, LOCK_TOO), Wording(C, LOCK)], [])
    assert shape(claims) == [(1, [A, C]), (2, [B])]
    assert [claim.settled for claim in claims] == [False, True]


def test_a_line_of_an_answer_joins_what_others_said_and_is_left_out_where_its_seat_said_it() -> None:
    claims = map_claims(
        [],
        [Wording(A, LOCK)],
        [Wording(A, LOCK_TOO, line=True), Wording(B, LOCK_TOO, line=True), Wording(A, LOCK, line=True)],
    )
    assert shape(claims) == [(None, [A, B])]
    assert not claims[0].is_line
    assert [one.line for one in claims[0].wordings] == [False, True]


def test_lines_alone_are_candidates() -> None:
    claims = map_claims([], [], [Wording(A, LOCK, line=True), Wording(B, "Something else again", line=True)])
    assert [claim.is_line for claim in claims] == [True, True]


def test_a_claim_has_another_name_as_soon_as_anything_about_it_moved() -> None:
    first = map_claims([], [Wording(A, LOCK)], [])[0]
    more = map_claims([], [Wording(A, LOCK), Wording(B, LOCK)], [])[0]
    settled = map_claims([(1, LOCK, [Wording(A, LOCK, 1)])], [], [])[0]
    assert len({first.key, more.key, settled.key}) == 3
    assert first.key == map_claims([], [Wording(A, LOCK)], [])[0].key


ANSWER = """# Findings

1. **The lock is released** before the write, see [cache.py](https://x.example/y).
2) No timeout on `line_4_of`
   - nested: `a_b * c` is *wrong* here
* ok
• _No timeout_ on line_4_of
```
- not a claim, this is code
```
- **What is wrong here:**
- [ ] snake_case_name stays as ~~it~~ is
- <script>alert(1)</script> stays as text
10. ![chart](javascript:alert(1)) of the load
Not a point at all.
"""


def test_points_of_an_answer_are_plain_sentences() -> None:
    assert read_points(ANSWER) == [
        "The lock is released before the write, see cache.py.",
        "No timeout on line_4_of",
        "nested: a_b * c is wrong here",
        "snake_case_name stays as it is",
        "<script>alert(1)</script> stays as text",
        "chart of the load",
    ]


def test_points_are_bounded() -> None:
    many = read_points("\n".join(f"- Number {n} is wrong {'x' * 500}" for n in range(50)))
    assert (len(many), {len(point) for point in many}) == (20, {400})
    assert read_points("") == read_points("no points") == []
