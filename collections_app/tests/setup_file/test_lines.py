"""Line numbers of tables and fields in TOML of every shape."""

from __future__ import annotations

import tomllib

from collections_app.setup_file.lines import find_places

TEXT = '''\
# [[not]] a = 1
[settings]
max_calls = 5 # [[no]]

[[endpoint]]
name = "one"
"base" = "http://x/[[v1]]"
headers = { X-A = "b", "X = C" = "d" }

  [[ endpoint ]]
  name = 'two # [[model]]'
  unlisted_models = [
    "a = 1",  # ]
    "[[model]]",
  ]
  base = "https://y"
  [endpoint.quirks]
  name = true
  other = false

[[model]]
alias = "m"
description = """
served = "not a field"
[[collection]] \\"""
"""
limits.rpm = 60
limits.tpm = 70
knowledge_cutoff = \'\'\'
[x]\'\'\'
served = "s"
'''


def test_every_table_and_field_is_found_at_its_line() -> None:
    tomllib.loads(TEXT)
    top, *places = find_places(TEXT)
    assert not top.fields
    assert [(place.section, place.line) for place in places] == [
        ("settings", 2),
        ("endpoint", 5),
        ("endpoint", 10),
        ("model", 21),
    ]
    assert places[0].fields == {"max_calls": 3}
    assert places[1].fields == {"name": 6, "base": 7, "headers": 8}
    assert places[2].fields == {"name": 11, "unlisted_models": 12, "base": 16, "quirks": 17}
    assert places[3].fields == {
        "alias": 22,
        "description": 23,
        "limits": 27,
        "knowledge_cutoff": 29,
        "served": 31,
    }


def test_a_field_that_is_not_there_is_at_the_line_of_its_table() -> None:
    assert find_places("\n[[model]]\n")[1].of("alias") == 2
