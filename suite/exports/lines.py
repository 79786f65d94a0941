"""One line of JSON an attempt. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from suite.exports.answers import Answer


def json_lines(answers: Iterable[Answer]) -> Iterator[str]:
    """Each with its line end. Times are RFC 3339 and seconds; `cost_usd` is null where unknown, like `seconds`."""
    for one in answers:
        yield (
            msgspec.json.encode(
                {
                    "task": one.asked.task,
                    "digest": one.asked.digest,
                    "shape": one.asked.shape,
                    "origin": one.asked.origin,
                    "language": one.asked.language,
                    "mutation": one.asked.mutation,
                    "control": one.asked.control,
                    "contamination": one.asked.contamination,
                    "model": one.model,
                    "served": one.served,
                    "pass": one.suite_pass,
                    "pass_kind": one.pass_kind,
                    "number": one.number,
                    "at": one.at,
                    "outcome": one.outcome,
                    "failure": one.failure,
                    "detail": one.detail,
                    "answer": one.text,
                    "drawn": one.asked.drawn,
                    "seconds": one.seconds or None,
                    "first_token_s": one.first_token_s,
                    "tokens_in": one.tokens_in,
                    "tokens_out": one.tokens_out,
                    "cost_usd": usd(one.cost),
                    "credit": one.credit,
                    "score": one.score,
                }
            ).decode()
            + "\n"
        )


def usd(nano: int | None) -> float | None:
    """Dollars of nano-dollars."""
    return None if nano is None else nano / 1e9
