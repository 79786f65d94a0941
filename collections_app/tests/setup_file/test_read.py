"""Mistakes of form in a set-up file, each with its line."""

from __future__ import annotations

import pytest

from collections_app.setup_file.read import Mistaken, read_setup

ENDPOINT = '[[endpoint]]\nname = "one"\nbase = "http://x"\n'


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("[settings]\nmax_calls = \n", 2, "not TOML"),
        ('[[endpoint]]\nname = "a\n', 2, "not TOML"),
        ("a = 1\n[a]\n", 2, "not TOML"),
        ("\n\n[[endpoints]]\n", 3, "did you mean [[endpoint]]?"),
        ("\n[[zebra]]\n", 2, "there are [settings], [[endpoint]]"),
        ("\nmax_calls = 3\n", 2, "Unknown table “max_calls”"),
        ('\n[[alias]]\nname = "x"\n', 2, "needs the field target"),
        ("[[alias]]\nname = 'x'\ntarget = 'core'\n[[alias]]\nname = 'x'\ntarget = 'core'\n", 5, "in line 2 already"),
        ("[[alias]]\nname = 'x'\ntarget = 'core'\nmode = 'all'\n", 4, "known are name, target"),
        ("\n[[settings]]\n", 2, "[settings]"),
        ("\n[endpoint]\n", 2, "[[endpoint]]"),
        (ENDPOINT + "\nkinds = 'local'\n", 5, "did you mean kind?"),
        (ENDPOINT + "zzz = 1\n", 4, "known are name, base"),
        (ENDPOINT + "default = 1\n", 4, "default is true or false"),
        (ENDPOINT + "headers = []\n", 4, "headers is a table"),
        (ENDPOINT + "unlisted_models = [1]\n", 4, "unlisted_models is a list of texts"),
        ("[settings]\nmax_calls = true\n", 2, "max_calls is a whole number"),
        ("\n[[endpoint]]\nname = 'one'\n", 2, "needs the field base"),
        (ENDPOINT + ENDPOINT, 5, "stands in line 2 already"),
        (ENDPOINT + "default = true\n" + ENDPOINT.replace("one", "two") + "default = true\n", 8, "only one can be"),
        ("endpoint = [{ name = 'x1' }]\n", 1, "needs the field base"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_would_be_right(text: str, line: int, says: str) -> None:
    with pytest.raises(Mistaken) as mistaken:
        read_setup(text)
    assert [mistake.line for mistake in mistaken.value.mistakes] == [line]
    assert says in mistaken.value.mistakes[0].sentence


def test_every_mistake_of_form_is_told_at_once_in_the_order_of_lines() -> None:
    with pytest.raises(Mistaken) as mistaken:
        read_setup("[[model]]\nalias = 1\nservd = 'x'\n\n[[endpont]]\n")
    assert [mistake.line for mistake in mistaken.value.mistakes] == [1, 1, 2, 3, 5]


def test_a_correct_file_becomes_entries_in_its_own_order() -> None:
    entries = read_setup("[[person]]\nusername = 'ann'\n[settings]\nmax_calls = 3\n" + ENDPOINT)
    assert [(entry.section, entry.name, entry.place.line) for entry in entries] == [
        ("person", "ann", 1),
        ("settings", "settings", 3),
        ("endpoint", "one", 5),
    ]
