"""What is read off a function's form."""

from __future__ import annotations

import pytest

from suite.needles.facts import functions

SOURCE = '''
class Shop:
    @property
    @cached
    def price(self, net, *, rate=1, **more):
        """Words."""
        for one in net:
            with lock:
                self.add(one)
        def inner():
            while True:
                raise KeyError
        try:
            return one, rate
        except ValueError as error:
            raise TypeError("x") from error

async def price_of(*names):
    yield lookup.price_of(names)
    raise
'''


def test_a_method_is_described_by_its_own_body_alone() -> None:
    price, inner, _ = functions("shop.py", SOURCE)
    assert (price.name, price.first, price.last) == ("price", 3, 16)
    assert price.form == (
        "It is a function defined in a class.",
        "It takes two named parameters, self or cls not counted.",
        "It stands under two decorators.",
        "One of its parameters has a default.",
        "It takes any keyword arguments.",
        "It has exactly one for loop.",
        "It has exactly one with block.",
        "It has exactly one try block.",
        "It raises TypeError.",
        "It has exactly one return statement.",
        "It returns a tuple of two.",
    )
    assert price.calls == {"It calls `add`.", "It calls `TypeError`."}
    assert "It is a function defined inside another function." in inner.form
    assert {"It raises KeyError.", "It has exactly one while loop."} <= inner.facts


def test_what_a_function_calls_never_names_the_function_itself() -> None:
    *_, last = functions("shop.py", SOURCE)
    assert last.form[0] == "It is a coroutine that yields defined at the top of its module."
    assert "It raises again what it caught." in last.form
    assert last.calls == frozenset()


@pytest.mark.parametrize("source", ["def broken(:", "x = 1\n", "\0"])
def test_a_file_without_functions_or_sense_has_none(source: str) -> None:
    assert functions("a.py", source) == []
