"""What an address of sentinels says, and what is none."""

from __future__ import annotations

import pytest

from collections_app.redis_address import Sentinels, read_sentinels


@pytest.mark.parametrize(
    ("url", "meant"),
    [
        (
            "redis+sentinel://one:26380,two/bench",
            Sentinels((("one", 26380), ("two", 26379)), "bench", 0, None, None, None),
        ),
        ("redis+sentinel://:p%40ss@one/bench/3", Sentinels((("one", 26379),), "bench", 3, None, "p@ss", None)),
        (
            "redis+sentinel://ada:secret@[::1]:5,10.0.0.1/s?sentinel_password=other",
            Sentinels((("::1", 5), ("10.0.0.1", 26379)), "s", 0, "ada", "secret", "other"),
        ),
        ("redis://one:6379/0", None),
        ("unix:///tmp/socket", None),
    ],
)
def test_an_address_is_read(url: str, meant: Sentinels | None) -> None:
    assert read_sentinels(url) == meant


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://one",
        "redis+sentinel:///bench",
        "redis+sentinel://one,/bench",
        "redis+sentinel://one:port/bench",
        "redis+sentinel://one/bench/zero",
        "redis+sentinel://one/bench?quorum=2",
    ],
)
def test_what_cannot_be_meant_is_refused(url: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 whoever asks says it in words
        read_sentinels(url)


def test_its_secrets_are_not_shown() -> None:
    assert "hunter" not in repr(read_sentinels("redis+sentinel://:hunter22@one/s?sentinel_password=hunter23"))
